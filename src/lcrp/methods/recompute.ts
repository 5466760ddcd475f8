import { AlasError } from '../../core/errors.js';
import type { Schedule } from '../../jssp/schedule.js';
import { optimize } from '../../search/optimize.js';
import type { RepairPolicy } from '../policy.js';
import type { RepairContext, RepairMethod, RepairTask } from '../task.js';
import { delayAffected } from './affected.js';

/** Iterations of the search if the policy says nothing. */
const DEFAULT_ITERATIONS = 100_000;

/**
 * Recomputation: a search over everything that has not started, for the objective of the policy and
 * as many iterations as its fallback has, from the schedule that `affected` makes; never worse than
 * that. What the policy says of costs and limits is not heeded. Its evaluations are iterations of
 * the search. Feasible; deadlines are met if the search finds a way.
 */
export const recompute: RepairMethod = {
  name: 'recompute',
  repair: async (task, policy, context) => {
    const compensated = delayAffected(task);
    const { schedule, evaluations } = await searchFrom(compensated, task, policy, context);
    const phase = schedule === compensated ? 'compensation' : 'recompute';
    return { schedule, phase, neighbourhood: null, evaluations, compensated };
  },
};

async function searchFrom(
  start: Schedule,
  { instance }: RepairTask,
  { objective, fallback }: RepairPolicy,
  { seed, signal }: RepairContext,
): Promise<{ readonly schedule: Schedule; readonly evaluations: number }> {
  const iterations = fallback?.iterations ?? DEFAULT_ITERATIONS;
  try {
    const stop = () => false;
    const found = await optimize(instance, { start, objective, iterations, seed, signal, stop });
    return { schedule: found.schedule, evaluations: found.stats.iterations };
  } catch (error) {
    // Not even the search meets all deadlines: then as little as possible is changed.
    const isHopeless = error instanceof AlasError && error.code === 'no_feasible_schedule';
    if (!isHopeless) throw error;
    return { schedule: start, evaluations: iterations };
  }
}
