import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Instance, instanceFromJobs, replaceInstance } from '../../src/jssp/instance.js';
import { type Objective, objectives, objectiveValue } from '../../src/jssp/objectives.js';
import { refuseInfeasible } from '../../src/search/bounds/infeasibility.js';
import { dispatch } from '../../src/search/construct/dispatch.js';
import { orderByTime } from '../../src/search/evolution/solution.js';
import { createProblem } from '../../src/search/problem.js';
import { isFeasible } from '../../src/validator/index.js';
import { arbitraryPinned } from './arbitrary-pinned.js';

const shape = { dueDates: true, weights: true, deadlines: true };

const shop = instanceFromJobs('shop', [
  [
    [0, 3],
    [1, 2],
  ],
  [[1, 4]],
  [],
]);

/** The problem; null if the instance can have no feasible schedule. */
function possibleProblem(given: Instance, objective: Objective) {
  try {
    refuseInfeasible(given);
    return createProblem(given, objective);
  } catch (error) {
    expect(error).toMatchObject({ code: 'no_feasible_schedule' });
    return null;
  }
}

describe.each(objectives)('a problem of minimal %s', (objective) => {
  it('has schedules of the instance that was given, whose value is finite just if they are feasible', () => {
    const seen = { finite: 0, infinite: 0 };
    fc.assert(
      fc.property(arbitraryPinned(shape), fc.nat(), ([given, starts], seed) => {
        const problem = possibleProblem(given, objective);
        if (problem === null) {
          expect(isFeasible(given, starts)).toBe(false);
          return;
        }
        const { start } = dispatch(problem.instance, { rule: 'random', seed });
        const schedule = problem.scheduleOf(orderByTime(start));
        const value = problem.valueOf(schedule);
        expect(schedule.instance).toBe(given);
        expect(value < Number.POSITIVE_INFINITY).toBe(isFeasible(given, schedule.start));
        if (value < Number.POSITIVE_INFINITY)
          expect(value).toBe(objectiveValue(schedule, objective));
        seen[value < Number.POSITIVE_INFINITY ? 'finite' : 'infinite']++;
      }),
      { numRuns: 500 },
    );
    expect(Math.min(seen.finite, seen.infinite)).toBeGreaterThan(5);
  });
});

describe('the watched operations of a problem', () => {
  const watchedIn = (changes: Parameters<typeof replaceInstance>[1], objective: Objective) => {
    const { op, due, weight } = createProblem(replaceInstance(shop, changes), objective).watched;
    return op.map((one, i) => [one, due[i], weight[i]]);
  };

  it('is nothing in a shop without limits whose makespan counts', () => {
    expect(watchedIn({ due: Int32Array.of(1, 2, 3) }, 'makespan')).toEqual([]);
  });

  it('is the end of jobs with a due date and a weight if tardiness counts, and with a deadline always', () => {
    const due = Int32Array.of(7, 0, 9);
    const tardiness = 'total-weighted-tardiness';
    expect(watchedIn({ due }, tardiness)).toEqual([
      [1, 7, 1],
      [2, 0, 1],
    ]);
    expect(watchedIn({ due, weight: Int32Array.of(5, 0, 1) }, tardiness)).toEqual([[1, 7, 5]]);
    const deadline = Int32Array.of(-1, 20, 0);
    expect(watchedIn({ due, deadline }, 'makespan')).toEqual([[2, 20, -1]]);
    expect(watchedIn({ due, deadline }, tardiness)).toEqual([
      [1, 7, 1],
      [2, 20, -1],
      [2, 0, 1],
    ]);
  });

  it('are the predecessors of a pinned operation in its job', () => {
    expect(watchedIn({ frozen: Int32Array.of(-1, 9, -1) }, 'makespan')).toEqual([[0, 9, -1]]);
    expect(watchedIn({ frozen: Int32Array.of(-1, -1, 9) }, 'makespan')).toEqual([]);
  });
});
