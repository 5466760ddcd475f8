import { parseBudget } from '../../core/stopping.js';
import type { Planner } from '../../jssp/planner.js';

/**
 * The search as a planner of its own, in one thread: it begins with a dispatching rule, and hands over what it
 * finds and proves on the way.
 *
 * @param text the budget, such as `10s` or `20k-iterations`
 * @throws InputError `bad_budget` if it is none
 */
export function createSearchPlanner(text: string): Planner {
  const name = text.trim().toLowerCase();
  const budget = parseBudget(name);
  return {
    name: `search:${name}`,
    async plan(instance, { seed, objective, signal, onPlan, onLowerBound }) {
      // Heavy, and most runs have no use for it.
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
