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

/** The current schedule, and newly reported events. */
export interface DisturbedShop {
  /** The current schedule of the shop, of its instance in execution; it may miss deadlines. */
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
 * Phase 0: determines the operations started by now, the changes of the events, and the operations they hit directly.
 * O(N).
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
 * The status of a shop that was not repaired by `now`: until then the shop floor has continued as well as it could, in
 * the order of the plan (local compensation), and started operations are irreversible. O(N log N).
 *
 * @param now not before the time of the status
 */
export function advanceStatus({ task, before, applied }: Status, now: number): Status {
  const floor = createSchedule(task.instance, shiftPlanned(task));
  const { instance } = applyEvents(floor, [], now);
  return {
    task: { ...task, instance, now },
    before,
    applied: { ...applied, instance, now },
  };
}

/**
 * Planned times, in the numbers of operations after events: completion times are those before the events, since
 * durations and downtimes may have changed.
 */
function carryTimes(schedule: Schedule, applied: AppliedEvents): Times {
  const end = applied.oldOf.map((op) => (op < 0 ? -1 : schedule.end[op]));
  return { start: carrySchedule(schedule, applied), end };
}
