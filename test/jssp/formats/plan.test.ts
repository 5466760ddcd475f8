import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { writePlanCsv } from '../../../src/jssp/formats/plan-csv.js';
import { writePlanJson } from '../../../src/jssp/formats/plan-json.js';
import { parsePlan, readPlan } from '../../../src/jssp/formats/read-plan.js';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { type PlanEntry, planFromSchedule } from '../../../src/jssp/plan.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { arbitraryNamed, nameAll } from '../../named-instances.js';
import { anyInstance, anyPlan, planOf } from './arbitraries.js';
import { messageOf } from './refusal.js';

const folder = mkdtempSync(join(tmpdir(), 'formats-'));
afterAll(() => rmSync(folder, { recursive: true }));

const parse = (content: unknown) =>
  parsePlan(Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)), 'f');
const entry = { job: 1, step: 2, machine: 3, start: 4, end: 9 };
const parsed: PlanEntry = { job: 0, step: 1, machine: 3, start: 4, end: 9 };
const schedule = createSchedule(
  instanceFromJobs('tiny', [
    [
      [0, 29],
      [1, 0],
    ],
    [[1, 7]],
  ]),
  Int32Array.of(0, 29, -1),
);

test('a schedule is written with jobs and steps from 1 and machines from 0', () => {
  expect(writePlanJson(schedule)).toBe(
    `{"schema":"alas-jssp/plan@1","instance":"tiny","makespan":29,"entries":[
{"job":"Job1","step":1,"machine":"Machine0","start":0,"end":29},
{"job":"Job1","step":2,"machine":"Machine1","start":29,"end":29}
]}
`,
  );
  expect(writePlanCsv(schedule)).toBe(
    'job,step,machine,start,end\nJob1,1,Machine0,0,29\nJob1,2,Machine1,29,29\n',
  );
});

test('a plan of any claims survives JSON unchanged', () => {
  fc.assert(
    fc.property(planOf(fc.integer({ min: -3, max: 20 })), (plan) => {
      const { makespan, ...rest } = plan;
      const expected = makespan === undefined ? rest : plan;
      expect(parse(writePlanJson(plan, { instance: 'a "b"' }))).toEqual({
        plan: expected,
        instance: 'a "b"',
      });
    }),
  );
});

test('a plan of any claims survives CSV unchanged, but for the makespan', () => {
  fc.assert(
    fc.property(anyPlan, ({ entries }) => {
      expect(parse(writePlanCsv({ entries, makespan: 5 }))).toEqual({ plan: { entries } });
    }),
  );
});

test('CSV with quotation marks is read like CSV without', () => {
  fc.assert(
    fc.property(anyPlan, ({ entries }) => {
      const text = writePlanCsv({ entries }).replace(/[^,\n]+/g, '"$&"');
      expect(parse(text)).toEqual({ plan: { entries } });
    }),
  );
});

test('a plan with a job -1 counts from 0 in CSV if it has a job 0, otherwise it is refused', () => {
  const entries = [
    { ...parsed, job: -1 },
    { ...parsed, job: 0 },
  ];
  expect(parse(writePlanCsv({ entries })).plan.entries).toEqual(entries);
  expect(() => writePlanCsv({ entries: entries.slice(0, 1) })).toThrow(
    'the plan has a job -1 and no job 0, which a file cannot represent; count jobs from 0 in plans in memory',
  );
});

test('a number that is not finite is not written', () => {
  const plan = { entries: [parsed, { ...parsed, end: Number.NaN }] };
  const message = 'entry 2 of the plan holds a number that is not finite; give finite numbers';
  expect(() => writePlanJson(plan)).toThrow(message);
  expect(() => writePlanCsv(plan)).toThrow(message);
});

describe('other spellings of a plan are understood', () => {
  const { step, start, end, ...job } = entry;
  test.each<[string, unknown]>([
    ['a bare list', [entry]],
    ['entries', { schema: 'alas-jssp/plan@1', entries: [entry] }],
    ['schedule', { schedule: [entry] }],
    ['operations', { operations: [entry], makespan: null }],
    ['operation for step', [{ ...job, operation: step, start, end }]],
    ['op for step', [{ ...job, op: step, start, end }]],
    ['start_time and end_time', [{ ...job, step, start_time: start, end_time: end }]],
    ['a duration for the end', [{ ...job, step, start, duration: 5 }]],
    ['labels', [{ ...entry, job: 'Job1', machine: 'Machine3' }]],
    ['short labels', [{ ...entry, job: 'J1', step: 'O2', machine: 'M3' }]],
    ['loose labels', [{ ...entry, job: 'job 1', step: 'Step 2', machine: 'machine_3' }]],
    ['numbers in quotes', [{ job: '1', step: '2', machine: '3', start: '4', end: '9' }]],
    ['CSV', 'job,step,machine,start,end\n1,2,3,4,9\n'],
    [
      'CSV from a spreadsheet',
      '\uFEFFJob;Operation;Machine;Start Time;End Time\r\nJ1; 2;M3;4;9\r\n',
    ],
    [
      'CSV with more columns',
      '# a comment\n\nid\tend\tstart\tmachine\tstep\tjob\n7\t9\t4\t3\t2\t"Job 1"\n',
    ],
    ['CSV with durations', 'job,op,machine,start,duration\n1,2,3,4,5'],
  ])('%s', (_, content) => {
    expect(parse(content)).toEqual({ plan: { entries: [parsed] } });
  });
});

