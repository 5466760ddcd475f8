import { completionTime, earliestStart } from '../../jssp/calendar.js';
import type { RepairTask } from '../task.js';

/**
 * All operations in the order of the plan: a topological order of the job orders, from which the
 * planned queue of every machine can be read. What has started comes first, then what is planned,
 * by planned start.
 *
 * - An operation that is lost keeps its place: its planned start is the one it had taken, so it is
 *   the first in the queue of its machine. (At the end, other operations that wait for its job
 *   could stand before it, and the orders form a cycle.)
 * - A new job comes after all that is planned, on every machine; several of them by the time at
 *   which an operation could start if its job were alone in the shop.
 * - An operation without a plan whose job goes on with planned ones comes right before those.
 *
 * Ties go by number, and no operation comes after one that follows it in its job, whatever the
 * planned starts are. O(N log N).
 */
export function plannedOrder(task: RepairTask): Int32Array {
  const { operations } = task.instance;
  const key = plannedKeys(task);
  const order = Int32Array.from({ length: operations }, (_, op) => op);
  return order.sort((a, b) => key[a] - key[b] || a - b);
}

/** N numbers that sort the operations as {@link plannedOrder}; they do not decrease along a job. */
export function plannedKeys({ instance, planned }: RepairTask): Float64Array {
  const { operations, jobOf, frozen } = instance;
  const key = new Float64Array(operations);
  for (let op = 0, ready = 0; op < operations; op++) {
    if (op === 0 || jobOf[op] !== jobOf[op - 1]) ready = 0;
    const isFree = frozen === null || frozen[op] < 0;
    const start = isFree ? earliestStart(instance, op, ready) : frozen[op];
    ready = completionTime(instance, op, start);
    key[op] = NEW + start;
  }
  for (let op = operations - 1; op >= 0; op--) {
    if (planned[op] >= 0) key[op] = planned[op];
    if (frozen !== null && frozen[op] >= 0) key[op] = STARTED + frozen[op];
    if (op + 1 < operations && jobOf[op + 1] === jobOf[op] && key[op + 1] < key[op]) {
      key[op] = key[op + 1];
    }
  }
  return key;
}

/** Times are less than 2^30: what has started comes before, what is new after all planned ones. */
const STARTED = -(2 ** 31);
const NEW = 2 ** 31;
