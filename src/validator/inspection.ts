import { completionTime, meetsDowntime } from '../jssp/calendar.js';
import { type Instance, MAX_TIME } from '../jssp/instance.js';
import { inspectEdges } from './edges.js';

/** Start of an operation that is not in the plan. */
export const MISSING = -1;
/** Start of an operation whose claimed start is not a valid time. */
export const UNUSABLE = -2;

/** The faults that {@link inspectOperations} finds. `unusable` is a start that is not in [0, MAX_TIME]. */
type OperationFault =
  | 'unusable'
  | 'missing_operation'
  | 'absurd_time'
  | 'frozen_moved'
  | 'frozen_reassigned'
  | 'release'
  | 'downtime'
  | 'job_precedence'
  | 'lag_too_short'
  | 'lag_too_long'
  | 'deadline';

/**
 * Receives each fault: its operation and, for `job_precedence` and lags, its job predecessor, and for `downtime` the
 * index of the downtime (else −1).
 */
export type FaultListener = (fault: OperationFault, op: number, other: number) => void;

/**
 * Checks start times by every rule except those of machines and resources, job by job. Completion times come from the
 * instance and its calendar; an operation without a usable start is skipped, so its neighbours in the job are compared
 * with each other.
 *
 * An operation that keeps its frozen start and mode is exempt from its release and from downtimes: it has already
 * started. It is not exempt from overlaps or the order of its job.
 *
 * @param starts N start times, {@link MISSING} for none
 * @param instance with the modes of these starts chosen
 * @param ends filled with N completion times, −1 without a usable start
 * @param taken N entries: the modes in which operations have started, if they have one; null if there are no modes
 */
export function inspectOperations(
  instance: Instance,
  starts: Int32Array,
  ends: Int32Array,
  taken: Int32Array | null,
  report: FaultListener,
): void {
  const { jobs, jobOffset, release, deadline, frozen } = instance;
  const chosen = instance.modes?.chosen ?? null;
  const isChain = instance.precedence === null && instance.transport === null;
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
      let isPast = false;
      if (frozen !== null && frozen[op] >= 0) {
        isPast = start === frozen[op];
        if (!isPast) report('frozen_moved', op, -1);
        if (taken !== null && chosen !== null && chosen[op] !== taken[op]) {
          isPast = false;
          report('frozen_reassigned', op, -1);
        }
      }
      if (!isPast) {
        if (release !== null && start < release[op]) report('release', op, -1);
        const downtime = meetsDowntime(instance, op, start);
        if (downtime >= 0) report('downtime', op, downtime);
      }
      if (previous >= 0 && start < ends[previous]) report('job_precedence', op, previous);
      if (last < 0 || ends[op] > ends[last]) last = op;
      if (isChain) previous = op;
    }
    if (deadline !== null && deadline[job] >= 0 && last >= 0 && ends[last] > deadline[job]) {
      report('deadline', last, -1);
    }
  }
  if (!isChain) inspectEdges(instance, starts, ends, report);
}

/** An end that exceeds the range of an Int32Array is a fault anyway, and so is the largest number. */
function reachableEnd(end: number): number {
  return Math.min(end, 2 ** 31 - 1);
}