test('jobs count from 0 in a file with a job 0, steps in a file with a step 0', () => {
  const read = (entries: object[]) =>
    parse(entries.map((changes) => ({ ...entry, ...changes }))).plan.entries.map(
      ({ job, step }) => [job, step],
    );
  expect(read([{ job: 'Job1' }, { job: 'Job0' }])).toEqual([
    [1, 1],
    [0, 1],
  ]);
  expect(read([{ step: 0 }, { step: 2 }])).toEqual([
    [0, 0],
    [0, 2],
  ]);
  expect(read([{ job: 0, step: 0 }])).toEqual([[0, 0]]);
  expect(read([{ job: 2, step: 1 }])).toEqual([[1, 0]]);
});

describe('a stray 0', () => {
  const shop = instanceFromJobs('shop', [
    [
      [0, 3],
      [1, 2],
      [2, 1],
    ],
    [
      [1, 4],
      [0, 1],
      [2, 1],
    ],
  ]);
  const entries = planFromSchedule(createSchedule(shop, Int32Array.of(0, 4, 6, 0, 4, 7))).entries;
  const write = (first: number, changes: object) =>
    entries.map((one, i) => ({
      ...one,
      job: one.job + first,
      step: one.step + first,
      ...(i === 1 ? changes : {}),
    }));
  const read = (document: unknown) =>
    parsePlan(Buffer.from(JSON.stringify(document)), 'f', shop).plan.entries;

  test.each([{ job: 0 }, { step: 0 }, { job: 'Job0' }])(
    'in a file that counts from 1 is one wrong entry: %j',
    (changes) => {
      const key = 'job' in changes ? 'job' : 'step';
      const expected = entries.with(1, { ...entries[1], [key]: -1 });
      expect(read(write(1, changes))).toEqual(expected);
      const own = { schema: 'alas-jssp/plan@1', entries: write(1, changes) };
      expect(parse(own).plan.entries).toEqual(expected);
    },
  );

  test.each([{}, { job: 2 }, { step: 3 }, { job: 9, step: 9 }])(
    'is none in a file that counts from 0, whatever else is wrong: %j',
    (changes) => {
      expect(read(write(0, changes))).toEqual(entries.with(1, { ...entries[1], ...changes }));
    },
  );
});

test('a file with our schema counts from 1, even if it begins at 0', () => {
  const { plan } = parse({ schema: 'alas-jssp/plan@1', entries: [{ ...entry, job: 0, step: 0 }] });
  expect(plan.entries).toEqual([{ ...parsed, job: -1, step: -1 }]);
});

test('claims that make no sense are kept for the validator to judge', () => {
  const odd = { job: -5, step: 1e9, machine: 2.5, start: -3, end: 1e300 };
  expect(parse([odd]).plan.entries).toEqual([{ ...odd, job: -6, step: 1e9 - 1 }]);
});

