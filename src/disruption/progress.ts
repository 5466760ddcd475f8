import { InputError } from '@alas-jssp/core/errors';
import { type Instance, MAX_TIME } from '../jssp/instance.js';
import type { Schedule } from '../jssp/schedule.js';
import { eachPredecessor } from '../jssp/shop-parts.js';
import { wordsOf } from '../jssp/words.js';

/**
 * The started operations of a schedule at time `now`: those that start before `now`, and those that the instance has
 * frozen already. An operation with its start at `now` has not started yet: it can still be changed.
 *
 * @returns N entries: the start of each started operation, −1 for the others
 * @throws InputError `bad_now` if `now` is no time, or earlier than a frozen start; `bad_execution` if the schedule
 *   moves a frozen start, or starts an operation before its predecessor in the job is done
 */
export function startedOperations(schedule: Schedule, now: number): Int32Array {
  const { instance, start, end } = schedule;
  const { operations, frozen } = instance;
  if (!Number.isInteger(now) || now < 0 || now > MAX_TIME) {
    throw new InputError('bad_now', `now is ${now}`, `give 0 to ${MAX_TIME}`, {}, now);
  }
  const started = new Int32Array(operations).fill(-1);
  for (let op = 0; op < operations; op++) {
    const fixed = frozen === null ? -1 : frozen[op];
    if (fixed > now) throw clockRunsBack(instance, op, fixed, now);
    if (fixed >= 0 && start[op] !== fixed) throw movedStart(instance, op, start[op], fixed);
    if (start[op] < 0 || (fixed < 0 && start[op] >= now)) continue;
    eachPredecessor(instance, op, (before) => {
      const ready = started[before] < 0 ? Number.POSITIVE_INFINITY : end[before];
      if (start[op] < ready) throw jumpedQueue(instance, op, start[op]);
    });
    started[op] = start[op];
  }
  return started;
}

/**
 * The processing time of an operation from `start` to `time`: the time since its start, without the resumable downtimes
 * in between.
 */
export function workedBy(instance: Instance, op: number, start: number, time: number): number {
  let worked = Math.max(0, time - start);
  const { calendar } = instance;
  if (calendar === null) return worked;
  const { offset, from, to, resumable } = calendar;
  const machine = instance.machine[op];
  for (let i = offset[machine]; i < offset[machine + 1] && from[i] < time; i++) {
    if (resumable[i] === 0) continue;
    worked -= Math.max(0, Math.min(to[i], time) - Math.max(from[i], start));
  }
  return worked;
}

/**
 * Whether an operation that runs at `now` is lost: before it is done it meets a non-resumable downtime that begins at
 * `now` or later.
 */
export function isLost(instance: Instance, op: number, start: number, now: number): boolean {
  const { calendar } = instance;
  if (calendar === null) return false;
  const { offset, from, to, resumable } = calendar;
  const machine = instance.machine[op];
  let end = start + instance.duration[op];
  for (let i = offset[machine]; i < offset[machine + 1] && from[i] < end; i++) {
    if (to[i] <= start) continue;
    if (resumable[i] === 1) end += to[i] - Math.max(from[i], start);
    else if (from[i] >= now) return true;
  }
  return false;
}

function clockRunsBack(instance: Instance, op: number, frozen: number, now: number): InputError {
  const { operation, time } = wordsOf(instance);
  return new InputError(
    'bad_now',
    `now is ${time(now)}, but ${operation(op)} of ${instance.name} has started at ${time(frozen)}`,
    `give ${time(frozen)} or later`,
    {},
    now,
  );
}

function movedStart(instance: Instance, op: number, start: number, frozen: number): InputError {
  const { operation, time } = wordsOf(instance);
  return new InputError(
    'bad_execution',
    `the schedule starts ${operation(op)} of ${instance.name} at ${time(start)}, but it has started at ${time(frozen)}`,
    'give a schedule that keeps frozen starts',
    {},
    start,
  );
}

function jumpedQueue(instance: Instance, op: number, start: number): InputError {
  const { operation, time } = wordsOf(instance);
  return new InputError(
    'bad_execution',
    `the schedule starts ${operation(op)} of ${instance.name} at ${time(start)}, before the step before it is done`,
    'give a feasible schedule',
    {},
    start,
  );
}
