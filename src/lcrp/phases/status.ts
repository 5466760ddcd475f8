import {
  type AppliedEvents,
  type ApplyOptions,
  affectedOperations,
  applyEvents,
  carrySchedule,
  type EventInput,
} from '../../disruption/index.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import type { RepairTask, Times } from '../task.js';
import { shiftPlanned } from './compensate.js';

/** A schedule that is being followed, and what has just become known. */
export interface DisturbedShop {
  /** The schedule that the shop follows, of its instance in execution; it may miss deadlines. */
  readonly schedule: Schedule;
  readonly events: readonly EventInput[];
  readonly now: number;
}

/** The task of a repair, and the effect of the events. */
export interface Status {
  readonly task: RepairTask;
  /** Planned times, in the numbers of the task. */
  readonly before: Times;
  readonly applied: AppliedEvents;
}

/**
 * Phase 0: what has started by now, what the events changed, and which operations they hit directly. O(N).
 *
 * @throws InputError as `applyEvents` does
 */
export function updateStatus(
  { schedule, events, now }: DisturbedShop,
  options: ApplyOptions = {},
): Status {
  const applied = applyEvents(schedule, events, now, options);
  const before = carryTimes(schedule, applied);
  const affected = affectedOperations(schedule, applied);
  const task = { instance: applied.instance, planned: before.start, now, affected };
  return { task, before, applied };
}

/**
 * The status of a shop that nobody has repaired by `now`: until then the floor has gone on as well as it
 * could, in the order of the plan (local compensation), and what it has started is irreversible. O(N log N).
 *
 * @param now not before the time of the status
 */
export function goOnUntil({ task, before, applied }: Status, now: number): Status {
  const floor = createSchedule(task.instance, shiftPlanned(task));
  const { instance } = applyEvents(floor, [], now);
  return {
    task: { ...task, instance, now },
    before,
    applied: { ...applied, instance, now },
  };
}

/**
 * Planned times, in the numbers that operations have after events: completion times are those of
 * before the events, of durations and downtimes that may have changed since.
 */
function carryTimes(schedule: Schedule, applied: AppliedEvents): Times {
  const end = applied.oldOf.map((op) => (op < 0 ? -1 : schedule.end[op]));
  return { start: carrySchedule(schedule, applied), end };
}
