import { createHeaps } from '@alas-jssp/core/heaps';
import type { Instance } from '../../jssp/instance.js';
import type { Priority } from './rules/rule.js';

/**
 * The queues before the machines, ordered by a dispatching rule. Their items are jobs, with their next operations; a
 * job is in at most one queue.
 */
export interface ReadyQueues {
  /** m entries: the number of jobs that wait at each machine. */
  readonly size: Int32Array;
  /** Adds a job to the queue of the machine of its operation `op`, which it could start at `ready`. */
  push(job: number, op: number, ready: number): void;
  /**
   * Removes and returns the first job at time `now` of a queue that is not empty. Equal priorities go by operation
   * number. Times at one machine must not decrease.
   */
  pop(machine: number, now: number): number;
}

/**
 * Creates empty queues ordered by a fixed key, or by the time of arrival. O(log n) per job.
 *
 * @param keyOfOperation N keys, or null for the time of arrival
 */
function createHeapQueues(instance: Instance, keyOfOperation: Float64Array | null): ReadyQueues {
  const { jobs, machine, machineOffset } = instance;
  // Operations of two jobs are ordered like the jobs, so ties agree.
  const key = new Float64Array(jobs);
  const heaps = createHeaps(machineOffset, key);
  return {
    size: heaps.size,
    push: (job, op, ready) => {
      key[job] = keyOfOperation === null ? ready : keyOfOperation[op];
      heaps.push(machine[op], job);
    },
    pop: heaps.pop,
  };
}

/** Creates empty queues in the order of a rule. */
export function createRuleQueues(instance: Instance, priority: Priority): ReadyQueues {
  switch (priority.kind) {
    case 'fixed':
      return createHeapQueues(instance, priority.key);
    case 'arrival':
      return createHeapQueues(instance, null);
    case 'critical-ratio':
      return createKineticQueues(instance, priority.due, priority.work);
  }
}

const NEVER = Number.POSITIVE_INFINITY;
const NONE = -1;

/**
 * Queues by critical ratio, `(due − now) / work`, whose order changes while jobs wait: the ratio of a job with little
 * remaining work falls faster. Each machine has a kinetic tournament (Basch, Guibas and Hershberger 1999,
 * doi:10.1006/jagm.1998.0988): every node stores its winner and the time until which that is certain, so that queries
 * replay only what may have changed.
 *
 * @param due n entries: due date of each job, Infinity for none
 * @param work N entries: work remaining in the job, from each operation on
 */
export function createKineticQueues(
  instance: Instance,
  due: Float64Array,
  work: Float64Array,
): ReadyQueues {
  const { jobs, machines, operations, machine, machineOffset, machineOperations } = instance;
  const size = new Int32Array(machines);
  const clock = new Float64Array(machines);
  const workOf = new Float64Array(jobs);
  const seatOf = new Int32Array(jobs);
  const seatOfOperation = new Int32Array(operations);
  for (let slot = 0; slot < operations; slot++) {
    const op = machineOperations[slot];
    seatOfOperation[op] = slot - machineOffset[machine[op]];
  }
  // Machine k with c operations owns 2c nodes from 2 · machineOffset[k]; node 1 is its root, node i has the children 2i
  // and 2i + 1, and leaf c + s belongs to its operation s.
  const winner = new Int32Array(2 * operations).fill(NONE);
  const certainUntil = new Float64Array(2 * operations).fill(NEVER);

  const ratio = (job: number, now: number): number => (due[job] - now) / workOf[job];

  /** A time, after `now`, before which `loser` certainly does not overtake `leader`. */
  const overtaking = (loser: number, leader: number, now: number): number => {
    const gain = workOf[leader] - workOf[loser];
    if (gain <= 0 || due[loser] === NEVER) return NEVER;
    const crossing = due[leader] + (workOf[leader] * (due[loser] - due[leader])) / gain;
    // One unit of time early, so that rounding errors cannot make it too late.
    return Math.max(now + 1, Math.floor(crossing) - 1);
  };

  const play = (base: number, node: number, now: number): void => {
    const left = base + 2 * node;
    const a = winner[left];
    const b = winner[left + 1];
    let until = Math.min(certainUntil[left], certainUntil[left + 1]);
    let first = a === NONE ? b : a;
    if (a !== NONE && b !== NONE) {
      const difference = ratio(a, now) - ratio(b, now);
      // The difference of two infinite ratios is NaN: they are ordered by number, like equal ratios.
      if (difference > 0 || (!(difference < 0) && b < a)) first = b;
      until = Math.min(until, overtaking(first === a ? b : a, first, now));
    }
    winner[base + node] = first;
    certainUntil[base + node] = until;
  };

  const seat = (k: number, place: number, job: number): void => {
    const base = 2 * machineOffset[k];
    const count = machineOffset[k + 1] - machineOffset[k];
    winner[base + count + place] = job;
    for (let node = (count + place) >> 1; node >= 1; node >>= 1) play(base, node, clock[k]);
  };

  const refresh = (base: number, node: number, now: number): void => {
    if (certainUntil[base + node] > now) return;
    refresh(base, 2 * node, now);
    refresh(base, 2 * node + 1, now);
    play(base, node, now);
  };

  return {
    size,
    push: (job, op) => {
      workOf[job] = work[op];
      seatOf[job] = seatOfOperation[op];
      size[machine[op]]++;
      seat(machine[op], seatOf[job], job);
    },
    pop: (k, now) => {
      clock[k] = now;
      const base = 2 * machineOffset[k];
      refresh(base, 1, now);
      const job = winner[base + 1];
      size[k]--;
      seat(k, seatOf[job], NONE);
      return job;
    },
  };
}
