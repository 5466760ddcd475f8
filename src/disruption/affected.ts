import type { Instance } from '../jssp/instance.js';
import type { Schedule } from '../jssp/schedule.js';
import { chosenMode } from '../jssp/shop-parts.js';
import type { AppliedEvents } from './apply-events.js';
import type { Arrival, EffectiveEvent, Restored, TimedBreakdown, TimedCapacity } from './event.js';

/** The part of {@link AppliedEvents} that is needed here. */
type Applied = Omit<AppliedEvents, 'oldOf' | 'skipped'>;
type PlannedTimes = Omit<Schedule, 'makespan'>;

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
      : concerned(schedule, applied, event)
          .map((op) => newOf[op])
          .filter((op) => op >= 0),
  );
}

/** The operations, in the numbers before the events, that an event concerns, cancelled ones included. */
function concerned(
  schedule: PlannedTimes,
  applied: Applied,
  event: Exclude<EffectiveEvent, Arrival>,
): number[] {
  const { jobs, jobOffset } = schedule.instance;
  if (event.kind === 'breakdown') return withinDowntime(schedule, applied, event);
  if (event.kind === 'restored') return interruptedAndNext(schedule, applied, event);
  if (event.kind === 'capacity') return needing(schedule, applied, event);
  // Jobs that arrive in the same call are affected as a whole anyway.
  if (event.job >= jobs) return [];
  if (event.kind === 'cancellation') return afterCancelled(schedule, applied, event.job);
  return event.step === undefined ? [] : [jobOffset[event.job] + event.step];
}

function withinDowntime(
  { instance, start, end }: PlannedTimes,
  { now }: Applied,
  { machine, from, to }: TimedBreakdown,
): number[] {
  return operationsOn(instance, machine).filter(
    (op) => start[op] >= 0 && end[op] > Math.max(from, now) && start[op] < to,
  );
}

/** The operations planned in a time with another capacity that need the resource. */
function needing(
  { instance, start, end }: PlannedTimes,
  { now }: Applied,
  { resource, from, to }: TimedCapacity,
): number[] {
  const { resources, operations } = instance;
  if (resources === null) return [];
  const { needOffset, needResource } = resources;
  const found: number[] = [];
  for (let op = 0; op < operations; op++) {
    if (start[op] < 0 || end[op] <= Math.max(from, now) || start[op] >= to) continue;
    const mode = chosenMode(instance, op);
    const needs = needResource.subarray(needOffset[mode], needOffset[mode + 1]);
    if (needs.includes(resource)) found.push(op);
  }
  return found;
}

function interruptedAndNext(
  schedule: PlannedTimes,
  { now }: Applied,
  { machine, at }: Restored,
): number[] {
  const { instance, start, end } = schedule;
  const running = operationsOn(instance, machine).filter(
    (op) => start[op] >= 0 && start[op] < now && end[op] > now,
  );
  return [...running, ...plannedNext(schedule, machine, at)];
}

function afterCancelled(schedule: PlannedTimes, { newOf }: Applied, job: number): number[] {
  const { instance, start } = schedule;
  const { jobOffset, machine, duration } = instance;
  const after: number[] = [];
  for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
    if (newOf[op] >= 0 || start[op] < 0 || duration[op] === 0) continue;
    after.push(...plannedNext(schedule, machine[op], start[op], newOf));
  }
  return after;
}

/** The first operation planned on a machine from a time on that was not cancelled, as a list of at most one. */
function plannedNext(
  { instance, start }: PlannedTimes,
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
