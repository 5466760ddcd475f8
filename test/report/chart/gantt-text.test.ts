import { describe, expect, it } from 'vitest';
import { demoShop } from '../../../packages/service/src/demo/demo-shop.js';
import { instanceFromJson } from '../../../src/jssp/formats/instance-json.js';
import { createInstance, instanceFromJobs } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { resolveSource } from '../../../src/jssp/suites.js';
import { renderGantt } from '../../../src/report/chart/gantt-text.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';

const three = instanceFromJobs('three', [
  [
    [0, 3],
    [1, 2],
    [2, 2],
  ],
  [
    [0, 2],
    [2, 1],
    [1, 4],
  ],
  [
    [1, 4],
    [2, 3],
    [0, 1],
  ],
]);

/** The same at 3: two operations have started, two machines go down. */
const started = createInstance({
  ...three,
  frozen: Int32Array.of(0, -1, -1, -1, -1, -1, 0, -1, -1),
  calendar: {
    offset: Int32Array.of(0, 1, 1, 2),
    from: Int32Array.of(4, 5),
    to: Int32Array.of(6, 6),
    resumable: Uint8Array.of(1, 0),
  },
});

const lines = (...text: string[]) => `${text.join('\n')}\n`;

describe('a Gantt chart', () => {
  it('has a bar for each operation, and fills 80 columns if it is not told otherwise', () => {
    expect(renderGantt(dispatch(three, { rule: 'mwkr' }))).toBe(
      lines(
        'three: makespan 12, one column is 1/5 of time',
        '         0         2         4         6         8         10',
        'Machine0 1──────────────2─────────          3────',
        'Machine1 3───────────────────1─────────          2───────────────────',
        'Machine2                     3──────────────2────1─────────',
      ),
    );
  });

  it('shades downtimes, marks now, and draws heavily what is frozen', () => {
    const schedule = dispatch(started, { rule: 'mwkr' });
    expect(renderGantt(schedule, { now: 3, width: 40 })).toBe(
      lines(
        'three: makespan 14, one column is 1/2 of time',
        '         0         5         10',
        'Machine0 1━━━━━2─░░░░──    3─',
        'Machine1 3━━━━━━━1───        2───────',
        'Machine2       │   ░░3─────2─1───',
        '               now 3',
        '░ closed or down, ━ fixed start',
      ),
    );
  });

  it('crosses what overlaps, and leaves out what has no start', () => {
    const start = Int32Array.of(0, -1, -1, 1, -1, -1, -1, -1, -1);
    expect(renderGantt(createSchedule(three, start), { width: 30 })).toBe(
      lines(
        'three: makespan 3, one column is 1/7 of time',
        '         0             2',
        'Machine0 1──────××××××××××××××',
        'Machine1',
        'Machine2',
        '× overlap',
      ),
    );
  });

  it('gives several units to a column where there are many, and a plus to large numbers', () => {
    const jobs = Array.from({ length: 12 }, (_, job) => [[0, job < 9 ? 30 : 5] as const]);
    const many = instanceFromJobs('many', jobs);
    const start = Int32Array.from(jobs, (_, job) => (job < 9 ? 30 * job : 270 + 5 * (job - 9)));
    expect(renderGantt(createSchedule(many, start), { width: 66 })).toBe(
      lines(
        'many: makespan 285, one column is 5 of time',
        '         0         50        100       150       200       250',
        'Machine0 1─────2─────3─────4─────5─────6─────7─────8─────9─────+++',
        '+ no room for the job',
      ),
    );
  });

  it('is never wider than it may be', () => {
    for (const name of ['ft06', 'ft20', 'ta41', 'swv11']) {
      const schedule = dispatch(resolveSource(name).load(), { rule: 'mwkr' });
      for (const width of [40, 80, 133]) {
        const [, ...lines] = renderGantt(schedule, { width, now: schedule.makespan }).split('\n');
        // The word for now stands below its column, which may be the last one; the legend follows it.
        const rows = lines.slice(
          0,
          lines.indexOf(lines.find((line) => /^ +now /.test(line)) ?? ''),
        );
        expect(rows.length).toBe(schedule.instance.machines + 1);
        const longest = Math.max(...rows.map((row) => row.length));
        expect(longest).toBeLessThanOrEqual(width);
      }
    }
  });

  it('has colours only where they are wanted, and the same text', () => {
    const schedule = dispatch(three, { rule: 'mwkr' });
    const colored = renderGantt(schedule, { color: true });
    expect(colored).toContain('\u001b[36m1──────────────\u001b[39m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
    expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(renderGantt(schedule));
  });
});

it('has rows of operators on demand, also where they set up or are away', () => {
  const shop = instanceFromJson(
    {
      schema: 'alas-jssp/instance@2',
      machines: ['Lathe', 'Bench'],
      families: ['steel'],
      setups: [{ machines: ['Lathe'], first: 2 }],
      resources: [
        { name: 'Ana', calendar: [{ from: 8, to: 10, capacity: 0 }] },
        { name: 'fitters', capacity: 2 },
      ],
      jobs: [
        {
          operations: [
            { machine: 'Lathe', duration: 4, family: 'steel', setup_needs: { Ana: 1 } },
            { machine: 'Bench', duration: 2, family: 'steel', needs: { Ana: 1, fitters: 2 } },
          ],
        },
      ],
    },
    { name: 'shop' },
  );
  const schedule = createSchedule(shop, Int32Array.of(2, 10));
  expect(renderGantt(schedule, { width: 33, operators: true })).toBe(
    lines(
      'shop: makespan 12, one column is 1 of time',
      '          0         10',
      'Ana       1▒      ░░1─',
      'fitters 1           1─',
      'fitters 2           1─',
      '░ not there, ▒ setup',
    ),
  );
});

it('draws a shop with a clock by hours and days', () => {
  const shop = demoShop();
  const lines = renderGantt(dispatch(shop, { rule: 'mwkr' }), { width: 80, now: 490 }).split('\n');
  expect(lines[0]).toMatch(
    /^\w+: from Mon 23 Nov 06:00 to Tue 24 Nov \d\d:\d\d, one column is \d+ min$/,
  );
  expect(lines[1].trim()).toMatch(/^06:00 +12:00 +18:00 +Tue 24 Nov/);
  expect(lines.some((line) => line.trim() === 'now Mon 23 Nov 14:10')).toBe(true);
});
