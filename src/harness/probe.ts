import { InputError } from '../core/errors.js';
import { isForeignPlanner } from '../pipeline/planners.js';
import { lossReason, startThreads } from './pool.js';
import type { TaskLimits } from './task-limits.js';
import { watchTask } from './watch.js';
import type { probePlanner, Refusal } from './worker.js';

/**
 * Loads every planner that comes from a module of the user's once, in a thread that is thrown
 * away, so that one that cannot be loaded is refused before anything is run.
 *
 * @throws InputError `bad_module`
 */
export async function probePlanners(
  planners: readonly string[],
  limits: TaskLimits,
  signal: AbortSignal | undefined,
): Promise<void> {
  const foreign = planners.filter(isForeignPlanner);
  if (foreign.length === 0) return;
  const thread = startThreads(1, limits);
  const name = 'probePlanner' satisfies (typeof probePlanner)['name'];
  try {
    for (const planner of foreign) {
      const watch = watchTask(limits.seconds, signal);
      const refusal: Refusal | null = await thread
        .run(planner, { name, signal: watch.signal })
        .catch((error: unknown) => lostThread(planner, watch.reason() ?? lossReason(error)))
        .finally(watch.end);
      if (signal?.aborted) return;
      if (refusal === null) continue;
      const { code, problem, cure, location } = refusal;
      throw new InputError(code, problem, cure, location, planner);
    }
  } finally {
    await thread.destroy();
  }
}

function lostThread(planner: string, reason: string): Refusal {
  return {
    code: 'bad_module',
    problem: `${planner} cannot be loaded: ${reason}`,
    cure: 'let the module only define its planner, and do the work when that is called',
    location: {},
  };
}
