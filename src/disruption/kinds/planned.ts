import type { Instance } from '../../jssp/instance.js';
import type { PlannedTimes } from './kind.js';

/** The first operation planned on a machine from a time on that was not cancelled, as a list of at most one. */
export function plannedNext(
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

/** The operation of an event, as a list; empty for a job that arrives in the same call, or without a step. */
export function plannedOperation(
  { instance: { jobs, jobOffset } }: PlannedTimes,
  job: number,
  step: number | undefined,
): number[] {
  return job >= jobs || step === undefined ? [] : [jobOffset[job] + step];
}

/** The operations that occupy a machine. */
export function operationsOn(
  { machineOffset, machineOperations, duration }: Instance,
  machine: number,
): number[] {
  return Array.from(
    machineOperations.subarray(machineOffset[machine], machineOffset[machine + 1]),
  ).filter((op) => duration[op] > 0);
}
