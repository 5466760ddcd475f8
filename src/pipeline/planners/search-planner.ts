import { parseBudget } from '@alas-jssp/core/stopping';
import type { Planner } from '../../jssp/planner.js';

/**
 * The search as a planner, in one thread: it starts with a dispatching rule, and delivers schedules and bounds as it
 * finds them.
 *
 * @param text the budget, such as `10s` or `20k-iterations`
 * @throws InputError `bad_budget` if the text is not a budget
 */
export function createSearchPlanner(text: string): Planner {
  const name = text.trim().toLowerCase();
  const budget = parseBudget(name);
  return {
    name: `search:${name}`,
    async plan(instance, { seed, objective, signal, onPlan, onLowerBound }) {
      // Loaded on demand, because it is large and most runs do not use it.
      const { optimize } = await import('../../search/optimize.js');
      const { schedule } = await optimize(instance, {
        budget,
        objective,
        seed,
        signal,
        provesBeside: false,
        onImprovement: (improvement) => onPlan?.(improvement.schedule()),
        onProgress: ({ lowerBound }) => onLowerBound?.(lowerBound.value),
      });
      return schedule;
    },
  };
}
