import { type Instance, MAX_TIME } from '../jssp/instance.js';
import { inspectOperations } from './inspection.js';

/** Computes completion times; false if the times of the jobs break a rule. */
export type TimeJobs = (instance: Instance, starts: Int32Array, ends: Int32Array) => boolean;

/**
 * Chooses the quickest way to judge the times of the jobs of an instance.
 *
 * @param taken as for `inspectOperations`
 */
export function createTimeJobs(instance: Instance, taken: Int32Array | null): TimeJobs {
  return hasOnlyJobs(instance) ? timePlainJobs : timeJobsByEveryRule(taken);
}

function hasOnlyJobs(instance: Instance): boolean {
  const { release, deadline, frozen, calendar, transport, precedence } = instance;
  return [release, deadline, frozen, calendar, transport, precedence].every(
    (part) => part === null,
  );
}

/**
 * Computes completion times; false if an operation has no usable start or starts before its predecessor in the job is
 * done.
 */
function timePlainJobs(instance: Instance, starts: Int32Array, ends: Int32Array): boolean {
  const { jobs, jobOffset, duration } = instance;
  for (let job = 0; job < jobs; job++) {
    const stop = jobOffset[job + 1];
    let ready = 0;
    for (let op = jobOffset[job]; op < stop; op++) {
      const start = starts[op];
      if (start < ready || start > MAX_TIME - duration[op]) return false;
      ready = start + duration[op];
      ends[op] = ready;
    }
  }
  return true;
}

/** The same for instances with releases, deadlines, frozen starts, downtimes, transport or precedence graphs. */
function timeJobsByEveryRule(taken: Int32Array | null): TimeJobs {
  let faults = 0;
  const onFault = (): void => {
    faults++;
  };
  return (instance, starts, ends) => {
    faults = 0;
    inspectOperations(instance, starts, ends, taken, onFault);
    return faults === 0;
  };
}
