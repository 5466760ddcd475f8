import { affectedOperations } from '../disruption/affected.js';
import { type AppliedEvents, applyEvents } from '../disruption/apply-events.js';
import type { EventInput } from '../disruption/event.js';
import type { Schedule } from '../jssp/schedule.js';
import type { RepairTask } from './task.js';
import { carryTimes, type Times } from './times.js';

/** What events at a time leave to be repaired. */
export interface Disruption {
  readonly task: RepairTask;
  /** What was planned, in the numbers of the task. */
  readonly before: Times;
  readonly applied: AppliedEvents;
}

/**
 * Lets events happen to a schedule in execution: what has started is frozen, the rest is a task for
 * a repair method. Events that come too late are skipped, which `applied` lists.
 *
 * @param schedule what is being executed: feasible, but for deadlines that it may miss
 * @throws InputError as `applyEvents` does
 */
export function disrupt(
  schedule: Schedule,
  events: readonly EventInput[],
  now: number,
): Disruption {
  const applied = applyEvents(schedule, events, now, { tooLate: 'skip' });
  const before = carryTimes(schedule, applied);
  const affected = affectedOperations(schedule, applied);
  return {
    task: { instance: applied.instance, planned: before.start, now, affected },
    before,
    applied,
  };
}
