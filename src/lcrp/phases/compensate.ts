import type { Instance } from '../../jssp/instance.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { orderByTime } from '../../search/evolution/solution.js';
import type { RepairTask } from '../task.js';
import { cascade } from './cascade.js';
import { insertUnplanned } from './insert-unplanned.js';

/**
 * Phase 1, local compensation: the least right-shift. The result is the componentwise least
 * schedule with the planned machine orders in which no free operation starts before its planned
 * time: slack absorbs what it can, and nothing else moves. Downtimes, releases and frozen starts
 * are respected.
 *
 * - What has started comes first on its machine, then what is free in the planned order. An
 *   operation that was lost keeps its place: it is the first that is free.
 * - Operations without a plan are inserted afterwards, see {@link insertUnplanned}.
 *
 * It exists and is unique: both `earliestStart` and `completionTime` never decrease when their
 * argument grows, so one pass in a topological order finds the least fixpoint. O(N log N).
 */
export function compensate(task: RepairTask): Schedule {
  const { instance, planned } = task;
  const times = plannedTimes(task);
  const order = orderByTime(times.map((time) => (time < 0 ? LAST : time)));
  const known = order.subarray(0, times.filter((time) => time >= 0).length);
  const start = cascade(instance, known, planned);
  insertUnplanned(task, start, createSchedule(instance, start).end.slice());
  return createSchedule(instance, start);
}

/** Later than every planned time. */
const LAST = 2 ** 30;

/**
 * Times that order the queues as planned: a frozen or planned start, not before what precedes it
 * in its job; what was lost comes right before what is planned for now, which may take time only since
 * now; −1 for what has no plan, or follows such.
 */
export function plannedTimes({ instance, planned, now }: RepairTask): Int32Array {
  const { operations, jobOf, frozen } = instance;
  const times = new Int32Array(operations).fill(-1);
  for (let op = 0; op < operations; op++) {
    const isFirst = op === 0 || jobOf[op - 1] !== jobOf[op];
    if (frozen !== null && frozen[op] >= 0) times[op] = frozen[op];
    else if (planned[op] >= 0 && (isFirst || times[op - 1] >= 0)) {
      times[op] = Math.max(planned[op], now - 1, isFirst ? 0 : times[op - 1]);
    }
  }
  return times;
}

/** Whether an operation may still be started at another time. */
export function isFree({ frozen }: Instance, op: number): boolean {
  return frozen === null || frozen[op] < 0;
}
