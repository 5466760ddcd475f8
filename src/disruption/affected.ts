import type { Instance } from '../jssp/instance.js';
import type { Schedule } from '../jssp/schedule.js';
import type { AppliedEvents } from './apply-events.js';
import type { Arrival, EffectiveEvent, Restored, TimedBreakdown } from './event.js';

/** The part of {@link AppliedEvents} that is needed here. */
type Applied = Omit<AppliedEvents, 'oldOf' | 'skipped'>;
type Followed = Omit<Schedule, 'makespan'>;

/**
 * The operations that events affect directly: where a repair begins.
 *
 * - breakdown: what is running or planned on the machine within the downtime
 * - new duration, delay: the operation itself; arrival: all operations of the job
 * - restoration: what the downtime had interrupted, and the operation planned next on the machine
 * - cancellation: on each machine that was to work for the job, the operation planned behind that
 * - whatever was running and is lost
 *
 * Planned is what the schedule says that is in execution. Takes time in proportion to the
 * operations of the machines concerned.
 *
 * @param schedule the one that {@link applyEvents} was given
 * @returns operations in the numbers they have after the events, ascending
 */
export function affectedOperations(schedule: Followed, applied: Applied): Int32Array {
  const affected = new Set<number>(applied.lost);
  for (const operations of affectedByEach(schedule, applied)) {
    for (const op of operations) affected.add(op);
  }
  return Int32Array.from(affected).sort();
}

/** The operations that each of the applied events affects directly, as {@link affectedOperations} has it. */
export function affectedByEach(schedule: Followed, applied: Applied): number[][] {
  const { newOf, events, arrived, instance } = applied;
  let arrivals = 0;
  return events.map((event) =>
    event.kind === 'arrival'
      ? operationsOfJob(instance, arrived[arrivals++].job)
      : concerned(schedule, applied, event)
          .map((op) => newOf[op])
          .filter((op) => op >= 0),
  );
}

/** The operations of before that an event concerns; those that fell away among them. */
function concerned(
  schedule: Followed,
  applied: Applied,
  event: Exclude<EffectiveEvent, Arrival>,
): number[] {
  const { jobs, jobOffset } = schedule.instance;
  if (event.kind === 'breakdown') return withinDowntime(schedule, applied, event);
  if (event.kind === 'restored') return heldUp(schedule, applied, event);
  // Jobs that arrive in the same call are affected as a whole anyway.
  if (event.job >= jobs) return [];
  if (event.kind === 'cancellation') return behindCancelled(schedule, applied, event.job);
  return event.step === undefined ? [] : [jobOffset[event.job] + event.step];
}

function withinDowntime(
  { instance, start, end }: Followed,
  { now }: Applied,
  { machine, from, to }: TimedBreakdown,
): number[] {
  return operationsOn(instance, machine).filter(
    (op) => start[op] >= 0 && end[op] > Math.max(from, now) && start[op] < to,
  );
}

function heldUp(schedule: Followed, { now }: Applied, { machine, at }: Restored): number[] {
  const { instance, start, end } = schedule;
  const running = operationsOn(instance, machine).filter(
    (op) => start[op] >= 0 && start[op] < now && end[op] > now,
  );
  return [...running, ...plannedNext(schedule, machine, at)];
}

function behindCancelled(schedule: Followed, { newOf }: Applied, job: number): number[] {
  const { instance, start } = schedule;
  const { jobOffset, machine, duration } = instance;
  const behind: number[] = [];
  for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
    if (newOf[op] >= 0 || start[op] < 0 || duration[op] === 0) continue;
    behind.push(...plannedNext(schedule, machine[op], start[op], newOf));
  }
  return behind;
}

/** The operation planned first on a machine from a time on, of those that are left; or none. */
function plannedNext(
  { instance, start }: Followed,
  machine: number,
  from: number,
  newOf?: Int32Array,
): number[] {
  let next = -1;
  for (const op of operationsOn(instance, machine)) {
    if (start[op] < from || (newOf !== undefined && newOf[op] < 0)) continue;
    if (next < 0 || start[op] < start[next]) next = op;
  }
  return next < 0 ? [] : [next];
}

function operationsOfJob({ jobOffset }: Instance, job: number): number[] {
  const first = jobOffset[job];
  return Array.from({ length: jobOffset[job + 1] - first }, (_, step) => first + step);
}

/** The operations that occupy a machine. */
function operationsOn(
  { machineOffset, machineOperations, duration }: Instance,
  machine: number,
): number[] {
  return Array.from(
    machineOperations.subarray(machineOffset[machine], machineOffset[machine + 1]),
  ).filter((op) => duration[op] > 0);
}
