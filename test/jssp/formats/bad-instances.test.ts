import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { writeInstanceJson } from '../../../src/jssp/formats/instance-json.js';
import { parseInstance, readInstance } from '../../../src/jssp/formats/read-instance.js';
import { writeStandard } from '../../../src/jssp/formats/standard.js';
import { instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { messageOf } from './refusal.js';

const folder = mkdtempSync(join(tmpdir(), 'formats-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The message that bytes are refused with; fails unless it is an InputError. */
function refusal(content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return messageOf(() => parseInstance(bytes, { file: 'f', name: 'f' }));
}

const PAIRS = 'give each job 2 pairs of machine and duration, on a line of its own';
const SIZE = 'begin with the numbers of jobs and machines';

test('a table of orders is sent to the command that reads it', () => {
  const of = (file: string, text: string) =>
    messageOf(() => parseInstance(text, { file, name: 'f' }));
  expect(of('orders.csv', 'order,step\nA,1\n')).toBe(
    'orders.csv: this is a table, not an instance; ' +
      'alas-jssp import makes an instance of tables of orders (docs/how-to/shop-data.md)',
  );
  // Numbers in a file of that name are an instance, and keep the place of what is wrong.
  expect(parseInstance('1 1\n0 5\n', { file: 'a.csv', name: 'f' }).jobs).toBe(1);
  expect(of('a.csv', '1 1\n0 x\n')).toMatch(/^a\.csv:2: "x" is not a whole number/);
});

describe('a bad text file gets one line with place, problem and hint', () => {
  test.each<[string, string | Uint8Array, string]>([
    ['empty', '', 'f: the file is empty; give a file with content'],
    ['blank', ' \n\n', `f: there are only comments and blank lines; ${SIZE}`],
    ['only comments', '# a\n# b', `f: there are only comments and blank lines; ${SIZE}`],
    ['a NUL byte', '1 1\n0 \0 5\n', 'f:2: there is a NUL byte; give a plain text file in UTF-8'],
    [
      'a NUL byte in a comment',
      '# \0\n1 1\n0 5\n',
      'f:1: there is a NUL byte; give a plain text file in UTF-8',
    ],
    [
      'not UTF-8',
      Buffer.from([0x31, 0x20, 0x31, 10, 0xe9, 10]),
      'f:2: this line is not UTF-8; save the file as UTF-8',
    ],
    [
      'not UTF-8 in a comment',
      Buffer.from('# caf\xe9\n1 1\n0 5\n', 'latin1'),
      'f:1: this line is not UTF-8; save the file as UTF-8',
    ],
    [
      'not UTF-8 far down',
      Buffer.from(`${'#\n'.repeat(700_000)}\xff`, 'latin1'),
      'f:700001: this line is not UTF-8; save the file as UTF-8',
    ],
    ['half a header', '3\n', `f:1: the file ends before the number of machines; ${SIZE}`],
    ['no jobs', '0 3\n', 'f:1: the number of jobs is 0; use 1 to 16777216'],
    [
      'too many machines',
      '1 99999999\n',
      'f:1: the number of machines is 99999999; use 1 to 16777216',
    ],
    [
      'too many operations',
      '99999 99999\n',
      'f:1: 99999 jobs on 99999 machines make 9999800001 operations; give at most 16777216 operations',
    ],
    [
      'a long header',
      '1 1 0 5\n',
      'f:1: the first line holds more than the numbers of jobs and machines; begin each job on a line of its own',
    ],
    [
      'a title that is no comment',
      'My shop\n1 1\n0 5\n',
      'f:1: "My" is not a whole number; use whole numbers, and # in front of comments',
    ],
    [
      'a word',
      '1 1\n0 five\n',
      'f:2: "five" is not a whole number; use whole numbers, and # in front of comments',
    ],
    [
      'a comma',
      '1 1\n0,5\n',
      'f:2: "0,5" is not a whole number; use whole numbers, and # in front of comments',
    ],
    [
      'a fraction',
      '1 1\n0 3.5\n',
      'f:2: "3.5" is not a whole number; use whole numbers, in a finer time unit if need be',
    ],
    [
      'an exponent',
      '1 1\n0 1e3\n',
      'f:2: "1e3" is not a whole number; use whole numbers, in a finer time unit if need be',
    ],
    [
      'a huge number',
      '1 1\n0 99999999999999999999\n',
      'f:2: 99999999999999999999 is too large a number; use at most 1073741823',
    ],
    [
      'a large number',
      '1 1\n0 1073741824\n',
      'f:2: 1073741824 is too large a number; use at most 1073741823',
    ],
    [
      'too much work',
      '1 2\n0 1073741823 1 1\n',
      'f: all work, releases and downtimes add up to 1073741824; use a coarser time unit: at most 1073741823 fits',
    ],
    ['a negative duration', '2 1\n0 5\n0 -5\n', 'f:3: job 2 has duration -5; use 0 or more'],
    [
      'a machine too high',
      '1 2\n1 5 2 5\n',
      'f:2: job 1 has machine 2, which is out of range; use 0 to 1: this format counts machines from 0',
    ],
    [
      'a negative machine',
      '1 2\n-2 5 0 5\n',
      'f:2: job 1 has machine -2, which is out of range; use 0 to 1: this format counts machines from 0',
    ],
    [
      'a short job',
      '# a\n3 2\n0 1 1 1\n0 1 1\n0 1 1 1\n',
      `f:4: job 2 has 3 of 4 numbers; ${PAIRS}`,
    ],
    ['a short first job', '2 2\n0 1\n0 1 1 1\n', `f:2: job 1 has 2 of 4 numbers; ${PAIRS}`],
    ['a short last job', '2 2\n0 1 1 1\n0 1 1\n', `f:3: job 2 has 3 of 4 numbers; ${PAIRS}`],
    ['a long job', '2 2\n0 1 1 1 0\n0 1 1 1\n', `f:2: job 1 has more than 4 numbers; ${PAIRS}`],
    [
      'a long wrapped job',
      '2 2\n0 1\n1 1 0\n0 1 1 1\n',
      `f:3: job 1 has more than 4 numbers; ${PAIRS}`,
    ],
    [
      'a word behind a job',
      '2 2\n0 1 1 1 x\n0 1 1 1\n',
      'f:2: "x" is not a whole number; use whole numbers, and # in front of comments',
    ],
    ['a missing job', '3 2\n0 1 1 1\n0 1 1 1\n', `f:3: the jobs end after 2 of 3; ${PAIRS}`],
    ['no job at all', '3 2\n', `f:1: the jobs end after 0 of 3; ${PAIRS}`],
    [
      'an extra job',
      '1 2\n0 1 1 1\n0 1 1 1\n',
      'f:3: "0" after job 1, the last; remove it, or correct the number of jobs',
    ],
    [
      'trailing junk',
      '1 1\n0 5\n\nthe end\n',
      'f:4: "the" after job 1, the last; remove it, or correct the number of jobs',
    ],
  ])('standard: %s', (_, content, message) => {
    expect(refusal(content)).toBe(message);
  });

  test.each([
    [
      'a short row',
      '2 2\nTimes\n1 2\n3\nMachines\n1 2\n1 2\n',
      'f:4: job 2 has 1 of 2 numbers; give each of 2 jobs 2 durations under Times, on a line of its own',
    ],
    [
      'a missing row',
      '2 2\nTimes\n1 2\nMachines\n1 2\n1 2\n',
      'f:4: the jobs end after 1 of 2; give each of 2 jobs 2 durations under Times, on a line of its own',
    ],
    [
      'a long row',
      '2 2\nTimes\n1 2 3\n3 4\nMachines\n1 2\n1 2\n',
      'f:3: job 1 has more than 2 numbers; give each of 2 jobs 2 durations under Times, on a line of its own',
    ],
    [
      'machines from 0',
      '1 2\nTimes\n1 2\nMachines\n0 1\n',
      'f:5: job 1 has machine 0, which is out of range; use 1 to 2: this format counts machines from 1',
    ],
    [
      'no Machines',
      '1 2\nTimes\n1 2\n',
      'f:3: the file ends where Machines should be; put the word Machines on a line in front of its block',
    ],
    [
      'another word',
      '1 2\nTimes\n1 2\nMaschinen\n1 2\n',
      'f:4: "Maschinen" stands where Machines should be; put the word Machines on a line in front of its block',
    ],
    [
      'no Times',
      '1 2\nMachines\n1 2\n',
      'f:2: "Machines" stands where Times should be; put the word Times on a line in front of its block',
    ],
    [
      'no size',
      'Times\n1 2\nMachines\n1 2\n',
      `f:1: Times comes before the numbers of jobs and machines; ${SIZE}`,
    ],
    [
      'a negative duration',
      '1 1\nTimes\n-2\nMachines\n1\n',
      'f:3: job 1 has duration -2; use 0 or more',
    ],
    [
      'a second instance',
      '1 1\nTimes\n2\nMachines\n1\n1 1\nTimes\n',
      'f:6: "1" after the Machines block; remove it; one file holds one instance',
    ],
  ])('Taillard: %s', (_, content, message) => {
    expect(refusal(content)).toBe(message);
  });

  test.each([
    [
      'no end',
      '2 2\n0 1 -1 -1\n0 1 1 2\n',
      'f:3: the file ends before the -1 -1 of job 2 of 2; end each job with -1 -1, and correct the number of jobs if it is wrong',
    ],
    [
      'half an end',
      '2 2\n0 1 -1 5\n0 1 -1 -1\n',
      'f:2: job 1 has -1 followed by 5; end the job with -1 -1',
    ],
    ['half a pair', '1 2\n0 1 1 -1 -1\n', 'f:2: job 1 has duration -1; use 0 or more'],
    [
      'a machine too high',
      '1 2\n0 1 2 1 -1 -1\n',
      'f:2: job 1 has machine 2, which is out of range; use 0 to 1: this format counts machines from 0',
    ],
    [
      'an extra job',
      '1 2\n0 1 -1 -1\n0 1 -1 -1\n',
      'f:3: "0" after job 1, the last; remove it, or correct the number of jobs',
    ],
    [
      'a fraction',
      '1 2\n0 1.5 -1 -1\n',
      'f:2: "1.5" is not a whole number; use whole numbers, in a finer time unit if need be',
    ],
  ])('Da Col and Teppan: %s', (_, content, message) => {
    expect(refusal(content)).toBe(message);
  });
});

describe('a bad JSON file gets one line with JSON path, problem and hint', () => {
  const valid = () => ({
    schema: 'alas-jssp/instance@1',
    machines: 2,
    jobs: [
      {
        operations: [
          { machine: 0, duration: 3 },
          { machine: 1, duration: 4 },
        ],
      },
    ],
  });
  const time = 'give a whole number from 0 to 1073741823';
  const resumable = true;

  test.each<[string, (document: ReturnType<typeof valid>) => unknown, string]>([
    [
      'a list',
      () => [1],
      'f:$: this is a list; give an object with the keys schema, name, machines, jobs and, if need be, time_scale, downtimes, shifts_until',
    ],
    [
      'no schema',
      ({ schema, ...rest }) => rest,
      'f:$.schema: this is missing; give "alas-jssp/instance@1", or "alas-jssp/instance@2", and use that format',
    ],
    [
      'a plan',
      (d) => ({ ...d, schema: 'alas-jssp/plan@1' }),
      'f:$.schema: this is "alas-jssp/plan@1"; give "alas-jssp/instance@1", or "alas-jssp/instance@2", and use that format',
    ],
    [
      'an unknown key',
      (d) => ({ ...d, job: [] }),
      'f:$: the key "job" is unknown; give an object with the keys schema, name, machines, jobs and, if need be, time_scale, downtimes, shifts_until',
    ],
    [
      'no machines',
      (d) => ({ ...d, machines: 0 }),
      'f:$.machines: this is 0; give a whole number from 1 to 16777216',
    ],
    [
      'no jobs',
      (d) => ({ ...d, jobs: [] }),
      'f:$.jobs: this is an empty list; give at least one job',
    ],
    [
      'a job that is null',
      (d) => ({ ...d, jobs: [...d.jobs, null] }),
      'f:$.jobs[1]: this is null; give an object with the key operations and, if need be, name, release, due, weight, deadline, details',
    ],
    [
      'a negative duration',
      (d) => set(d, { duration: -3 }),
      `f:$.jobs[0].operations[1].duration: this is -3; ${time}`,
    ],
    [
      'a fraction',
      (d) => set(d, { duration: 2.5 }),
      `f:$.jobs[0].operations[1].duration: this is 2.5; ${time}`,
    ],
    [
      'a huge number',
      (d) => set(d, { duration: 1e20 }),
      `f:$.jobs[0].operations[1].duration: this is 100000000000000000000; ${time}`,
    ],
    [
      'a word',
      (d) => set(d, { duration: 'two' }),
      `f:$.jobs[0].operations[1].duration: this is "two"; ${time}`,
    ],
    [
      'a negative release',
      (d) => set(d, { release: -1 }),
      `f:$.jobs[0].operations[1].release: this is -1; ${time}`,
    ],
    ...[-1, 0.5, 2 ** 23 + 1, 'high'].map((weight): [string, typeof weigh, string] => [
      `a weight of ${weight}`,
      (d) => weigh(d, weight),
      `f:$.jobs[0].weight: this is ${JSON.stringify(weight)}; give a whole number from 0 to 8388608`,
    ]),
    [
      'too much weight',
      (d) => weigh({ ...d, jobs: [...d.jobs, structuredClone(d.jobs[0])] }, 2 ** 23),
      'f:$: the weights of all jobs add up to 8388609; use smaller ones: at most 8388608 in all',
    ],
    [
      'a misspelt key',
      (d) => set(d, { duraton: 1, duration: undefined }),
      'f:$.jobs[0].operations[1]: the key "duraton" is unknown; give an object with the keys machine, duration and, if need be, name, release, frozen',
    ],
    [
      'a machine too high',
      (d) => set(d, { machine: 2 }),
      'f:$.jobs[0].operations[1].machine: this is machine 2, which is out of range; use 0 to 1',
    ],
    [
      'too much work',
      (d) => set(d, { duration: 2 ** 30 - 1 }),
      'f:$: all work, releases and downtimes add up to 1073741826; use a coarser time unit: at most 1073741823 fits',
    ],
    [
      'an empty downtime',
      (d) => ({ ...d, downtimes: [{ machine: 0, from: 4, to: 4, resumable }] }),
      'f:$.downtimes[0]: the downtime from 4 to 4 is empty; let it end after it begins',
    ],
    [
      'overlapping downtimes',
      (d) => ({
        ...d,
        downtimes: [
          { machine: 1, from: 3, to: 6, resumable },
          { machine: 1, from: 1, to: 4, resumable },
        ],
      }),
      'f:$.downtimes[0]: the downtime from 3 overlaps $.downtimes[1]; join them or set them apart',
    ],
    [
      'a downtime of no machine',
      (d) => ({ ...d, downtimes: [{ machine: 2, from: 3, to: 6, resumable }] }),
      'f:$.downtimes[0].machine: this is machine 2, which is out of range; use 0 to 1',
    ],
    [
      'a downtime that does not say',
      (d) => ({ ...d, downtimes: [{ machine: 1, from: 3, to: 6 }] }),
      'f:$.downtimes[0].resumable: this is missing; give true or false',
    ],
  ])('%s', (_, spoil, message) => {
    expect(refusal(JSON.stringify(spoil(valid())))).toBe(message);
  });

  test.each([
    ['a trailing comma', '{\n"machines": 2,\n}', 'f:3: "}" is not JSON here; correct it'],
    ['a cut', '{\n"machines": 2', 'f:2: the JSON ends too early; add what is missing'],
    ['NaN', '{\n\n"machines": NaN}', 'f:3: "NaN}" is not JSON here; correct it'],
    ['a second document', '{}\n{}', 'f:2: "{}" is not JSON here; correct it'],
    ['an open string', '{"name": "a\n}', 'f:1: "\\"a" is not JSON here; correct it'],
    ['endless brackets', '['.repeat(1e6), 'f: the JSON is nested more than 100 deep; nest it less'],
  ])('%s', (_, content, message) => {
    expect(refusal(content)).toBe(message);
  });

  function weigh(document: ReturnType<typeof valid>, weight?: unknown): object {
    Object.assign(document.jobs[0], { weight });
    return document;
  }

  function set(document: ReturnType<typeof valid>, changes: object): object {
    Object.assign(document.jobs[0].operations[1], changes);
    return document;
  }
});

test('text that JSON.parse refuses is refused with a line, wherever it is cut or spoilt', () => {
  const text = JSON.stringify(
    { a: [1, -2.5e3, 'x\\"\u00e9', true, null, {}], b: { c: [] } },
    null,
    1,
  );
  fc.assert(
    fc.property(
      fc.nat(text.length - 1),
      fc.constantFrom('', ',', '}', ']', '"', 'x', ':', '0'),
      (at, bad) => {
        const spoilt =
          bad === '' ? text.slice(0, at) : text.slice(0, at) + bad + text.slice(at + 1);
        try {
          JSON.parse(spoilt);
        } catch {
          if (spoilt.trim() !== '')
            expect(refusalOfJson(spoilt)).toMatch(/^f:\d+: .*(not JSON|too early)/);
        }
      },
    ),
  );
  function refusalOfJson(spoilt: string): string {
    // The text before it makes it an instance for the detector.
    return refusal(`[${spoilt}`);
  }
});

describe('a bad file is distinguished from bad content', () => {
  const file = (name: string, content: Uint8Array) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const read = (path: string) => messageOf(() => readInstance(path));

  test('a file that is not there', () => {
    expect(read('no/such.txt')).toBe('no/such.txt: there is no such file; check the path');
  });

  test('a directory', () => {
    expect(read(folder)).toBe(`${folder}: this is a directory; name a file inside it`);
  });

  test('gzip that is cut off', () => {
    const path = file('cut.gz', gzipSync('1 1\n0 5\n').subarray(0, 15));
    expect(read(path)).toBe(
      `${path}: the gzip file is damaged or cut off (unexpected end of file); fetch or pack it again`,
    );
  });

  test('packed content is named by its own lines', () => {
    const path = file('bad.gz', gzipSync('1 1\n0 x\n'));
    expect(read(path)).toMatch(`${path}:2: "x" is not a whole number`);
  });

  test('200 MB of zeros, of either kind', () => {
    expect(refusal(Buffer.alloc(2e8, '0 '))).toBe(
      'f:1: the number of jobs is 0; use 1 to 16777216',
    );
    expect(refusal(Buffer.alloc(2e8))).toBe(
      'f:1: there is a NUL byte; give a plain text file in UTF-8',
    );
    const headed = Buffer.alloc(2e8, '0 ');
    headed.write('9 2\n');
    expect(refusal(headed)).toBe(`f:2: job 1 has more than 4 numbers; ${PAIRS}`);
  });
});

test('whatever the bytes are, they make an instance or an InputError', () => {
  const junk = fc.array(
    fc.constantFrom('1', '2', '0', '-1', '3.5', 'Times', 'Machines', '#', '\n', '{', '"', '\0'),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        junk.map((words) => words.join(' ')),
        fc.string(),
      ),
      (text) => {
        try {
          parseInstance(Buffer.from(text), { file: 'f', name: 'f' });
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
          expect((error as Error).message).toMatch(/^f[:.].+; .+$/);
        }
      },
    ),
    { numRuns: 1000 },
  );
});

test('the standard format refuses what it cannot hold and names JSON', () => {
  const cannot = 'which the standard format cannot hold; write it as JSON';
  const uneven = instanceFromJobs('x', [
    [
      [0, 1],
      [1, 1],
    ],
    [[0, 1]],
  ]);
  const even = instanceFromJobs('x', [[[0, 1]]]);
  expect(messageOf(() => writeStandard(uneven))).toBe(
    `job 2 of x has not as many operations as there are machines, ${cannot}`,
  );
  const released = replaceInstance(even, { release: Int32Array.of(3) });
  expect(messageOf(() => writeStandard(released))).toBe(`x has release times, ${cannot}`);
  expect(writeInstanceJson(released)).toContain('"release":3');
  const weighted = replaceInstance(even, { weight: Int32Array.of(3) });
  expect(messageOf(() => writeStandard(weighted))).toBe(`x has weights, ${cannot}`);
  expect(writeInstanceJson(weighted)).toContain('"weight":3');
});
