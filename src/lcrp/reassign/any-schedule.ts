import { AlasError } from '@alas-jssp/core/errors';
import { type Instance, replaceInstance } from '../../jssp/instance.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { dispatch } from '../../search/construct/dispatch.js';
import { createSearch } from '../../search/create-search.js';
import { usualTuning } from '../../search/evolution/evolution.js';
import { scheduleIfAny } from '../../search/first-schedule.js';
import { createProblem } from '../../search/problem.js';
import { isFeasible } from '../../validator/judge.js';

/** The schedule of the usual dispatching rule, if it is feasible apart from deadlines. */
export function dispatchIfAny(instance: Instance, seed: number): Schedule | null {
  try {
    const { start, instance: assigned } = dispatch(instance, { rule: 'mwkr', seed });
    const withoutDeadlines = replaceInstance(assigned, { deadline: null });
    return isFeasible(withoutDeadlines, start) ? createSchedule(assigned, start) : null;
  } catch (error) {
    if (error instanceof AlasError) return null;
    throw error;
  }
}

/** Iterations of the search, at most. */
const ITERATIONS = 20_000;
/** Parts of the search, at most: some make no iterations. */
const SLICES = 1000;

/** A schedule that is feasible apart from deadlines, found by a search of limited length; null if it finds none. */
export function searchForAny(instance: Instance, seed: number): Schedule | null {
  const open = replaceInstance(instance, { deadline: null });
  const problem = createProblem(open, 'makespan');
  const settings = { seed, tuning: usualTuning, iterations: ITERATIONS, leastTardiness: null };
  const search = createSearch(problem, settings, null);
  for (let slice = 0; slice < SLICES && search.iterations < ITERATIONS; slice++) {
    search.advance();
    const found = search.best === null ? null : scheduleIfAny(problem, search.best.order);
    if (found === null || !isFeasible(found.instance, found.start)) continue;
    const { deadline } = instance;
    return createSchedule(replaceInstance(found.instance, { deadline }), found.start);
  }
  return null;
}
