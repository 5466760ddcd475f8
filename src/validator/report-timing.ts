import type { Instance } from '../jssp/instance.js';
import { describeOperation } from '../jssp/words.js';
import { type FaultListener, inspectOperations } from './inspection.js';
import type { ViolationTally } from './tally.js';
import { operationScope } from './violation.js';

/**
 * Reports what is wrong with the times of single operations and of neighbours in a job.
 *
 * @param ends filled with N completion times, −1 where there is no usable start
 */
export function reportTiming(
  instance: Instance,
  starts: Int32Array,
  ends: Int32Array,
  tally: ViolationTally,
): void {
  inspectOperations(instance, starts, ends, describeFaults(instance, starts, ends, tally));
}

function describeFaults(
  instance: Instance,
  starts: Int32Array,
  ends: Int32Array,
  tally: ViolationTally,
): FaultListener {
  const common = (op: number, text: string) => ({
    message: `${describeOperation(instance, op)} ${text}`,
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
          ...common(op, `starts at ${start}, but has already started at ${frozen}`),
          start,
          frozen,
        }));
      }
      case 'release': {
        const release = (instance.release as Int32Array)[op];
        return tally.add(fault, () => ({
          ...common(op, `starts at ${start}, before its release at ${release}`),
          start,
          release,
        }));
      }
      case 'deadline': {
        const deadline = (instance.deadline as Int32Array)[instance.jobOf[op]];
        return tally.add(fault, () => ({
          ...common(op, `ends at ${end}, after the deadline of its job at ${deadline}`),
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
            `on machine ${instance.machine[op]} starts at ${start}, before ${describeOperation(instance, other)} ends at ${ends[other]}`,
          ),
          start,
          other,
          otherEnd: ends[other],
        }));
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
  const downtime = `the downtime from ${from} to ${to} of machine ${instance.machine[op]}`;
  const meeting =
    start >= from ? `starts at ${start}, inside` : `runs from ${start} to ${end}, into`;
  tally.add('downtime', () => ({
    message: `${describeOperation(instance, op)} ${meeting} ${downtime}`,
    scope: operationScope(instance, op),
    start,
    end,
    from,
    to,
    resumable,
  }));
}
