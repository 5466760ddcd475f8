import { AlasError } from '@alas-jssp/core/errors';
import { completionTime } from '../../jssp/calendar.js';
import type { Instance } from '../../jssp/instance.js';
import { describeOperation } from '../../jssp/words.js';

/** The progress of a schedule that is built from left to right. */
export interface Frontier {
  readonly instance: Instance;
  /** N entries: the start of each operation, −1 if not scheduled yet. */
  readonly start: Int32Array;
  /** n entries: the first unscheduled operation of each job, or the end of the job if all are scheduled. */
  readonly next: Int32Array;
  /** n entries: the time when that operation is ready, because its predecessor is done and it is released. */
  readonly ready: Int32Array;
  /** m entries: the time when each machine completes its operations scheduled so far. */
  readonly machineFree: Int32Array;
}

/**
 * Begins a schedule: frozen operations keep their starts, and free ones come after them, in their job and on their
 * machine.
 *
 * @throws AlasError `frozen_after_free` if a job has a frozen operation after a free one
 */
export function openFrontier(instance: Instance): Frontier {
  const { jobs, machines, operations, jobOffset, machine, duration } = instance;
  const start = new Int32Array(operations).fill(-1);
  const next = jobOffset.slice(0, jobs);
  const ready = new Int32Array(jobs);
  const machineFree = new Int32Array(machines);
  const frontier = { instance, start, next, ready, machineFree };
  const { frozen } = instance;
  if (frozen === null) return frontier;

  checkFrozen(instance, frozen);
  for (let job = 0; job < jobs; job++) {
    for (; next[job] < jobOffset[job + 1] && frozen[next[job]] >= 0; next[job]++) {
      const op = next[job];
      const k = machine[op];
      start[op] = frozen[op];
      const end = completionTime(instance, op, frozen[op]);
      ready[job] = Math.max(ready[job], end);
      if (duration[op] > 0) machineFree[k] = Math.max(machineFree[k], end);
    }
  }
  return frontier;
}

/**
 * Advances a job to its next operation that occupies a machine and records when that operation is ready. Operations of
 * zero duration in between wait only for their release and start at once.
 *
 * @param time when the operation before `next[job]` is done
 * @returns false if the job has no such operation left
 */
export function advance(frontier: Frontier, job: number, time: number): boolean {
  const { instance, start, next, ready } = frontier;
  const { jobOffset, duration, release } = instance;
  const stop = jobOffset[job + 1];
  let op = next[job];
  for (; op < stop; op++) {
    if (release !== null && release[op] > time) time = release[op];
    if (duration[op] > 0) break;
    start[op] = time;
  }
  next[job] = op;
  ready[job] = time;
  return op < stop;
}

/**
 * Checks that the frozen operations of each job come before its free ones.
 *
 * @throws AlasError `frozen_after_free`
 */
export function checkFrozen(instance: Instance, frozen: Int32Array): void {
  const { operations, jobOf } = instance;
  for (let op = 1; op < operations; op++) {
    if (frozen[op] >= 0 && frozen[op - 1] < 0 && jobOf[op] === jobOf[op - 1]) {
      throw new AlasError(
        'frozen_after_free',
        `${describeOperation(instance, op)} of ${instance.name} is frozen but the operation ` +
          'before it is free; freeze all operations before a frozen one',
        op,
      );
    }
  }
}
