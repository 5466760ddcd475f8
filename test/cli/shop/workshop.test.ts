import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli } from '../cli.js';

// A shop with names and a clock through every command, from the Friday before summer time ends.

const directory = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
const shop = join(directory, 'workshop.json');
const plan = join(directory, 'plan.json');
const event = 'breakdown:machine=Lathe 2,from=2026-10-23T14:10,to=2026-10-26T08:00';

beforeAll(async () => {
  const orders = ['examples/workshop/orders.csv', '--map=examples/workshop/map.json'];
  const calendar = ['--calendar=examples/workshop/calendar.json', '--epoch=2026-10-23T06:00'];
  await cli(['import', ...orders, ...calendar, '--out', shop]);
  await cli(['plan', shop, '--planner', 'dispatch:mwkr', '--out', plan]);
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The words of a shop with names and a clock hold no bare time. */
function expectNoNumbers(text: string): void {
  expect(text).not.toMatch(/makespan|Machine\d|Job\d|\bjob \d|\bmachine \d/);
}

describe('the commands speak of a shop by its names and its clock', () => {
  it('plan', async () => {
    const { stderr } = await cli(['plan', shop, '--planner', 'dispatch:mwkr', '--format', 'csv']);
    expect(stderr).toContain(
      'feasible, all done by Mon 26 Oct 06:40, total weighted tardiness 0 min, planned',
    );
    const { stdout } = await cli(['plan', shop, '--format', 'table']);
    expect(stdout).toMatch(/WO-4716 +turning +Lathe 1 +Fri 23 Oct 06:00 +Fri 23 Oct \d\d:\d\d/);
  });

  it('validate', async () => {
    const { stdout } = await cli(['validate', shop, plan, '--json']);
    const report = JSON.parse(stdout);
    // Friday 06:00 to Monday 06:40 is an hour more than clocks show.
    expect(report).toMatchObject({
      makespan: (3 * 24 + 1) * 60 + 40,
      makespan_date: '2026-10-26T06:40:00+01:00',
    });
    const wrong = join(directory, 'wrong.json');
    const document = JSON.parse(readFileSync(plan, 'utf8'));
    document.entries[1].start = '2026-10-23T06:00:00+02:00';
    writeFileSync(wrong, JSON.stringify(document));
    const csv = (await cli(['validate', shop, wrong, '--format', 'csv'])).stdout.split('\n');
    const { job, operation, machine } = document.entries[1];
    expect(csv.some((line) => line.includes(`,${job},${operation},${machine},`))).toBe(true);
    expectNoNumbers(csv.join('\n'));
  });

  it('show', async () => {
    const { stdout } = await cli(['show', shop], { terminal: 80 });
    expect(stdout).toContain('duration 30 min to 2 h 20 min, total work 46 h 55 min');
    expect(stdout).toMatch(/Mill +13 h 20 min/);
    const chart = await cli(['show', shop, '--gantt', plan]);
    expect(chart.stdout).toContain('bars show what follows WO-47 in the names of jobs');
    expect(chart.stdout).toMatch(/Mill +\+18\+░20\+19/);
  });

  it('repair', async () => {
    const args = ['repair', shop, plan, '--event', event, '--explain'];
    const { stdout, stderr } = await cli([...args, '--format', 'csv']);
    expect(stdout).toContain(
      'WO-4713,3,Lathe 2,2026-10-23T15:35:00+02:00,2026-10-26T09:25:00+01:00,machine,WO-4712 boring,1,Lathe 2 is down until Mon 26 Oct 08:00',
    );
    expect(stderr).toMatch(
      /repaired by lcrp at Fri 23 Oct 14:10, feasible, all done by Mon 26 Oct \d\d:\d\d instead of 06:40/,
    );
    expectNoNumbers(stdout + stderr);
    const { explanation, ...outcome } = JSON.parse((await cli([...args, '--json'])).stdout);
    expect(outcome).toMatchObject({ now: 490, now_date: '2026-10-23T14:10:00+02:00' });
    expect(explanation.edits[0]).toMatchObject({ start_date: expect.stringContaining('+0') });
  });

  it('plan, repair and execute minimise the tardiness unless another objective is asked for', async () => {
    const asked = ['--objective', 'makespan'];
    const made = await cli(['plan', shop, '--planner', 'dispatch:best', ...asked]);
    expect(made.stderr).toContain('(objective makespan)');
    const usual = await cli(['plan', shop, '--planner', 'dispatch:best']);
    expect(usual.stderr).not.toContain('objective makespan');
    const args = ['repair', shop, plan, '--event', event, '--json'];
    const objectiveOf = async (...more: string[]) => {
      return JSON.parse((await cli([...args, ...more])).stdout).objective;
    };
    expect(await objectiveOf()).toBe('total-weighted-tardiness');
    expect(await objectiveOf(...asked)).toBe('makespan');
    expect(await objectiveOf('--policy', 'high-stability', ...asked)).toBe('makespan');
    const log = join(directory, 'by-makespan.db');
    const run = ['execute', shop, plan, '--event', event, '--log', log, '--json'];
    expect(JSON.parse((await cli([...run, ...asked])).stdout).objective).toBe('makespan');
  });

  it('news of a shop that waits have dates: maintenance to come, and its withdrawal', async () => {
    const log = join(directory, 'living.db');
    const opened = await cli(['execute', shop, plan, '--log', log, '--run', 'hall', '--live']);
    expect(opened.code).toBe(1);
    const news = async (data: object) => {
      const sent = await cli([
        'log',
        'signal',
        log,
        'hall',
        'command',
        '--data',
        JSON.stringify(data),
      ]);
      expect(sent).toMatchObject({ code: 0 });
      return (await cli(['log', 'resume', log])).stdout;
    };
    const [from, to] = ['2026-10-26T06:00', '2026-10-26T09:00'];
    const maintenance = { kind: 'breakdown', machine: 'Mill', from, to };
    expect(await news({ now: '2026-10-23T12:00', events: [maintenance] })).toContain(
      'at Fri 23 Oct 12:00 Mill will be down from Mon 26 Oct 06:00 to Mon 26 Oct 09:00',
    );
    expect(await news({ now: '2026-10-23T12:10', withdraw: 2 })).toContain('withdrew the report');
    const wrong = [
      'log',
      'signal',
      log,
      'hall',
      'command',
      '--data',
      '{"now":"tomorrow","undo":1}',
    ];
    expect(await cli(wrong)).toMatchObject({ code: 2 });
  });

  it('plan, validate and repair warn of work after all shifts that are known', async () => {
    const short = join(directory, 'short.json');
    const late = join(directory, 'late.json');
    const files = ['examples/workshop/orders.csv', '--map=examples/workshop/map.json'];
    const until = ['--epoch=2026-10-12T06:00', '--horizon=2026-10-18'];
    const calendar = '--calendar=examples/workshop/calendar.json';
    await cli(['import', ...files, calendar, ...until, '--out', short]);
    const document = JSON.parse(readFileSync(short, 'utf8'));
    for (const job of document.jobs) job.release = '2026-10-19T02:00:00+02:00';
    writeFileSync(short, JSON.stringify(document));
    const warning =
      /shifts are known until Sun 18 Oct 00:00: work after it, up to Mon 19 Oct .*, is planned day and night/;
    const made = await cli(['plan', short, '--planner=dispatch:mwkr', '--out', late]);
    expect(made.stderr).toMatch(warning);
    expect((await cli(['validate', short, late])).stderr).toMatch(warning);
    const broken = ['--event', 'breakdown:machine=Mill,from=2026-10-19T05:00,to=2026-10-19T06:00'];
    expect((await cli(['repair', short, late, ...broken])).stderr).toMatch(warning);
    expect((await cli(['validate', shop, plan])).stderr).not.toContain('warning');
  });

  it('execute and log', async () => {
    const log = join(directory, 'shop.db');
    const executed = await cli(['execute', shop, plan, '--event', event, '--log', log]);
    expect(executed.stdout).toMatch(
      /version 1 is the plan, all done by Mon 26 Oct 06:40\nat Fri 23 Oct 14:10 Lathe 2 broke down until Mon 26 Oct 08:00; \d+ operations have started and stay; \d+ operations move, all done by Mon 26 Oct \d\d:\d\d instead of 06:40; version 2\n/,
    );
    expectNoNumbers(executed.stdout);
    const diff = await cli(['log', 'diff', log, '1', '2', '--versions', '--format', 'md']);
    expect(diff.stdout).toMatch(/\| WO-\d+ \| \w+ \| Lathe 2 \| +Fri 23 Oct/);
    expectNoNumbers(diff.stdout);
  });
});
