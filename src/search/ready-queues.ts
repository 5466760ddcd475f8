import { createHeaps } from '../core/heaps.js';
import type { Instance } from '../jssp/instance.js';

/**
 * The queues before the machines, ordered by a dispatching rule. What waits is a job, with its
 * next operation; a job waits at one machine at most.
 */
export interface ReadyQueues {
  /** m entries: how many jobs wait at each machine. */
  readonly size: Int32Array;
  /** A job joins the queue of the machine of its operation `op`, which it could start at `ready`. */
  push(job: number, op: number, ready: number): void;
  /**
   * Takes the job that comes first at time `now` out of a queue that is not empty. Equal
   * priorities go by operation number. Times asked for at one machine must not decrease.
   */
  pop(machine: number, now: number): number;
}

/**
 * Creates empty queues ordered by a fixed key, or by the time of arrival. O(log n) a job.
 *
 * @param keyOfOperation N keys, or null for the time of arrival
 */
export function createHeapQueues(
  instance: Instance,
  keyOfOperation: Float64Array | null,
): ReadyQueues {
  const { jobs, machine, machineOffset } = instance;
  // Between two jobs, the order of their operations is that of the jobs: ties agree.
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
