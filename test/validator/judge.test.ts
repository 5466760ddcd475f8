import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInstance, type Instance, instanceFromJobs } from '../../src/jssp/instance.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { countViolations, createJudge, isFeasible, validate } from '../../src/validator/index.js';
import { arbitraryCase, arbitraryStarts, uncheckedSchedule } from './arbitraries.js';
import { listSchedule } from './list-scheduler.js';

const arbitraryHearing = arbitraryCase.chain(({ instance, starts }) =>
  fc.record({
    instance: fc.constant(instance),
    schedules: fc.array(arbitraryStarts(instance, starts), { minLength: 1, maxLength: 8 }),
    counts: fc.boolean(),
  }),
);

/** What `validate` counts, but for bounds: the oracle vouches for it in another test. */
function trueCount(instance: Instance, starts: Int32Array): number {
  const { total, counts } = validate(instance, uncheckedSchedule(instance, starts));
  return total - counts.below_lower_bound;
}

/** Many operations on few machines, so that orders are long enough to be spread and sorted. */
function crowdedInstance(jobs: number, durations: readonly number[]): Instance {
  const steps = 3;
  return createInstance({
    name: 'crowded',
    machines: 2,
    jobOffset: Int32Array.from({ length: jobs + 1 }, (_, job) => job * steps),
    machine: Int32Array.from({ length: jobs * steps }, (_, op) => (op * 7 + (op >> 2)) % 2),
    duration: Int32Array.from({ length: jobs * steps }, (_, op) => durations[op % 5]),
  });
}

const arbitraryCrowd = fc
  .record({
    jobs: fc.integer({ min: 1, max: 60 }),
    durations: fc.array(fc.constantFrom(0, 1, 2, 30, 100_000), { minLength: 5, maxLength: 5 }),
  })
  .chain(({ jobs, durations }) => {
    const instance = crowdedInstance(jobs, durations);
    const turns = fc.shuffledSubarray(Array.from(instance.jobOf), {
      minLength: instance.operations,
    });
    const visit = fc.record({
      turns,
      moved: fc.nat(instance.operations - 1),
      by: fc.integer({ min: -40, max: 40 }),
    });
    return fc.record({
      instance: fc.constant(instance),
      visits: fc.array(visit, { maxLength: 6 }),
    });
  });

describe('createJudge', () => {
  it('gives the true verdict and count whatever it judged before', () => {
    fc.assert(
      fc.property(arbitraryHearing, ({ instance, schedules, counts }) => {
        const judge = createJudge(instance);
        for (const starts of schedules) {
          const expected = trueCount(instance, starts);
          if (counts) expect(judge.countViolations(starts)).toBe(expected);
          expect(judge.isFeasible(starts)).toBe(expected === 0);
          expect(isFeasible(instance, starts)).toBe(expected === 0);
          expect(countViolations(instance, starts)).toBe(expected);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('is not misled by its cache on machines with many operations', () => {
    fc.assert(
      fc.property(arbitraryCrowd, ({ instance, visits }) => {
        const judge = createJudge(instance);
        for (const { turns, moved, by } of visits) {
          const starts = listSchedule(instance, turns);
          expect(judge.isFeasible(starts)).toBe(true);
          const near = starts.slice();
          near[moved] = Math.max(0, near[moved] + by);
          expect(judge.isFeasible(near)).toBe(trueCount(instance, near) === 0);
          expect(judge.countViolations(near)).toBe(trueCount(instance, near));
          expect(judge.isFeasible(starts)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('sorts orders whose starts are all bunched up but for one', () => {
    const jobs = 300;
    const instance = instanceFromJobs(
      'bunched',
      Array.from({ length: jobs }, () => [[0, 1] as const]),
    );
    const backwards = Int32Array.from({ length: jobs }, (_, job) => jobs - job);
    backwards[0] = 2 ** 29;
    expect(createJudge(instance).isFeasible(backwards)).toBe(true);
    backwards[jobs - 1] = backwards[jobs - 2];
    expect(createJudge(instance).isFeasible(backwards)).toBe(false);
    expect(createJudge(instance).countViolations(backwards)).toBe(1);
  });

  it('counts the overlaps of a million operations at one time', () => {
    const size = 1000;
    const instance = createInstance({
      name: 'square',
      machines: size,
      jobOffset: Int32Array.from({ length: size + 1 }, (_, job) => job * size),
      machine: Int32Array.from({ length: size * size }, (_, op) => op % size),
      duration: new Int32Array(size * size).fill(1),
    });
    const overlaps = size * ((size * (size - 1)) / 2);
    const precedences = size * (size - 1);
    expect(countViolations(instance, new Int32Array(size * size))).toBe(overlaps + precedences);
    expect(isFeasible(instance, new Int32Array(size * size))).toBe(false);
  });

  it.each([
    ['a plain array', [0, 3, Number.NaN, 5]],
    ['a Float64Array', Float64Array.of(0, 3.5, 3, 7)],
    ['a Uint32Array', Uint32Array.of(0, 3, 3, 7)],
    ['missing', undefined],
    ['no array (null)', null],
  ])('refuses start times that are %s, as every other entry point does', (kind, wrong) => {
    const instance = instanceFromJobs('two', [
      [
        [0, 3],
        [1, 4],
      ],
      [
        [1, 3],
        [0, 4],
      ],
    ]);
    const starts = wrong as unknown as Int32Array;
    const refusal = `the start times are ${kind}; give an Int32Array`;
    expect(() => isFeasible(instance, starts)).toThrow(refusal);
    expect(() => countViolations(instance, starts)).toThrow(refusal);
    expect(() => createSchedule(instance, starts)).toThrow(refusal);
    const schedule = { instance, mode: null, start: starts, end: starts, makespan: 7 };
    expect(() => validate(instance, schedule)).toThrow();
  });

  it('refuses start times of another length', () => {
    const judge = createJudge(instanceFromJobs('one', [[[0, 1]]]));
    expect(() => judge.isFeasible(new Int32Array(2))).toThrow(/2 start times for 1 operations/);
    expect(() => judge.countViolations(new Int32Array(0))).toThrow(/0 start times/);
  });
});
