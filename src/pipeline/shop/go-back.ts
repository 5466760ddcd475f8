import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { cascade } from '../../lcrp/phases/cascade.js';
import { plannedOrder } from '../../lcrp/phases/planned-order.js';
import type { Status } from '../../lcrp/phases/status.js';
import type { RepairTask } from '../../lcrp/task.js';
import type { ShopMemory } from './shop-memory.js';
import type { Happening } from './shop-values.js';

/** The schedule with which a shop goes back to an earlier version, as far as that can be. */
interface Undoing {
  readonly schedule: Schedule;
  /** Operations that start at another time than they did in the version gone back to. */
  readonly kept: number;
}

/**
 * Goes back to an earlier version: every operation that has not started is to start when that version
 * had it start, in its order. What has started stays, and so does what the world has done since
 * (downtimes, durations, jobs that came or went); where that is in the way, or the time has passed,
 * an operation starts as soon as it can. Operations that the earlier version did not know keep the
 * start that they have. O(N log N).
 *
 * @param earlier its starts in the numbers of the task, −1 for operations that it did not know
 */
export function goBackTo({ task, before }: Status, earlier: Int32Array): Undoing {
  const { instance } = task;
  const wanted = before.start.map((start, op) => (earlier[op] >= 0 ? earlier[op] : start));
  const wish: RepairTask = { ...task, planned: wanted };
  const schedule = createSchedule(instance, cascade(instance, plannedOrder(wish), wanted));
  let kept = 0;
  earlier.forEach((start, op) => {
    if (start >= 0 && schedule.start[op] !== start) kept++;
  });
  return { schedule, kept };
}

/** The starts of the version that is gone back to, in the numbers that operations have now. */
export function earlierStartsOf(
  memory: ShopMemory,
  runId: string,
  happened: Happening,
  { applied }: Status,
) {
  const { undo = 1, version } = happened;
  const { oldOf } = applied;
  const earlier = memory.earlierStarts(runId, undo, version);
  return oldOf.map((op) => (op < 0 ? -1 : earlier[op]));
}
