import {
  type AppliedEvents,
  type ApplyOptions,
  affectedOperations,
  applyEvents,
  type EventInput,
} from '../disruption/index.js';
import type { Schedule } from '../jssp/schedule.js';
import type { RepairTask } from './task.js';
import { carryTimes, type Times } from './times.js';

/** A schedule that is being followed, and what has just become known. */
export interface DisturbedShop {
  /** The schedule that the shop follows, of its instance in execution; it may miss deadlines. */
  readonly schedule: Schedule;
  readonly events: readonly EventInput[];
  readonly now: number;
}

/** The task of a repair, and what the events came to. */
export interface Status {
  readonly task: RepairTask;
  /** Planned times, in the numbers of the task. */
  readonly before: Times;
  readonly applied: AppliedEvents;
}

/**
 * Phase 0: what has started by now, what the events changed, and whom they hit directly. O(N).
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
