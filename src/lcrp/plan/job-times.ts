import { createHeaps } from '@alas-jssp/core/heaps';
import type { Instance } from '../../jssp/instance.js';

/**
 * Times for all operations that respect the order of steps in each job and are as near to the claims as that allows:
 * least Σ weight · |time − claim|. So if claims contradict the order of a job, the smaller weight yields, and a single
 * outlier moves no other claim.
 *
 * That is isotonic regression by absolute deviations, solved job by job with a heap in O(L log L) for L steps (Stout
 * 2013, doi:10.1007/s00453-012-9628-4, and the works named there). Operations without a claim take their time from
 * `fallback`, as far as their neighbours allow.
 *
 * @param claim N claimed starts, NaN for none
 * @param weight N weights, 0 for operations without a claim
 * @param fallback N times
 * @returns N times, which may be fractions or negative: only their order is meaningful
 */
export function timesInJobOrder(
  instance: Instance,
  claim: Float64Array,
  weight: Uint8Array,
  fallback: ArrayLike<number>,
): Float64Array {
  const { jobs, jobOffset, duration } = instance;
  const time = new Float64Array(instance.operations);
  const fit = createFit(instance, weight);
  for (let job = 0; job < jobs; job++) {
    const first = jobOffset[job];
    const stop = jobOffset[job + 1];
    // After subtracting the work before it, a time may equal that of the step before, but not be smaller.
    let work = 0;
    fit.open();
    for (let op = first; op < stop; op++) {
      if (weight[op] > 0) time[op] = fit.add(claim[op] - work, weight[op]);
      work += duration[op];
    }
    let latest = Number.POSITIVE_INFINITY;
    for (let op = stop - 1; op >= first; op--) {
      if (weight[op] > 0) latest = Math.min(latest, time[op]);
      time[op] = latest;
    }
    let earliest = Number.NEGATIVE_INFINITY;
    work = 0;
    for (let op = first; op < stop; op++) {
      const wanted = weight[op] > 0 ? time[op] : fallback[op] - work;
      earliest = Math.min(time[op], Math.max(earliest, wanted));
      time[op] = earliest + work;
      work += duration[op];
    }
  }
  return time;
}

/** The best nondecreasing fit of the numbers so far; only the last value is stored. */
interface Fit {
  open(): void;
  /** Adds a number and returns the best last value. */
  add(value: number, weight: number): number;
}

/**
 * Slope trick: the least cost as a function of the last value is convex and nonincreasing; the heap holds the values at
 * which its slope changes by one, the largest on top.
 */
function createFit({ jobs, jobOffset }: Instance, weight: Uint8Array): Fit {
  let capacity = 0;
  for (let job = 0; job < jobs; job++) {
    let needed = 0;
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) needed += 2 * weight[op];
    capacity = Math.max(capacity, needed);
  }
  const key = new Float64Array(capacity);
  const heap = createHeaps(Int32Array.of(0, capacity), key);
  let items = 0;
  return {
    open: () => {
      items = 0;
      heap.size[0] = 0;
    },
    add: (value, weight) => {
      for (let i = 0; i < 2 * weight; i++) {
        key[items] = -value;
        heap.push(0, items++);
      }
      for (let i = 0; i < weight; i++) heap.pop(0);
      return -key[heap.top(0)];
    },
  };
}
