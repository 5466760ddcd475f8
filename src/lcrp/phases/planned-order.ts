import { completionTime, earliestStart } from '../../jssp/calendar.js';
import { eachPredecessor } from '../../jssp/shop-parts.js';
import type { RepairTask } from '../task.js';

/**
 * All operations in the order of the plan: a topological order of the job orders, which implies the planned queue of
 * every machine. Started operations come first, then planned ones by planned start.
 *
 * - A lost operation keeps its place: its planned start is the one it had taken, so it is the first in the queue of its
 *   machine. (At the end, other operations that wait for its job could precede it, and the orders form a cycle.)
 * - A new job comes after all planned operations, on every machine; several new jobs are ordered by the time at which
 *   an operation could start if its job were alone in the shop.
 * - An unplanned operation whose job continues with planned ones comes right before those.
 *
 * Ties go by number, and no operation comes after its successor in its job, whatever the planned starts are. O(N log
 * N).
 */
export function plannedOrder(task: RepairTask): Int32Array {
  const { operations } = task.instance;
  const key = plannedKeys(task);
  const order = Int32Array.from({ length: operations }, (_, op) => op);
  return order.sort((a, b) => key[a] - key[b] || a - b);
}

/** N numbers that sort the operations as {@link plannedOrder}; they do not decrease along a job. */
export function plannedKeys({ instance, planned }: RepairTask): Float64Array {
  const { operations, frozen } = instance;
  const key = new Float64Array(operations);
  const end = new Float64Array(operations);
  for (let op = 0; op < operations; op++) {
    let ready = 0;
    eachPredecessor(instance, op, (from) => {
      ready = Math.max(ready, end[from]);
    });
    const isFree = frozen === null || frozen[op] < 0;
    const start = isFree ? earliestStart(instance, op, ready) : frozen[op];
    end[op] = completionTime(instance, op, start);
    key[op] = NEW + start;
    if (planned[op] >= 0) key[op] = planned[op];
    if (!isFree) key[op] = STARTED + frozen[op];
  }
  for (let op = operations - 1; op >= 0; op--) {
    eachPredecessor(instance, op, (from) => {
      key[from] = Math.min(key[from], key[op]);
    });
  }
  return key;
}

/** Times are less than 2^30: started operations sort before all planned ones, new ones after. */
const STARTED = -(2 ** 31);
const NEW = 2 ** 31;
