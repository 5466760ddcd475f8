import type { Instance } from '../../jssp/instance.js';
import { replaceInstance } from '../../jssp/instance.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { createSearch } from '../../search/create-search.js';
import { usualTuning } from '../../search/evolution/evolution.js';
import { scheduleIfAny } from '../../search/first-schedule.js';
import { createProblem } from '../../search/problem.js';
import { isFeasible } from '../../validator/judge.js';

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
