import type { Instance } from '../jssp/instance.js';
import { wordsOf } from '../jssp/words.js';
import { describeLongLag, describeReassigned, describeShortLag } from './describe-parts.js';
import { type FaultListener, inspectOperations } from './inspection.js';
import type { ViolationTally } from './tally.js';
import { operationScope } from './violation.js';

/**
 * Reports faults in the times of single operations and of neighbours in a job.
 *
 * @param ends filled with N completion times, −1 without a usable start
 * @param taken as for `inspectOperations`
 */
export function reportTiming(
  instance: Instance,
  starts: Int32Array,
  ends: Int32Array,
  taken: Int32Array | null,
  tally: ViolationTally,
): void {
  const describe = describeFaults(instance, starts, ends, taken, tally);
  inspectOperations(instance, starts, ends, taken, describe);
}

function describeFaults(
  instance: Instance,
  starts: Int32Array,
  ends: Int32Array,
  taken: Int32Array | null,
  tally: ViolationTally,
): FaultListener {
  const words = wordsOf(instance);
  const { time } = words;
  const common = (op: number, text: string) => ({
    message: `${words.operation(op)} ${text}`,
    scope: operationScope(instance, op),
  });
  return (fault, op, other) => {
    const start = starts[op];
    const end = ends[op];
    switch (fault) {
      case 'unusable':
        return; // Reported when the claims were read, with the number as it was.
      case 'missing_operation':
        return tally.add(fault, () => common(op, 'is missing'));
      case 'absurd_time':
        return tally.add(fault, () => ({
          ...common(op, `starts at ${start} and would end at ${end}, beyond every schedule`),
          field: 'end' as const,
          value: end,
        }));
      case 'frozen_moved': {
        const frozen = (instance.frozen as Int32Array)[op];
        return tally.add(fault, () => ({
          ...common(op, `starts at ${time(start)}, but has already started at ${time(frozen)}`),
          start,
          frozen,
        }));
      }
      case 'frozen_reassigned':
        return tally.add(fault, () => describeReassigned(instance, op, taken as Int32Array));
      case 'release': {
        const release = (instance.release as Int32Array)[op];
        return tally.add(fault, () => ({
          ...common(op, `starts at ${time(start)}, before its release at ${time(release)}`),
          start,
          release,
        }));
      }
      case 'deadline': {
        const deadline = (instance.deadline as Int32Array)[instance.jobOf[op]];
        return tally.add(fault, () => ({
          ...common(op, `ends at ${time(end)}, after the deadline of its job at ${time(deadline)}`),
          end,
          deadline,
        }));
      }
      case 'downtime':
        return reportDowntime(instance, op, start, end, other, tally);
      case 'job_precedence':
        return tally.add(fault, () => ({
          ...common(
            op,
            `on ${words.machine(instance.machine[op])} starts at ${time(start)}, before ${words.operation(other)} ends at ${time(ends[other])}`,
          ),
          start,
          other,
          otherEnd: ends[other],
        }));
      case 'lag_too_short':
        return tally.add(fault, () => describeShortLag(instance, op, other, { starts, ends }));
      case 'lag_too_long':
        return tally.add(fault, () => describeLongLag(instance, op, other, { starts, ends }));
    }
  };
}

function reportDowntime(
  instance: Instance,
  op: number,
  start: number,
  end: number,
  index: number,
  tally: ViolationTally,
): void {
  if (instance.calendar === null) return;
  const from = instance.calendar.from[index];
  const to = instance.calendar.to[index];
  const resumable = instance.calendar.resumable[index] === 1;
  const words = wordsOf(instance);
  const { time } = words;
  const downtime = `the downtime from ${time(from)} to ${time(to)} of ${words.machine(instance.machine[op])}`;
  const meeting =
    start >= from
      ? `starts at ${time(start)}, inside`
      : `runs from ${time(start)} to ${time(end)}, into`;
  tally.add('downtime', () => ({
    message: `${words.operation(op)} ${meeting} ${downtime}`,
    scope: operationScope(instance, op),
    start,
    end,
    from,
    to,
    resumable,
  }));
}
