import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { cascade } from '../../lcrp/phases/cascade.js';
import { plannedOrder } from '../../lcrp/phases/planned-order.js';
import type { Status } from '../../lcrp/phases/status.js';
import type { RepairTask } from '../../lcrp/task.js';
import type { ShopMemory } from './shop-memory.js';
import type { ShopInstant } from './shop-values.js';

/** The schedule that restores an earlier version as far as possible. */
interface RevertedSchedule {
  readonly schedule: Schedule;
  /** The number of operations whose start differs from the restored version. */
  readonly kept: number;
}

/**
 * Reverts to an earlier version: every operation that has not started gets its start of that version, in the
 * order of that version. Started operations and the effects of events (downtimes, durations, arrived or cancelled
 * jobs) stay. If they block a start, or its time has passed, the operation starts as early as possible. Operations
 * that are new since that version keep their start. O(N log N).
 *
 * @param earlier the starts of that version in the numbers of the task, −1 for new operations
 */
export function revertTo({ task, before }: Status, earlier: Int32Array): RevertedSchedule {
  const { instance } = task;
  const planned = before.start.map((start, op) => (earlier[op] >= 0 ? earlier[op] : start));
  const wanted: RepairTask = { ...task, planned };
  const schedule = createSchedule(instance, cascade(instance, plannedOrder(wanted), planned));
  let kept = 0;
  earlier.forEach((start, op) => {
    if (start >= 0 && schedule.start[op] !== start) kept++;
  });
  return { schedule, kept };
}

/** The starts of the version to restore, in the current numbers of operations. */
export function earlierStartsOf(
  memory: ShopMemory,
  runId: string,
  instant: ShopInstant,
  { applied }: Status,
) {
  const { undo = 1, version } = instant;
  const { oldOf } = applied;
  const earlier = earlierStarts(memory, runId, undo, version);
  return oldOf.map((op) => (op < 0 ? -1 : earlier[op]));
}

/** The starts of an earlier version in the operation numbers of a later one; −1 for operations that are new since. */
export function earlierStarts(
  memory: ShopMemory,
  runId: string,
  earlier: number,
  later: number,
): Int32Array {
  let starts = memory.versionOf(runId, earlier).schedule.start;
  for (const { instant, settled } of memory.historyOf(runId).patchesTo(later)) {
    if (settled.version <= earlier) continue;
    const { oldOf } = memory.effectOf(runId, instant).applied;
    const before = starts;
    starts = oldOf.map((op) => (op < 0 ? -1 : before[op]));
  }
  return starts;
}
