import { type AppliedEvents, carrySchedule } from '../disruption/apply-events.js';
import type { Schedule } from '../jssp/schedule.js';

/** Starts and completion times of operations, N entries each, −1 where there is none. */
export interface Times {
  readonly start: Int32Array;
  readonly end: Int32Array;
}

/**
 * What a schedule had planned, in the numbers that operations have after events: completion times
 * are those of before the events, of durations and downtimes that may have changed since.
 */
export function carryTimes(schedule: Schedule, applied: AppliedEvents): Times {
  const end = applied.oldOf.map((op) => (op < 0 ? -1 : schedule.end[op]));
  return { start: carrySchedule(schedule, applied), end };
}
