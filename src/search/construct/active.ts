import { createHeaps } from '@alas-jssp/core/heaps';
import { completionTime, earliestStart } from '../../jssp/calendar.js';
import type { Instance } from '../../jssp/instance.js';
import { advance, openFrontier } from './frontier.js';
import { createRuleQueues } from './ready-queues.js';
import type { Priority } from './rules/rule.js';

/**
 * Generates an active schedule: no operation could start earlier without delaying another one. Each step finds the
 * operation with the earliest possible completion c, and lets the rule choose among those that could start on the same
 * machine before c. `now`, for rules that depend on it, is the earliest of their starts. O(N log n), not counting
 * downtimes.
 *
 * Giffler and Thompson 1960, doi:10.1287/opre.8.4.487.
 *
 * The time c never decreases, and each step occupies its machine at least until c. So a job that could once start
 * before c remains a candidate until it is chosen: it moves from `coming` to `waiting`. It moves back only if a
 * downtime comes before which it does not fit.
 *
 * With `patience` below 1 a machine waits less: candidates must be able to start within that fraction of the time from
 * now to c, so 0 gives non-delay schedules (Bierwirth and Mattfeld 1999, doi:10.1162/evco.1999.7.1.1; parameter δ
 * there).
 *
 * @param patience 0 to 1
 * @returns N start times
 * @throws AlasError `frozen_after_free` as {@link openFrontier} does
 */
export function generateActive(instance: Instance, priority: Priority, patience = 1): Int32Array {
  const { jobs, machines, machine, machineOffset, duration, calendar } = instance;
  const frontier = openFrontier(instance);
  const { start, next, ready, machineFree } = frontier;
  // Jobs that could start as soon as the machine is free, in the order of the rule and by duration.
  const waiting = createRuleQueues(instance, priority);
  const length = new Float64Array(jobs);
  const shortest = createHeaps(machineOffset, length);
  // Jobs that could only start later, by start and by completion.
  const startAt = new Float64Array(jobs);
  const coming = createHeaps(machineOffset, startAt);
  const endAt = new Float64Array(jobs);
  const finishing = createHeaps(machineOffset, endAt);
  // The earliest completion on each machine.
  const completions = createMinTree(machines);

  const startFrom = (op: number, time: number): number =>
    calendar === null ? time : earliestStart(instance, op, time);
  const endFrom = (op: number, time: number): number =>
    calendar === null ? time + duration[op] : completionTime(instance, op, time);

  const come = (k: number, job: number, time: number): void => {
    startAt[job] = time;
    endAt[job] = endFrom(next[job], time);
    coming.push(k, job);
    finishing.push(k, job);
  };

  const wait = (k: number, job: number): void => {
    length[job] = duration[next[job]];
    waiting.push(job, next[job], ready[job]);
    shortest.push(k, job);
  };

  /** Moves the jobs that arrive at machine k before `time` to its waiting jobs. */
  const gather = (k: number, time: number): void => {
    while (coming.size[k] > 0 && startAt[coming.top(k)] < time) {
      const job = coming.pop(k);
      finishing.remove(k, job);
      wait(k, job);
    }
  };

  const arrive = (job: number): void => {
    const k = machine[next[job]];
    const time = startFrom(next[job], Math.max(ready[job], machineFree[k]));
    if (time > machineFree[k]) come(k, job, time);
    else wait(k, job);
  };

  const updateCompletion = (k: number): void => {
    let earliest = coming.size[k] > 0 ? endAt[finishing.top(k)] : Number.POSITIVE_INFINITY;
    if (shortest.size[k] > 0) {
      // Among the waiting operations the shortest one completes first, whatever the calendar.
      const op = next[shortest.top(k)];
      earliest = Math.min(earliest, endFrom(op, startFrom(op, machineFree[k])));
    }
    completions.set(k, earliest);
  };

  /** The earliest time at which machine k could start an operation. */
  const earliestOn = (k: number): number => {
    const later = coming.size[k] > 0 ? startAt[coming.top(k)] : Number.POSITIVE_INFINITY;
    if (shortest.size[k] === 0) return later;
    return Math.min(later, startFrom(next[shortest.top(k)], machineFree[k]));
  };

  /** Chooses a job by the rule among those that could start on k before `completion`. */
  const choose = (k: number, completion: number): number => {
    const now = earliestOn(k);
    const limit = Math.max(now + 1, now + Math.floor(patience * (completion - now)));
    gather(k, limit);
    for (;;) {
      const job = waiting.pop(k, now);
      shortest.remove(k, job);
      const op = next[job];
      const time = startFrom(op, Math.max(machineFree[k], ready[job]));
      if (time < limit) {
        start[op] = time;
        return job;
      }
      come(k, job, time);
    }
  };

  for (let job = 0; job < jobs; job++) {
    if (advance(frontier, job, ready[job])) arrive(job);
  }
  for (let k = 0; k < machines; k++) updateCompletion(k);
  for (;;) {
    const k = completions.first();
    const limit = completions.get(k);
    if (limit === Number.POSITIVE_INFINITY) return start;
    const job = choose(k, limit);
    const op = next[job]++;
    const end = endFrom(op, start[op]);
    machineFree[k] = end;
    gather(k, end + 1);
    if (advance(frontier, job, end)) {
      arrive(job);
      const successor = machine[next[job]];
      if (successor !== k) updateCompletion(successor);
    }
    updateCompletion(k);
  }
}

/** The minimum of values that change one at a time: a tournament tree, O(log count) for each change. */
export interface MinTree {
  set(index: number, value: number): void;
  /** The index of the smallest value, the first one of equals. */
  first(): number;
  get(index: number): number;
}

/** Creates a tree of `count` values, at least one, all Infinity. */
export function createMinTree(count: number): MinTree {
  const value = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  // Node 1 is the root, node i has the children 2i and 2i + 1, leaf `count + i` holds index i.
  const winner = new Int32Array(2 * count);
  const play = (node: number): void => {
    const a = winner[2 * node];
    const b = winner[2 * node + 1];
    winner[node] = value[b] < value[a] || (value[b] === value[a] && b < a) ? b : a;
  };
  for (let index = 0; index < count; index++) winner[count + index] = index;
  for (let node = count - 1; node >= 1; node--) play(node);

  return {
    set: (index, changed) => {
      value[index] = changed;
      for (let node = (count + index) >> 1; node >= 1; node >>= 1) {
        const before = winner[node];
        play(node);
        // If another index remains the winner, nothing changes above.
        if (before !== index && winner[node] === before) return;
      }
    },
    first: () => winner[1],
    get: (index) => value[index],
  };
}
