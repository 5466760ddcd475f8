import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { instanceChecksum } from '../../../src/jssp/checksum.js';
import { parseInstance, readInstance } from '../../../src/jssp/formats/read-instance.js';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { boundsFor, findBenchmark } from '../../../src/jssp/suites.js';

/** Two jobs on three machines; the first comes back to the machine it began on. */
const SHOP = {
  instance_id: 'small_shop',
  num_jobs: 2,
  num_machines: 3,
  total_operations: 4,
  processing_times: [
    [
      { operation: 1, machine: 2, processing_time: 5 },
      { operation: 2, machine: 1, processing_time: 0 },
      { operation: 3, machine: 2, processing_time: 7 },
    ],
    [{ operation: 1, machine: 3, processing_time: 4 }],
  ],
  description: 'keys that say nothing of the shop are passed over',
};

const parse = (document: object, file?: string) =>
  parseInstance(JSON.stringify(document), file === undefined ? {} : { file });

/** A file around the text of an instance. */
const around = (raw_content: string, source_file?: string, instance_id = 'mine_disrupted') => ({
  instance_id,
  base_instance: { source_file, jobs: [], machines: [], processing_times: [], raw_content },
  disruptions: [],
});

function refusal(document: object): string {
  try {
    parse(document, 'f.json');
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was wrong';
}

/** The first lines of a benchmark, as the files of Taillard or all others have them. */
function beginning(name: string, layout: 'taillard' | 'standard', jobs: number): string {
  const instance = findBenchmark(name)?.load();
  if (instance === undefined) throw new Error(name);
  const { machines: m, machine, duration } = instance;
  const row = (job: number, cell: (op: number) => string) =>
    Array.from({ length: m }, (_, step) => cell(job * m + step)).join(' ');
  const rows = (cell: (op: number) => string) =>
    Array.from({ length: jobs }, (_, job) => ` ${row(job, cell)} \n`).join('');
  return layout === 'standard'
    ? `${instance.jobs} ${m}\n${rows((op) => `${machine[op]}  ${duration[op]}`)}`
    : `Nb of jobs, Nb of Machines, Time seed, Machine seed, Upper bound, Lower bound\n  ${instance.jobs} ${m} 1 2 3 4\nTimes\n${rows((op) => `${duration[op]}`)}`;
}

describe('a shop of REALM-Bench', () => {
  it('has machines from 1, jobs of any length, and machines that are visited again', () => {
    const shop = instanceFromJobs(
      'small_shop',
      [
        [
          [1, 5],
          [0, 0],
          [1, 7],
        ],
        [[2, 4]],
      ],
      3,
    );
    expect(parse(SHOP)).toEqual(shop);
    expect(parse(SHOP, 'other/renamed.json').name).toBe('renamed');
    const { num_jobs: _, num_machines: __, total_operations: ___, ...bare } = SHOP;
    expect(parse(bare)).toEqual(shop);
  });

  it.each([
    ['num_jobs', { num_jobs: 3 }, '$.num_jobs: this is 3, and there are 2 jobs'],
    ['total_operations', { total_operations: 5 }, '$.total_operations: this is 5, and there'],
    ['num_machines', { num_machines: 2 }, '$.processing_times[1][0].machine: this is machine 3'],
    [
      'a machine',
      { processing_times: [[{ machine: 0, processing_time: 1 }]] },
      '[0][0].machine: this is 0; give a machine as a whole number from 1',
    ],
    [
      'a time',
      { processing_times: [[{ machine: 1, processing_time: -1 }]] },
      '[0][0].processing_time: this is -1',
    ],
    [
      'a fraction',
      { processing_times: [[{ machine: 1, processing_time: 1.5 }]] },
      '[0][0].processing_time: this is 1.5',
    ],
    [
      'a missing time',
      { processing_times: [[{ machine: 1 }]] },
      '[0][0].processing_time: this is missing',
    ],
    [
      'an order',
      { processing_times: [[{ operation: 2, machine: 1, processing_time: 1 }]] },
      '[0][0].operation: this is operation 2, and operation 1 is due',
    ],
    [
      'a job',
      { processing_times: ['x'] },
      '$.processing_times[0]: this is "x"; give a list of operations',
    ],
    [
      'no jobs',
      { processing_times: [] },
      '$.processing_times: this is an empty list; give at least one job',
    ],
    [
      'jobs that are none',
      { processing_times: {} },
      '$.processing_times: this is an object; give a list of jobs',
    ],
  ])('with wrong %s is refused with its path', (_, change, message) => {
    const line = refusal({ ...SHOP, num_jobs: undefined, total_operations: undefined, ...change });
    expect(line).toContain('f.json:$.');
    expect(line).toContain(message);
    expect(line).not.toContain('\n');
  });
});

describe('the beginning of a benchmark', () => {
  it.each([
    ['ta51', 'taillard', 'J1/TA/TA51.txt'],
    ['abz9', 'standard', 'J1/abzswvyn/abz09.txt'],
    ['yn3', 'standard', undefined],
    ['dmu48', 'standard', 'J1/DMU/cscmax_20_20_3.txt'],
  ] as const)('%s is that benchmark, with its bounds', (name, layout, file) => {
    const instance = parse(around(beginning(name, layout, 7), file));
    expect(instance.name).toBe('mine_disrupted');
    expect(instanceChecksum(instance)).toBe(findBenchmark(name)?.sha256);
    expect(boundsFor(instance)).toBe(findBenchmark(name)?.bounds);
  });

  it('may be the header alone where the file says which one it is', () => {
    expect(instanceChecksum(parse(around('15 15\n', 'TA01.txt')))).toBe(
      findBenchmark('ta01')?.sha256,
    );
    expect(instanceChecksum(parse(around('15 15\n', undefined, 'TA02_disrupted')))).toBe(
      findBenchmark('ta02')?.sha256,
    );
    expect(refusal(around('15 15\n'))).toContain(
      'it has 0 of 450 numbers, and is the beginning of 15 benchmarks',
    );
  });

  it.each([
    ['other numbers', beginning('abz9', 'standard', 3).replace(' 14 ', ' 99 '), 'abz09.txt'],
    ['another size', beginning('abz9', 'standard', 3).replace('20 15', '20 16'), 'abz09.txt'],
    ['no benchmark', beginning('abz9', 'standard', 3).replace(' 14 ', ' 99 '), 'shop.txt'],
    ['words', `${beginning('abz9', 'standard', 3)} and so on`, 'abz09.txt'],
    ['nothing', '', 'abz09.txt'],
  ])('with %s is refused', (_, text, file) => {
    const line = refusal(around(text, file));
    expect(line).toContain('f.json:$.base_instance.raw_content: ');
    expect(line).not.toContain('\n');
  });
});

describe('the whole text of an instance', () => {
  it.each([
    ['standard', '2 2\n0 3 1 4\n1 5 0 6\n'],
    ['taillard', 'jobs machines\n2 2 77 88\nTimes\n3 4\n5 6\nMachines\n1 2\n2 1\n'],
  ])('of its own is read in the %s format', (_, text) => {
    expect(parse(around(text, 'J1/mine.txt'))).toEqual(
      instanceFromJobs('mine_disrupted', [
        [
          [0, 3],
          [1, 4],
        ],
        [
          [1, 5],
          [0, 6],
        ],
      ]),
    );
  });

  it('must be that of the benchmark which the file names', () => {
    const text = beginning('ft06', 'standard', 6);
    expect(instanceChecksum(parse(around(text, 'ft06.txt')))).toBe(findBenchmark('ft06')?.sha256);
    const changed = text.replace('2  1 ', '2  2 ');
    expect(refusal(around(changed, 'ft06.txt'))).toContain(
      'line 2 differs from ft06: 2 stands where 1 should be',
    );
    expect(boundsFor(parse(around(changed, 'my-own.txt')))).toBeNull();
  });

  it('is refused where a machine is out of range, with its line', () => {
    expect(refusal(around('2 2\n0 3 1 4\n1 5 2 6\n'))).toContain(
      'raw_content: line 3: job 2 has machine 2, which is out of range',
    );
  });
});

const samples = new URL('../../../../shared/realm/', import.meta.url).pathname;

describe.skipIf(!existsSync(samples))('the samples of REALM-Bench', () => {
  const filesOf = (folder: string) =>
    readdirSync(join(samples, folder)).map((file) => join(samples, folder, file));

  test('J2 are benchmarks, every one', () => {
    const files = filesOf('J2');
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => boundsFor(readInstance(file)) === null)).toEqual([]);
  });

  test.each(['J3', 'J4'])('%s have the operations that they say', (folder) => {
    for (const file of filesOf(folder)) {
      const { num_jobs, num_machines, total_operations } = JSON.parse(readFileSync(file, 'utf8'));
      const { jobs, machines, operations } = readInstance(file);
      expect([jobs, machines, operations]).toEqual([num_jobs, num_machines, total_operations]);
    }
  });
});
