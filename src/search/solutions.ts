import { AlasError } from '@alas-jssp/core/errors';
import type { Instance } from '../jssp/instance.js';
import type { Schedule } from '../jssp/schedule.js';
import { isClassic } from '../jssp/shop-parts.js';
import { orderByStart, type ShopList } from '../jssp/shop-timing/lists.js';
import { orderByTime } from './evolution/solution.js';

/**
 * The length of the solutions of a search, in which they travel between threads: in a classic shop an order of all
 * operations (N), otherwise the order and then the mode of each operation (2N).
 */
export function solutionLength(instance: Instance): number {
  return isClassic(instance) ? instance.operations : 2 * instance.operations;
}

/** The list of a solution of a shop that is not classic. */
export function listOfSolution(solution: Int32Array): ShopList {
  const operations = solution.length / 2;
  return { order: solution.subarray(0, operations), modes: solution.subarray(operations) };
}

/** The solution of a list. */
export function solutionOfList({ order, modes }: ShopList): Int32Array {
  const solution = new Int32Array(2 * order.length);
  solution.set(order);
  solution.set(modes, order.length);
  return solution;
}

/**
 * The solution of a schedule to start from, which is timed again: its machine orders and modes. Operations of a job keep
 * their order in any case.
 *
 * @throws AlasError `incomplete_start` if it is not complete, or of another instance
 */
export function solutionOfStart(instance: Instance, schedule: Schedule): Int32Array {
  const { start } = schedule;
  if (
    !(start instanceof Int32Array) ||
    start.length !== instance.operations ||
    start.includes(-1)
  ) {
    throw incompleteStart(instance);
  }
  if (isClassic(instance)) return orderOf(instance, start);
  return solutionOfList({
    order: orderByStart(instance, start),
    modes: modesOfStart(instance, schedule),
  });
}

/** The modes of a schedule; of the instance where operations are frozen. */
function modesOfStart(instance: Instance, { mode }: Schedule): Int32Array {
  const { operations, modes, frozen } = instance;
  return Int32Array.from({ length: operations }, (_, op) => {
    if (modes === null) return op;
    if (mode === null || (frozen !== null && frozen[op] >= 0)) return modes.chosen[op];
    const isOne = modes.offset[op] <= mode[op] && mode[op] < modes.offset[op + 1];
    if (!isOne) throw incompleteStart(instance);
    return mode[op];
  });
}

/** The schedule's machine orders as an order of all operations; operations of a job keep their order in any case. */
function orderOf({ operations, jobOf }: Instance, start: Int32Array): Int32Array {
  const times = start.slice();
  for (let op = 1; op < operations; op++) {
    if (jobOf[op - 1] === jobOf[op]) times[op] = Math.max(times[op], times[op - 1]);
  }
  return orderByTime(times);
}

function incompleteStart({ name }: Instance): AlasError {
  return new AlasError(
    'incomplete_start',
    `a search of ${name} cannot start from an incomplete schedule, or one of another instance`,
  );
}
