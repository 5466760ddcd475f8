import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { generateFlexible } from '../../src/jssp/flexible-generator.js';
import { writeProjectXml } from '../../src/jssp/formats/exchange/project-xml.js';
import { withDueDates } from '../../src/jssp/generator.js';
import { type Instance, replaceInstance } from '../../src/jssp/instance.js';
import { labelsOf } from '../../src/jssp/labels.js';
import type { Schedule } from '../../src/jssp/schedule.js';
import { resolveSource } from '../../src/jssp/suites.js';
import { formatTime } from '../../src/jssp/time-scale.js';
import { dispatchBest } from '../../src/search/index.js';

// As install.sh has it.
const home = process.env.ALAS_JSSP_ENGINES ?? join(homedir(), '.cache/alas-jssp/engines');
const place = join(home, 'mpxj-13.12.0');
const folder = mkdtempSync(join(tmpdir(), 'project-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const mpxjTest = test.skipIf(!existsSync(join(place, 'ready')));

/** The lines of one kind that MPXJ reads of a file. */
function readWithMpxj(text: string) {
  const file = join(folder, 'plan.xml');
  writeFileSync(file, text);
  const classpath = `${join(place, 'classes')}:${join(place, 'lib')}/*`;
  const printed = execFileSync('java', ['-cp', classpath, 'ReadProject', file], {
    encoding: 'utf8',
  });
  const rows = printed.split('\n').map((line) => line.split('\t'));
  return (kind: string) => rows.filter(([first]) => first === kind).map(([, ...fields]) => fields);
}

const withClock = (instance: Instance) =>
  replaceInstance(instance, {
    timeScale: { epoch: '2026-11-23T06:00:00+01:00', unit: 60, zone: 'Europe/Berlin' },
  });
const ft06 = withClock(resolveSource('ft06').load());
const shop = withClock(
  generateFlexible({
    name: 'shop',
    jobs: 5,
    machines: 4,
    seed: 3,
    families: 3,
    maxTransport: 5,
    operators: 2,
    assembly: 0.3,
    minLag: 4,
  }),
);

/** A time without seconds if they are 0, as MPXJ prints it. */
const wall = ({ instance }: Schedule, time: number) =>
  String(instance.timeScale && formatTime(instance.timeScale, time)).slice(
    0,
    'yyyy-mm-ddThh:mm'.length,
  );

mpxjTest('MPXJ reads the starts, ends, durations and machines of all operations', () => {
  for (const instance of [ft06, withDueDates(ft06, 1.3), shop]) {
    const { schedule } = dispatchBest(instance);
    const read = readWithMpxj(writeProjectXml(schedule).text);
    const tasks = new Map(read('task').map((fields) => [Number(fields[0]), fields]));
    const machines = new Map<number, string[][]>();
    for (const [task, ...rest] of read('assignment')) {
      machines.set(Number(task), [...(machines.get(Number(task)) ?? []), rest]);
    }
    const labels = labelsOf(schedule.instance);
    for (let op = 0; op < instance.operations; op++) {
      const [, , start, finish, summary, duration, level, , parent] =
        tasks.get(instance.jobs + 1 + op) ?? [];
      const [from, to] = [wall(schedule, schedule.start[op]), wall(schedule, schedule.end[op])];
      expect({ start, finish, summary, level }).toEqual({
        start: from,
        finish: to,
        summary: 'false',
        level: '2',
      });
      expect(Number(duration)).toBe(schedule.end[op] - schedule.start[op]);
      expect(Number(parent)).toBe(instance.jobOf[op] + 1);
      const [[machine, begin, end, units]] = machines.get(instance.jobs + 1 + op) ?? [];
      expect([machine, begin, end]).toEqual([
        labels.machine(schedule.instance.machine[op]),
        from,
        to,
      ]);
      expect(Number(units)).toBe(100);
    }
    expect(read('task').filter((fields) => fields[4] === 'true')).toHaveLength(instance.jobs);
    expect(tasks.size).toBe(instance.jobs + instance.operations);
  }
});

mpxjTest('every element is where the published schema has it', () => {
  const { schedule } = dispatchBest(withDueDates(shop, 1.5));
  expect(readWithMpxj(writeProjectXml(schedule).text)('misplaced')).toEqual([]);
});

mpxjTest('the links of MPXJ hold in the schedule, and include all steps of a job', () => {
  const { schedule } = dispatchBest(shop);
  const links = readWithMpxj(writeProjectXml(schedule).text)('link');
  const op = (task: string) => Number(task) - shop.jobs - 1;
  for (const [before, after, type, lag] of links) {
    expect(type).toBe('FS');
    expect(schedule.end[op(before)] + Number(lag)).toBeLessThanOrEqual(schedule.start[op(after)]);
  }
  const pairs = new Set(links.map(([before, after]) => `${op(before)} ${op(after)}`));
  const { precedence } = shop;
  for (let v = 0; v < shop.operations; v++) {
    for (let e = precedence?.offset[v] ?? 0; e < (precedence?.offset[v + 1] ?? 0); e++) {
      expect(pairs).toContain(`${precedence?.pred[e]} ${v}`);
    }
  }
});
