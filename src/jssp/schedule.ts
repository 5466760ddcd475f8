import { AlasError } from '@alas-jssp/core/errors';
import { completionTime } from './calendar.js';
import { type Instance, MAX_TIME } from './instance.js';
import { describeArray } from './instance-checks.js';
import { describeOperation } from './words.js';

/** Start times and modes for the operations of one instance, and derived values. */
export interface Schedule {
  /** The instance in which the modes of the schedule are chosen: its machines and durations are those of the schedule. */
  readonly instance: Instance;
  /** N entries: the mode of each operation; null if the instance has no modes. */
  readonly mode: Int32Array | null;
  /** N entries: the start of each operation, −1 if it is not scheduled. */
  readonly start: Int32Array;
  /** N entries: the completion time of each operation, −1 if it is not scheduled. */
  readonly end: Int32Array;
  /** The latest completion time; 0 if nothing is scheduled. */
  readonly makespan: number;
}

/**
 * Makes a schedule from start times, in the chosen modes; completion times follow from the instance and its calendar.
 * Feasibility is not checked: that is the task of the validator. `start` is kept, not copied.
 *
 * @throws AlasError `bad_starts` if `start` is not an Int32Array with one entry per operation, or an entry exceeds
 *   {@link MAX_TIME}
 */
export function createSchedule(instance: Instance, start: Int32Array): Schedule {
  checkStarts(instance, start);
  const { operations } = instance;
  const end = new Int32Array(operations);
  let makespan = 0;
  for (let op = 0; op < operations; op++) {
    if (start[op] > MAX_TIME) throw tooLate(instance, op, start[op]);
    end[op] = start[op] < 0 ? -1 : completionTime(instance, op, start[op]);
    if (end[op] > makespan) makespan = end[op];
  }
  const mode = instance.modes?.chosen ?? null;
  return Object.freeze({ instance, mode, start, end, makespan });
}

/**
 * When a job is complete: the latest end of its operations, of which the last one is not always the latest; −1 if none
 * has an end.
 */
export function jobEnd(
  {
    instance,
    end,
  }: { readonly instance: Pick<Instance, 'jobOffset'>; readonly end: ArrayLike<number> },
  job: number,
): number {
  const { jobOffset } = instance;
  let latest = -1;
  for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) latest = Math.max(latest, end[op]);
  return latest;
}

/**
 * The check at every entry point that accepts start times. Inner loops rely on 32-bit integers: in other arrays a NaN
 * or a fraction would pass every comparison.
 *
 * @throws AlasError `bad_starts` if they are not an Int32Array with one entry per operation
 */
export function checkStarts(instance: Instance, starts: Int32Array): void {
  if (!(starts instanceof Int32Array)) throw wrongType(starts);
  if (starts.length === instance.operations) return;
  throw new AlasError(
    'bad_starts',
    `${starts.length} start times for ${instance.operations} operations of ${instance.name}`,
    starts.length,
  );
}

function wrongType(starts: unknown): AlasError {
  return new AlasError(
    'bad_starts',
    `the start times are ${describeArray(starts)}; give an Int32Array, −1 where there is none`,
    starts,
  );
}

function tooLate(instance: Instance, op: number, start: number): AlasError {
  return new AlasError(
    'bad_starts',
    `${describeOperation(instance, op)} of ${instance.name} starts at ${start}, but times go up to ${MAX_TIME}`,
    start,
  );
}

/**
 * The order in which each machine works: N operation ids in the slots of
 * `instance.machineOffset`, by start time, then completion time, then id. Operations that are not
 * scheduled come first.
 */
export function machineSequences({ instance, start, end }: Schedule): Int32Array {
  const { machines, machineOffset } = instance;
  const sequences = instance.machineOperations.slice();
  for (let k = 0; k < machines; k++) {
    sequences
      .subarray(machineOffset[k], machineOffset[k + 1])
      .sort((a, b) => start[a] - start[b] || end[a] - end[b] || a - b);
  }
  return sequences;
}
