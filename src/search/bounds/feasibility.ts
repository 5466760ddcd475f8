import { AlasError } from '@alas-jssp/core/errors';
import { horizonOf } from '../../jssp/bounds.js';
import type { Schedule } from '../../jssp/schedule.js';
import { isClassic } from '../../jssp/shop-parts.js';
import { orderByTime } from '../evolution/solution.js';
import type { Problem } from '../problem.js';
import { createBranching, type TrialResult } from './branching.js';
import { createPropagation } from './propagation.js';

/** Whether any schedule keeps all deadlines and pinned starts. */
export interface Feasibility {
  /** `refuted`: it is proven that there is none; `possible`: `schedule` is one. */
  readonly verdict: TrialResult;
  readonly schedule: Schedule | null;
}

/**
 * Searches for a schedule that keeps all limits of a problem, or proves that there is none, by branching over the
 * orders of operations: each node propagates deadlines and pinned starts and tries the schedule in the order of its
 * heads. Calendars are considered once all orders are settled, because the earliest schedule is then the best one for
 * every limit.
 *
 * @param nodes the limit of branching nodes
 * @param isOver polled often; once it returns true, which it must continue to do, the work ends
 * @param orders pairs of operations of a machine, the first of which must precede the second
 */
export function decideFeasibility(
  problem: Problem,
  nodes: number,
  isOver: () => boolean,
  orders: readonly (readonly [number, number])[] = [],
): Feasibility {
  const { given } = problem;
  // The propagation assumes one machine for each operation, and knows chains only.
  if (!isClassic(given)) return { verdict: 'undecided', schedule: null };
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

/**
 * The schedule that orders operations by these times (N); null if a frozen operation cannot start in time in that
 * order.
 */
function timeInOrder(problem: Problem, times: Int32Array): Schedule | null {
  try {
    return problem.scheduleOf(orderByTime(times));
  } catch (error) {
    if (error instanceof AlasError && error.code === 'frozen_unreachable') return null;
    throw error;
  }
}
