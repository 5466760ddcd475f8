import { createRandom } from '@alas-jssp/core/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateRandom } from '../../../src/jssp/generator.js';
import { type Instance, instanceFromJobs, MAX_TIME } from '../../../src/jssp/instance.js';
import { semiActive } from '../../../src/jssp/timing.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';
import { sequencesOf } from '../../../src/search/evolution/solution.js';
import {
  forwardBackward,
  randomStarts,
  seriesProgress,
} from '../../../src/search/evolution/starts.js';
import { validate } from '../../../src/validator/index.js';
import { arbitraryExecution } from '../arbitrary-execution.js';
import { earlierStarts, faults } from '../oracle.js';

/** Passes without delay if the progress is unknown. */
const PASSES = 8;

const startsOf = (instance: Instance, seed: number) => [
  ...randomStarts(instance, createRandom(seed)),
];
const scheduleOf = (instance: Instance, order: Int32Array) =>
  semiActive(instance, sequencesOf(instance, order));

describe('random starts', () => {
  it('are feasible, in execution as well, and of the instance with its own durations', () => {
    fc.assert(
      fc.property(arbitraryExecution({ downtimes: true }), fc.nat(), (instance, seed) => {
        for (const order of startsOf(instance, seed)) {
          expect(validate(instance, scheduleOf(instance, order)).violations).toEqual([]);
        }
      }),
    );
  });

  it('differ by seed, and are equal for equal seeds', () => {
    const instance = generateRandom({ jobs: 10, machines: 10, seed: 1 });
    expect(startsOf(instance, 1)).toEqual(startsOf(instance, 1));
    expect(startsOf(instance, 1)).not.toEqual(startsOf(instance, 2));
  });

  it('are a series on large instances, of which the best beats the rule it begins with', () => {
    const instance = generateRandom({ jobs: 101, machines: 40, seed: 1 });
    const makespans = startsOf(instance, 1).map((order) => scheduleOf(instance, order).makespan);
    expect(makespans.length).toBeGreaterThan(1);
    expect(Math.min(...makespans)).toBeLessThan(dispatch(instance, { rule: 'mwkr' }).makespan);
  });

  it('end shorter where patience grows than where there is none', () => {
    const instance = generateRandom({ jobs: 60, machines: 100, seed: 1 });
    const best = (patience?: (pass: number) => number) => {
      const orders = [...randomStarts(instance, createRandom(1), patience)];
      return Math.min(...orders.map((order) => scheduleOf(instance, order).makespan));
    };
    expect(best((pass) => pass / 16)).toBeLessThan(best());
  });

  it('never let machines wait that have far more to do than jobs', () => {
    const instance = generateRandom({ jobs: 201, machines: 20, seed: 1 });
    const one = [...randomStarts(instance, createRandom(1), (pass) => pass / PASSES)];
    expect(one.slice(0, -1)).toEqual([...randomStarts(instance, createRandom(1))]);
  });

  it('leave instances within the range of times that take nearly all of it', () => {
    const long = Math.floor(MAX_TIME / 4);
    const instance = instanceFromJobs(
      'long',
      Array.from({ length: 4 }, (_, job) => [[job % 2, long]] as const),
    );
    for (let seed = 0; seed < 10; seed++) expect(startsOf(instance, seed)).toHaveLength(1);
  });
});

describe('the progress of a series of starts', () => {
  it('grows from 0 to 1 over its part of the budget', () => {
    let spent = 0.5;
    const progress = seriesProgress(() => spent, 0.25);
    expect(progress(0)).toBe(0);
    spent = 0.625;
    expect(progress(1)).toBe(0.5);
    spent = 0.8;
    expect(progress(2)).toBeGreaterThanOrEqual(1);
  });

  it('grows with the number of passes if the budget is unknown or long', () => {
    const unknown = seriesProgress(() => 1, 0.25);
    expect(unknown(0)).toBe(0);
    expect(unknown(1000)).toBeGreaterThanOrEqual(1);
    const long = seriesProgress(() => 0, 0.25);
    expect(long(0)).toBe(0);
    expect(long(1000)).toBeGreaterThanOrEqual(1);
  });
});

describe('forward-backward improvement', () => {
  it('gives complete, feasible schedules without delay of instances in execution', () => {
    fc.assert(
      fc.property(arbitraryExecution({ downtimes: true }), fc.nat(), (instance, seed) => {
        let schedule = dispatch(instance, { rule: 'random', seed });
        for (let pass = 0; pass < 3; pass++) {
          schedule = forwardBackward(instance, schedule);
          expect(faults(instance, schedule.start)).toEqual([]);
          expect(earlierStarts(instance, schedule.start, 'now')).toEqual([]);
          expect(validate(instance, schedule).violations).toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('gives complete, feasible schedules where machines wait, too', () => {
    fc.assert(
      fc.property(
        arbitraryExecution({ downtimes: true }),
        fc.nat(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (instance, seed, patience) => {
          const schedule = dispatch(instance, { rule: 'random', seed });
          const { start } = forwardBackward(instance, schedule, patience);
          expect(faults(instance, start)).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([1, 2, 3])('takes some percent off what MWKR gives, instance %d', (seed) => {
    const instance = generateRandom({ jobs: 60, machines: 60, seed });
    const first = dispatch(instance, { rule: 'mwkr' });
    let schedule = first;
    const makespans = Array.from({ length: 8 }, () => {
      schedule = forwardBackward(instance, schedule);
      return schedule.makespan;
    });
    expect(Math.min(...makespans)).toBeLessThan(0.99 * first.makespan);
  });

  it('finds nothing to change in a schedule of one machine', () => {
    const instance = generateRandom({ jobs: 5, machines: 1, seed: 1 });
    const schedule = dispatch(instance, { rule: 'spt' });
    expect(forwardBackward(instance, schedule).start).toEqual(schedule.start);
  });
});
