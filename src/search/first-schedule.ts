import { AlasError } from '@alas-jssp/core/errors';
import type { Schedule } from '../jssp/schedule.js';
import { isClassic } from '../jssp/shop-parts.js';
import { decideFeasibility } from './bounds/feasibility.js';
import { pairsOf } from './bounds/strong-lower-bound.js';
import { dispatch } from './construct/dispatch.js';
import { orderByTime } from './evolution/solution.js';
import type { Problem } from './problem.js';

/**
 * The size up to which a dispatching rule takes milliseconds: its schedule is the result if the search is stopped
 * before it finds a better one.
 */
const MAX_DISPATCHED = 10_000;

/** A schedule, if there is one, and its value; Infinity without a schedule or if it violates a limit. */
export interface Valued {
  readonly schedule: Schedule | null;
  readonly value: number;
}

/** A schedule and its value. */
export function withValue(problem: Problem, schedule: Schedule | null): Valued {
  const value = schedule === null ? Number.POSITIVE_INFINITY : problem.valueOf(schedule);
  return { schedule, value };
}

/** An immediate schedule, except for large instances. */
export function firstSchedule({ given, instance, scheduleOf }: Problem): Schedule | null {
  if (given.operations > MAX_DISPATCHED) return null;
  if (!isClassic(given)) return ifReachable(() => dispatch(given, { rule: 'mwkr' }));
  return scheduleOf(orderByTime(dispatch(instance, { rule: 'mwkr' }).start));
}

/** The schedule of a solution; null if a shop that is not classic has none in that order. */
export function scheduleIfAny(problem: Problem, solution: Int32Array): Schedule | null {
  return isClassic(problem.given)
    ? problem.scheduleOf(solution)
    : ifReachable(() => problem.scheduleOf(solution));
}

function ifReachable(make: () => Schedule): Schedule | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof AlasError && UNREACHABLE.includes(error.code)) return null;
    throw error;
  }
}

const UNREACHABLE = ['frozen_unreachable', 'none_found'];

/** The limits of branching nodes for a first schedule within all limits, … */
const FIRST_NODES = 1000;
/** … and of pairs of operations on one machine, summed over all nodes, which takes about 50 ms. */
const FIRST_PAIRS = 400_000;

/**
 * A schedule that keeps all limits, found by branching; null if branching cannot decide whether one exists.
 *
 * @throws AlasError `no_feasible_schedule` if there is none
 */
export function firstFeasible(problem: Problem, isOver: () => boolean): Valued | null {
  const nodes = Math.min(FIRST_NODES, Math.floor(FIRST_PAIRS / pairsOf(problem.given)));
  if (nodes < 1) return null;
  const { verdict, schedule } = decideFeasibility(problem, nodes, isOver);
  if (verdict === 'refuted') {
    throw new AlasError(
      'no_feasible_schedule',
      `no schedule of ${problem.given.name} keeps every deadline and every pinned start: there is none`,
    );
  }
  return schedule === null ? null : withValue(problem, schedule);
}
