import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseFlexible, writeFlexible } from '../../../src/jssp/formats/flexible.js';
import { parseInstance } from '../../../src/jssp/formats/read-instance.js';
import { createInstance, type Instance, replaceInstance } from '../../../src/jssp/instance.js';
import { messageOf } from './refusal.js';

const text = '2 2 1.5\n 2  2 1 5 2 4  1 1 3\n 1  1 2 7\n';
const parse = (content: string) =>
  parseFlexible(Buffer.from(content), { file: 'f.fjs', name: 'f' });

/** The modes of each operation as pairs of machine and duration, by job. */
function modesByJob({ jobs, jobOffset, modes, machine, duration }: Instance): number[][][][] {
  return Array.from({ length: jobs }, (_, job) =>
    Array.from({ length: jobOffset[job + 1] - jobOffset[job] }, (_, step) => {
      const op = jobOffset[job] + step;
      if (modes === null) return [[machine[op], duration[op]]];
      const pairs = [];
      for (let mode = modes.offset[op]; mode < modes.offset[op + 1]; mode++) {
        pairs.push([modes.machine[mode], modes.duration[mode]]);
      }
      return pairs;
    }),
  );
}

describe('a file of alternatives', () => {
  test.each(['f.fjs', 'f.txt'])(
    'is read as %s, with a mean in its first line or without',
    (file) => {
      for (const content of [text, text.replace(' 1.5', ''), `# mine\n${text}`]) {
        const instance = parseInstance(content, { file });
        expect(modesByJob(instance)).toEqual([
          [
            [
              [0, 5],
              [1, 4],
            ],
            [[0, 3]],
          ],
          [[[1, 7]]],
        ]);
        expect([...instance.machine]).toEqual([1, 0, 1]);
        expect([...instance.duration]).toEqual([4, 3, 7]);
      }
    },
  );

  it('is recognized by its name where its numbers are those of a classic instance', () => {
    const both = '2 2\n1 1 1 5\n1 1 1 7\n';
    expect(parseInstance(both, { file: 'f.txt' }).operations).toBe(4);
    const flexible = parseInstance(both, { file: 'f.fjs' });
    expect([flexible.operations, flexible.modes]).toEqual([2, null]);
  });

  it('is not what a faulty file in the standard format is', () => {
    const faulty = '2 2\n0 1 1 5 3\n1 1 0 7\n';
    expect(messageOf(() => parseInstance(faulty, { file: 'f' }))).toContain('more than 4 numbers');
  });

  it.each([
    ['2 2\n1 1 3 5\n1 1 1 7\n', 'f.fjs:2: job 1 has machine 3, which is out of range; use 1 to 2'],
    ['2 2\n1 1 0 5\n1 1 1 7\n', 'f.fjs:2: job 1 has machine 0, which is out of range; use 1 to 2'],
    ['2 2\n1 1 1 -5\n1 1 1 7\n', 'f.fjs:2: job 1 has duration -5; use 0 or more'],
    [
      '2 2\n1 0\n1 1 1 7\n',
      'f.fjs:2: operation 1 of 1 of job 1 has 0 alternatives; give 1 or more',
    ],
    [
      '2 2\n2 1 1 5\n1 1 1 7\n',
      'f.fjs:2: the line ends within operation 2 of 2 of job 1; give each',
    ],
    ['2 2\n1 1 1 5 9\n1 1 1 7\n', 'f.fjs:2: job 1 has more numbers than its 1 operations need'],
    ['2 2\n1 1 1 5\n', 'f.fjs:2: the jobs end after 1 of 2; give each job a line'],
    ['1 2\n1 1 1 5\n1 1 1 7\n', 'f.fjs:3: "1" after job 1, the last; remove it'],
    ['1 2\n1 1 1 5.5\n', 'f.fjs:2: "5.5" is not a whole number'],
    ['1 2 x\n1 1 1 5\n', 'f.fjs:1: "x" is not a whole number'],
    ['0 2\n', 'f.fjs:1: the number of jobs is 0'],
    ['', 'f.fjs: the file is empty'],
  ])('%j is refused with its line', (content, message) => {
    expect(messageOf(() => parse(content))).toContain(message);
  });
});

const job = fc.array(fc.array(fc.tuple(fc.nat(2), fc.nat(99)), { minLength: 1, maxLength: 4 }), {
  maxLength: 4,
});

describe('writing', () => {
  it('is the inverse of reading', () => {
    fc.assert(
      fc.property(fc.array(job, { minLength: 1, maxLength: 4 }), (jobs) => {
        const line = (operations: (typeof jobs)[number]) =>
          [
            operations.length,
            ...operations.flatMap((modes) => [
              modes.length,
              ...modes.flatMap(([k, d]) => [k + 1, d]),
            ]),
          ].join(' ');
        const instance = parse(`${jobs.length} 3\n${jobs.map(line).join('\n')}\n`);
        expect(modesByJob(instance)).toEqual(jobs);
        expect(parse(writeFlexible(instance))).toEqual(instance);
      }),
    );
  });

  it('refuses what the format cannot hold', () => {
    const instance = parse(text);
    const due = replaceInstance(instance, { due: Int32Array.of(9, -1) });
    expect(messageOf(() => writeFlexible(due))).toContain('f has due dates, which the .fjs format');
    const moved = createInstance({
      ...instance,
      transport: { time: Int32Array.of(0, 1, 1, 0) },
    });
    expect(messageOf(() => writeFlexible(moved))).toContain('has transport times');
  });
});
