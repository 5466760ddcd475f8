import { InputError } from '@alas-jssp/core/errors';
import { completionTime, createCalendar, listDowntimes } from '../../jssp/calendar.js';
import { type Calendar, type Instance, replaceInstance } from '../../jssp/instance.js';
import { pickNames } from '../../jssp/instance-names.js';
import { describeOperation } from '../../jssp/words.js';
import { remember } from './remember.js';

/** The free operations of a shop in execution, as an instance of their own. */
export interface Remainder {
  /** Jobs and machines keep their numbers; nothing is frozen. */
  readonly instance: Instance;
  /** The number of each operation in the whole instance, ascending. */
  readonly operation: Int32Array;
  /** The time when the last started operation is done; 0 if none has started. */
  readonly frozenEnd: number;
}

/**
 * Removes started operations from a plain instance, in its chosen modes: a free operation is released when the started
 * ones before it in its job and on its machine are done. Downtimes that have ended are omitted, and those that have
 * begun become releases, which cost less to search with. O(N).
 *
 * @throws InputError `frozen_after_free` if an operation has started before its predecessor in its job
 */
export const remainderOf = remember((instance: Instance): Remainder => {
  const { jobs, jobOffset, jobOf, machine, duration, release } = instance;
  const operation = freeOperations(instance);
  const free = machinesFree(instance);
  const offset = new Int32Array(jobs + 1);
  for (const op of operation) offset[jobOf[op] + 1]++;
  for (let job = 0; job < jobs; job++) offset[job + 1] += offset[job];
  const begin = operation.map((op) => {
    let time = release?.[op] ?? 0;
    if (duration[op] > 0) time = Math.max(time, free[machine[op]]);
    const before = op - 1;
    const follows = op > jobOffset[jobOf[op]] && (instance.frozen?.[before] ?? -1) >= 0;
    return follows ? Math.max(time, endOfFrozen(instance, before)) : time;
  });
  const calendar = delayByDowntimes(instance, operation, begin);
  return {
    operation,
    frozenEnd: latestFrozenEnd(instance),
    instance: replaceInstance(instance, {
      jobOffset: offset,
      machine: operation.map((op) => machine[op]),
      duration: operation.map((op) => duration[op]),
      modes: null,
      release: begin,
      frozen: null,
      calendar,
      names: pickNames(instance.names, operation, offset),
    }),
  };
});

function freeOperations(instance: Instance): Int32Array {
  const { operations, frozen, jobOf } = instance;
  const free: number[] = [];
  for (let op = 0; op < operations; op++) {
    if (frozen === null || frozen[op] < 0) {
      free.push(op);
      continue;
    }
    if (op === 0 || jobOf[op - 1] !== jobOf[op] || frozen[op - 1] >= 0) continue;
    throw new InputError(
      'frozen_after_free',
      `${describeOperation(instance, op)} has started, but not the step before it`,
      'freeze what has started from the first step of a job on',
      {},
      op,
    );
  }
  return Int32Array.from(free);
}

/** One entry per machine: the time when its started operations are done. */
function machinesFree(instance: Instance): Int32Array {
  const { operations, machines, machine, duration, frozen } = instance;
  const free = new Int32Array(machines);
  if (frozen === null) return free;
  for (let op = 0; op < operations; op++) {
    if (frozen[op] < 0 || duration[op] === 0) continue;
    free[machine[op]] = Math.max(free[machine[op]], endOfFrozen(instance, op));
  }
  return free;
}

function endOfFrozen(instance: Instance, op: number): number {
  return completionTime(instance, op, instance.frozen?.[op] ?? 0);
}

/**
 * Delays the begins of operations to the ends of downtimes of their machine in which every operation would begin, so
 * that these downtimes can be omitted, and returns the other downtimes that operations can meet.
 */
function delayByDowntimes(
  { calendar, machines, machine, duration }: Instance,
  operation: Int32Array,
  begin: Int32Array,
): Calendar | null {
  if (calendar === null) return null;
  const free = new Float64Array(machines).fill(Number.POSITIVE_INFINITY);
  operation.forEach((op, i) => {
    if (duration[op] > 0) free[machine[op]] = Math.min(free[machine[op]], begin[i]);
  });
  const left = listDowntimes(calendar).filter((downtime) => {
    if (downtime.from > free[downtime.machine]) return true;
    free[downtime.machine] = Math.max(free[downtime.machine], downtime.to);
    return false;
  });
  operation.forEach((op, i) => {
    if (duration[op] > 0) begin[i] = Math.max(begin[i], free[machine[op]]);
  });
  const isEmpty = left.length === 0 && calendar.until === undefined;
  return isEmpty ? null : createCalendar(machines, left, calendar.until);
}

function latestFrozenEnd(instance: Instance): number {
  let latest = 0;
  instance.frozen?.forEach((start, op) => {
    if (start >= 0) latest = Math.max(latest, completionTime(instance, op, start));
  });
  return latest;
}

/** The starts of a whole instance: those of its remainder, and the frozen ones. */
export function startsOfWhole(
  { operations, frozen }: Instance,
  { operation }: Remainder,
  start: Int32Array,
): Int32Array {
  const whole = frozen?.slice() ?? new Int32Array(operations);
  operation.forEach((op, i) => {
    whole[op] = start[i];
  });
  return whole;
}