describe('a bad plan gets one line with place, problem and hint', () => {
  test.each<[string, unknown, string]>([
    ['null', [{ ...entry, start: null }], 'f:$[0].start: this is null; give a start as a number'],
    [
      'a word',
      { entries: [entry, { ...entry, job: 'Monday' }] },
      'f:$.entries[1].job: this is "Monday"; give a job as a number or like "Job1"',
    ],
    [
      'a machine for a job',
      [{ ...entry, job: 'M1' }],
      'f:$[0].job: this is "M1"; give a job as a number or like "Job1"',
    ],
    [
      'a missing key',
      { schedule: [{ ...entry, machine: undefined }] },
      'f:$.schedule[0].machine: this is missing; give a machine as a number or like "Machine0"',
    ],
    [
      'neither end nor duration',
      [{ ...entry, end: undefined }],
      'f:$[0].end: this is missing; give an end or a duration as a number',
    ],
    [
      'a bad duration',
      [{ ...entry, end: undefined, duration: [] }],
      'f:$[0].duration: this is an empty list; give a duration as a number',
    ],
    [
      'more than a number holds',
      '[{"job":1,"step":1,"machine":0,"start":1e999,"end":1}]',
      'f:$[0].start: this is Infinity; give a start as a number',
    ],
    [
      'an entry that is none',
      [entry, 7],
      'f:$[1]: this is 7; give an object with job, step, machine, start, end',
    ],
    ['no entries', { plan: [] }, 'f:$.entries: this is missing; give a list of entries'],
    [
      'entries that are no list',
      { entries: {} },
      'f:$.entries: this is an object; give a list of entries',
    ],
    [
      'an instance',
      { schema: 'alas-jssp/instance@1' },
      'f:$.schema: this is "alas-jssp/instance@1"; give a plan, "alas-jssp/plan@1"',
    ],
    [
      'a makespan in words',
      { makespan: 'short', entries: [] },
      'f:$.makespan: this is "short"; give a number or leave it out',
    ],
    [
      'an instance of numbers',
      { instance: 5, entries: [] },
      'f:$.instance: this is 5; give the name of the instance in quotes',
    ],
    ['JSON that is cut off', '[{"job":1,\n', 'f:2: the JSON ends too early; add what is missing'],
    ['an empty file', '', 'f: the file is empty; give a file with content'],
    [
      'a blank file',
      '\n \n',
      'f: there is no header; begin with a line job,step,machine,start,end',
    ],
    [
      'a CSV without a header',
      '1,1,0,0,5\n',
      'f:1: there is no column job; begin with a line job,step,machine,start,end',
    ],
    [
      'a CSV without ends',
      '\njob,step,machine,start\n',
      'f:2: there is no column end; begin with a line job,step,machine,start,end',
    ],
    [
      'a CSV cell with a word',
      'job,step,machine,start,end\n1,1,0,0,5\n\n1,1,0,0,late\n',
      'f:4: the end is "late"; give an end or a duration as a number',
    ],
    [
      'a CSV cell with nothing',
      'job,step,machine,start,end\n1,1,,0,5\n',
      'f:2: the machine is missing; give a machine as a number or like "Machine0"',
    ],
    [
      'a CSV row that is short',
      'job,step,machine,start,end\n1,1,0,0\n',
      'f:2: the end is missing; give an end or a duration as a number',
    ],
    [
      'a CSV row that is quoted badly',
      'job,step,machine,start,end\n1,1,0,0,5"\n',
      'f:2: a quotation mark is out of place; pair or remove it',
    ],
    [
      'a CSV row that never ends',
      'job,'.repeat(9999),
      'f:1: the row has more than 10000 characters; give one entry a line',
    ],
  ])('%s', (_, content, message) => {
    expect(messageOf(() => parse(content))).toBe(message);
  });
});

test('a plan is read from a file, plain or packed, whatever its name', () => {
  const json = join(folder, 'plan.csv');
  const csv = join(folder, 'plan.json');
  writeFileSync(json, writePlanJson(schedule));
  writeFileSync(csv, gzipSync(writePlanCsv(schedule)));
  expect(readPlan(json).instance).toBe('tiny');
  expect(readPlan(csv).plan.entries).toEqual(readPlan(json).plan.entries);
  expect(() => readPlan(join(folder, 'none.json'))).toThrow(
    'there is no such file; check the path',
  );
});

test('a schedule of a shop with names survives JSON and CSV, which have them', () => {
  fc.assert(
    fc.property(arbitraryNamed(anyInstance), (instance) => {
      const named = createSchedule(
        instance,
        Int32Array.from(instance.duration, (_, op) => 7 * op),
      );
      const plan = planFromSchedule(named);
      expect(parsePlan(writePlanJson(named), 'f', instance).plan).toEqual(plan);
      expect(parsePlan(writePlanJson(plan, { shop: instance }), 'f', instance).plan).toEqual(plan);
      const { entries } = parsePlan(writePlanCsv(named), 'f', instance).plan;
      expect(entries).toEqual(plan.entries);
    }),
  );
});

describe('a plan for a shop with names', () => {
  const shop = nameAll(schedule.instance);
  const named = createSchedule(shop, schedule.start);

  test('is written with them', () => {
    expect(writePlanCsv(named)).toBe(
      'job,step,operation,machine,start,end\nWO-4711,1,turning a,Lathe A,0,29\nWO-4711,2,turning b,Lathe B,29,29\n',
    );
    expect(writePlanJson(named)).toContain(
      '\n{"job":"WO-4711","step":1,"operation":"turning a","machine":"Lathe A","start":0,"end":29},\n',
    );
  });

  test('may name steps and machines any way', () => {
    const text =
      'job,step,machine,start,end\nWO-4712,turning a,Machine1,0,7\nJob1,2,1,9,9\n1,1,Lathe A,9,9\n';
    expect(parsePlan(text, 'f', shop).plan.entries).toMatchObject([
      { job: 1, step: 0, machine: 1 },
      { job: 0, step: 1, machine: 1 },
      { job: 0, step: 0, machine: 0 },
    ]);
  });

  test('is refused for an unknown name', () => {
    expect(() => parsePlan('job,step,machine,start,end\nWO-4799,1,0,0,7\n', 'f.csv', shop)).toThrow(
      'f.csv:2: there is no job "WO-4799"; did you mean WO-4711, WO-4712?',
    );
    const entries = [{ job: 'WO-4711', step: 1, machine: 'Lathe', start: 0, end: 1 }];
    expect(() => parsePlan(JSON.stringify({ entries }), 'f.json', shop)).toThrow(
      'f.json:$.entries[0].machine: there is no machine "Lathe"; did you mean Lathe A, Lathe B?',
    );
  });
});
