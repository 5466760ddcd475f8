import type { Instance } from '../jssp/instance.js';
import type { AppliedEvents } from './apply-events.js';
import { kindOf } from './kind-of.js';
import type { PlannedTimes } from './kinds/kind.js';

/** The part of {@link AppliedEvents} that is needed here. */
type Applied = Omit<AppliedEvents, 'oldOf' | 'skipped'>;

/**
 * The operations that events affect directly, from which a repair begins:
 *
 * - breakdown: operations running or planned on the machine within the downtime
 * - new duration, delay, alternative: the operation itself; arrival: all operations of the job
 * - capacity: operations planned within that time that need the resource
 * - restoration: operations that the downtime had interrupted, and the next planned one on the machine
 * - cancellation: the operation planned after each cancelled one on its machine
 * - every running operation that is lost
 *
 * The plan is the schedule in execution. Takes time in proportion to the operations of the machines concerned.
 *
 * @param schedule the same as for {@link applyEvents}
 * @returns operations in the numbers they have after the events, ascending
 */
export function affectedOperations(schedule: PlannedTimes, applied: Applied): Int32Array {
  const affected = new Set<number>(applied.lost);
  for (const operations of affectedByEach(schedule, applied)) {
    for (const op of operations) affected.add(op);
  }
  return Int32Array.from(affected).sort();
}

/** The operations that each of the applied events affects directly, as in {@link affectedOperations}. */
export function affectedByEach(schedule: PlannedTimes, applied: Applied): number[][] {
  const { newOf, events, arrived, instance } = applied;
  let arrivals = 0;
  return events.map((event) =>
    event.kind === 'arrival'
      ? operationsOfJob(instance, arrived[arrivals++].job)
      : kindOf(event)
          .concerned(schedule, applied, event)
          .map((op) => newOf[op])
          .filter((op) => op >= 0),
  );
}

function operationsOfJob({ jobOffset }: Instance, job: number): number[] {
  const first = jobOffset[job];
  return Array.from({ length: jobOffset[job + 1] - first }, (_, step) => first + step);
}
