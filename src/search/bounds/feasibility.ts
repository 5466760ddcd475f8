import { AlasError } from '../../core/errors.js';
import { horizonOf } from '../../jssp/bounds.js';
import type { Schedule } from '../../jssp/schedule.js';
import { orderByTime } from '../evolution/solution.js';
import type { Problem } from '../problem.js';
import { createBranching, type TrialResult } from './branching.js';
import { createPropagation } from './propagation.js';

/** The answer to whether any schedule keeps all deadlines and pinned starts. */
export interface Feasibility {
  /** `refuted` means that there is none, which is proven; `possible`, that `schedule` is one. */
  readonly verdict: TrialResult;
  readonly schedule: Schedule | null;
}

/**
 * Looks for a schedule that keeps all limits of a problem, and proves that there is none where that
 * is so, by branching over the orders of operations: each node propagates deadlines and pinned starts
 * and tries the schedule in the order of its heads. Calendars count where all orders are settled, since
 * the schedule that starts everything as early as it can is then the best for every limit.
 *
 * @param nodes nodes of branching at most
 * @param isOver asked often; true, for good, ends the work
 * @param orders pairs of operations of a machine, the first of which must precede the second
 */
export function decideFeasibility(
  problem: Problem,
  nodes: number,
  isOver: () => boolean,
  orders: readonly (readonly [number, number])[] = [],
): Feasibility {
  const { given } = problem;
  const known = createPropagation(given, isOver, given.deadline);
  let schedule: Schedule | null = null;
  const accepts = (): boolean => {
    const timed = timeInOrder(problem, known.head);
    if (timed === null || problem.valueOf(timed) === Number.POSITIVE_INFINITY) return false;
    // Timing lets operations jump behind pinned ones.
    const { start, end } = timed;
    if (orders.some(([op, other]) => end[op] > start[other])) return false;
    schedule = timed;
    return true;
  };
  const horizon = horizonOf(given);
  const isPossible =
    known.reset(horizon) && orders.every(([op, other]) => known.precede(op, other));
  if (!isPossible) return { verdict: 'refuted', schedule: null };
  const branching = createBranching(given, known, isOver, accepts);
  const verdict = branching.search(horizon, nodes);
  return { verdict, schedule };
}

/** The schedule in the order of some times (N); null if what was frozen cannot start in time by that order. */
function timeInOrder(problem: Problem, times: Int32Array): Schedule | null {
  try {
    return problem.scheduleOf(orderByTime(times));
  } catch (error) {
    if (error instanceof AlasError && error.code === 'frozen_unreachable') return null;
    throw error;
  }
}
