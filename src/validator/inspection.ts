import { completionTime, meetsDowntime } from '../jssp/calendar.js';
import { type Instance, MAX_TIME } from '../jssp/instance.js';

/** Start of an operation that a plan does not mention. */
export const MISSING = -1;
/** Start of an operation whose claimed start is no time at all. */
export const UNUSABLE = -2;

/** The faults that {@link inspectOperations} finds. `unusable` is a start that is not in [0, MAX_TIME]. */
type OperationFault =
  | 'unusable'
  | 'missing_operation'
  | 'absurd_time'
  | 'frozen_moved'
  | 'release'
  | 'downtime'
  | 'job_precedence'
  | 'deadline';

/**
 * Told about each fault: the operation it is at and, for `job_precedence`, the operation that
 * should be done first, for `downtime` the index of the downtime (else −1).
 */
export type FaultListener = (fault: OperationFault, op: number, other: number) => void;

/**
 * Judges start times by every rule except that machines do one thing at a time, job by job.
 * Completion times come from the instance and its calendar; an operation without a usable start
 * is passed over, so its neighbours in the job are judged against each other.
 *
 * An operation that keeps its frozen start is excused from its release and from downtimes: what
 * has happened is a fact. It is not excused from overlaps or the order of its job.
 *
 * @param starts N start times, {@link MISSING} where there is none
 * @param ends filled with N completion times, −1 where there is no usable start
 */
export function inspectOperations(
  instance: Instance,
  starts: Int32Array,
  ends: Int32Array,
  report: FaultListener,
): void {
  const { jobs, jobOffset, release, deadline, frozen } = instance;
  for (let job = 0; job < jobs; job++) {
    let previous = -1;
    let last = -1;
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      const start = starts[op];
      if (start < 0 || start > MAX_TIME) {
        ends[op] = -1;
        report(start === MISSING ? 'missing_operation' : 'unusable', op, -1);
        continue;
      }
      ends[op] = reachableEnd(completionTime(instance, op, start));
      if (ends[op] > MAX_TIME) report('absurd_time', op, -1);
      const isFrozen = frozen !== null && frozen[op] >= 0;
      if (isFrozen && start !== frozen[op]) report('frozen_moved', op, -1);
      if (!isFrozen || start !== frozen[op]) {
        if (release !== null && start < release[op]) report('release', op, -1);
        const downtime = meetsDowntime(instance, op, start);
        if (downtime >= 0) report('downtime', op, downtime);
      }
      if (previous >= 0 && start < ends[previous]) report('job_precedence', op, previous);
      if (last < 0 || ends[op] > ends[last]) last = op;
      previous = op;
    }
    if (deadline !== null && deadline[job] >= 0 && last >= 0 && ends[last] > deadline[job]) {
      report('deadline', last, -1);
    }
  }
}

/** An end so late that it fits no Int32Array is absurd anyway; the largest number says so too. */
function reachableEnd(end: number): number {
  return Math.min(end, 2 ** 31 - 1);
}
