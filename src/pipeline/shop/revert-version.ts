import { isFree } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';
import { delayAffected } from '../../lcrp/baselines/affected.js';
import type { Status } from '../../lcrp/phases/status.js';
import { relativeMode, withRelativeModes } from './logged-modes.js';
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
export function revertTo({ task, before }: Status, earlier: EarlierPlan): RevertedSchedule {
  const { start: starts, mode } = earlier;
  const instance = withRelativeModes(task.instance, (op) =>
    isFree(task.instance, op) ? mode[op] : -1,
  );
  const planned = before.start.map((start, op) => (starts[op] >= 0 ? starts[op] : start));
  const schedule = delayAffected({ ...task, instance, planned });
  let kept = 0;
  const { modes } = schedule.instance;
  starts.forEach((start, op) => {
    const isElsewhere = modes !== null && modes.chosen[op] !== modes.offset[op] + mode[op];
    if (start >= 0 && (schedule.start[op] !== start || isElsewhere)) kept++;
  });
  return { schedule, kept };
}

/** Starts and modes of an earlier version, N entries each, −1 for operations that are new since. */
interface EarlierPlan {
  readonly start: Int32Array;
  /** Modes from 0 among those of the operation. */
  readonly mode: Int32Array;
}

/** The plan of the version to restore, in the current numbers of operations. */
export function earlierPlanOf(
  memory: ShopMemory,
  runId: string,
  instant: ShopInstant,
  { applied }: Status,
): EarlierPlan {
  const { undo = 1, version } = instant;
  const { oldOf } = applied;
  const { start, mode } = earlierPlan(memory, runId, undo, version);
  const renumber = (values: Int32Array) => oldOf.map((op) => (op < 0 ? -1 : values[op]));
  return { start: renumber(start), mode: renumber(mode) };
}

/** The plan of an earlier version in the operation numbers of a later one. */
export function earlierPlan(
  memory: ShopMemory,
  runId: string,
  earlier: number,
  later: number,
): EarlierPlan {
  const { instance, start } = memory.versionOf(runId, earlier).schedule;
  const mode = start.map((_, op) => relativeMode(instance, op));
  let numberOf = start.map((_, op) => op);
  for (const { instant, settled } of memory.historyOf(runId).patchesTo(later)) {
    if (settled.version <= earlier) continue;
    const { oldOf } = memory.effectOf(runId, instant).applied;
    const before = numberOf;
    numberOf = oldOf.map((op) => (op < 0 ? -1 : before[op]));
  }
  const valuesOf = (values: Int32Array) => numberOf.map((op) => (op < 0 ? -1 : values[op]));
  return { start: valuesOf(start), mode: valuesOf(mode) };
}
