import { completionTime, earliestStart } from '../../jssp/calendar.js';
import type { Instance } from '../../jssp/instance.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { refuseUnlessPlain } from '../../jssp/shop-parts.js';
import { orderByTime } from '../../search/evolution/solution.js';
import type { RepairTask } from '../task.js';
import { cascade } from './cascade.js';
import { plannedKeys } from './planned-order.js';
import { remember } from './remember.js';

/**
 * Phase 1, local compensation: the least right-shift. The result is the componentwise least schedule with the planned
 * machine orders in which no free operation starts before its planned time: slack absorbs delays, and nothing else
 * moves. Downtimes, releases and frozen starts are respected.
 *
 * - Started operations come first on their machine, then free ones in the planned order. A lost operation keeps its
 *   place: it is the first free one.
 * - Unplanned operations are inserted afterwards, see {@link insertUnplanned}.
 *
 * It exists and is unique: both `earliestStart` and `completionTime` never decrease when their argument grows, so one
 * sweep in a topological order finds the least fixpoint. O(N log N).
 */
export function compensate(task: RepairTask): Schedule {
  const { instance } = task;
  refuseUnlessPlain(instance, 'the right shift by queues');
  const start = shiftPlanned(task);
  insertUnplanned(task, start, createSchedule(instance, start).end.slice());
  return createSchedule(instance, start);
}

/** The starts of {@link compensate} for planned operations; −1 for unplanned ones and those after them. O(N log N). */
export function shiftPlanned(task: RepairTask): Int32Array {
  const times = plannedTimes(task);
  const order = orderByTime(times.map((time) => (time < 0 ? LAST : time)));
  const known = order.subarray(0, times.filter((time) => time >= 0).length);
  return cascade(task.instance, startedFirst(task.instance, known), task.planned);
}

/** The same order with started operations before free ones: an overdue free one has the key of the last started ones. */
function startedFirst({ frozen }: Instance, order: Int32Array): Int32Array {
  if (frozen === null) return order;
  const sorted = new Int32Array(order.length);
  let place = 0;
  for (const op of order) if (frozen[op] >= 0) sorted[place++] = op;
  for (const op of order) if (frozen[op] < 0) sorted[place++] = op;
  return sorted;
}

/** Later than every planned time. */
const LAST = 2 ** 30;

/**
 * Times that order the queues as planned: a frozen or planned start, not before the predecessors in the job. Lost
 * operations come right before those planned for the current time, since the latter may have had no duration in the
 * plan but have one now. −1 for unplanned operations and those after them.
 */
export const plannedTimes = remember(({ instance, planned, now }: RepairTask): Int32Array => {
  const { operations, frozen } = instance;
  const times = new Int32Array(operations).fill(-1);
  for (let op = 0; op < operations; op++) {
    if (frozen !== null && frozen[op] >= 0) times[op] = frozen[op];
    else if (planned[op] >= 0) {
      const ready = latestBefore(instance, times, op);
      if (ready >= 0) times[op] = Math.max(planned[op], now - 1, ready);
    }
  }
  return times;
});

/** The latest time of the predecessors of an operation in its job: 0 without any, −1 if one has none. */
function latestBefore(
  { precedence, jobOf }: Instance,
  times: ArrayLike<number>,
  op: number,
): number {
  if (precedence === null) return op > 0 && jobOf[op - 1] === jobOf[op] ? times[op - 1] : 0;
  const { offset, pred } = precedence;
  let latest = 0;
  for (let edge = offset[op]; edge < offset[op + 1]; edge++) {
    if (times[pred[edge]] < 0) return -1;
    latest = Math.max(latest, times[pred[edge]]);
  }
  return latest;
}

/**
 * Gives starts to operations that have none (−1): each takes the first gap in the queue of its machine in which it
 * delays no other operation, after its predecessor in the job; after the last operation there always is a gap. So an
 * arriving job delays no other; whether it should is decided by reordering.
 *
 * They are inserted in the order of `plannedOrder`, which puts them last, so none of them starts later than in that
 * order.
 *
 * @param start N starts, which are completed, with the completion times in `end`
 */
export function insertUnplanned(task: RepairTask, start: Int32Array, end: Int32Array): void {
  const { instance } = task;
  const { jobOf, machine, duration } = instance;
  const queues = new Map<number, number[]>();
  for (const op of unplanned(task, start)) {
    const ready = op > 0 && jobOf[op - 1] === jobOf[op] ? end[op - 1] : 0;
    if (duration[op] === 0) {
      start[op] = earliestStart(instance, op, ready);
      end[op] = start[op];
      continue;
    }
    const queue = queues.get(machine[op]) ?? queueOf(instance, machine[op], start);
    queues.set(machine[op], queue);
    insert(instance, op, ready, queue, start, end);
  }
}

/** The operations without a start, in their order. */
function unplanned(task: RepairTask, start: Int32Array): number[] {
  if (!start.includes(-1)) return [];
  const key = plannedKeys(task);
  return Array.from(start.keys())
    .filter((op) => start[op] < 0)
    .sort((a, b) => key[a] - key[b] || a - b);
}

/** The operations that have a start and occupy a machine, in their order. */
function queueOf(instance: Instance, k: number, start: Int32Array): number[] {
  const { machineOffset, machineOperations, duration } = instance;
  return Array.from(machineOperations.subarray(machineOffset[k], machineOffset[k + 1]))
    .filter((op) => start[op] >= 0 && duration[op] > 0)
    .sort((a, b) => start[a] - start[b]);
}

function insert(
  instance: Instance,
  op: number,
  ready: number,
  queue: number[],
  start: Int32Array,
  end: Int32Array,
): void {
  let free = ready;
  for (let place = 0; ; place++) {
    start[op] = earliestStart(instance, op, free);
    end[op] = completionTime(instance, op, start[op]);
    if (place === queue.length || end[op] <= start[queue[place]]) {
      queue.splice(place, 0, op);
      return;
    }
    free = Math.max(free, end[queue[place]]);
  }
}
