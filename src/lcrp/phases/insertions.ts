import { completionTime, earliestStart } from '../../jssp/calendar.js';
import { type Instance, isFree } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';
import { orderByTime, sequencesOf } from '../../search/evolution/solution.js';
import type { RepairTask } from '../task.js';

/**
 * Parts of the way from where a job would be if it were alone in the shop to where compensation puts it,
 * at which new work is tried.
 */
const PARTS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/**
 * Orders to begin with where there is new work. Compensation lets it delay nobody, which is as a rule
 * too late, and from there it takes many moves to bring a job forward through all its queues. So each
 * result has the new operations at a part of the way from their earliest to their compensated starts,
 * and all others where they are.
 *
 * @param movable operations (ascending) that may get another place; what would pass any other is left out
 * @returns times (N each) by which the operations are to be ordered; none if there is no new work
 */
export function insertions(
  { instance, planned }: RepairTask,
  { start }: Schedule,
  movable: Int32Array,
): Float64Array[] {
  if (!planned.includes(-1)) return [];
  const before = queuesOf(instance, start);
  const inside = new Set(movable);
  const earliest = earliestStarts(instance, start, planned);
  return PARTS.map((part) =>
    Float64Array.from(start, (time, op) => earliest[op] + part * (time - earliest[op])),
  ).filter((times) =>
    queuesOf(instance, times).every((op, slot) => op === before[slot] || inside.has(op)),
  );
}

/** N entries: the starts, but of new operations the earliest once what precedes them in their job is done. */
function earliestStarts(instance: Instance, start: Int32Array, planned: Int32Array): Int32Array {
  const { jobOf, operations } = instance;
  const earliest = start.slice();
  for (let op = 0, ready = 0; op < operations; op++) {
    if (op === 0 || jobOf[op] !== jobOf[op - 1]) ready = 0;
    if (planned[op] < 0 && isFree(instance, op)) earliest[op] = earliestStart(instance, op, ready);
    ready = completionTime(instance, op, earliest[op]);
  }
  return earliest;
}

/** The queues of the machines by these times, without what takes no time. */
function queuesOf(instance: Instance, times: ArrayLike<number>): Int32Array {
  const { duration } = instance;
  return sequencesOf(instance, orderByTime(times)).filter((op) => duration[op] > 0);
}
