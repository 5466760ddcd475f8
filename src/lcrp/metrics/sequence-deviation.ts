import type { Instance } from '../../jssp/instance.js';
import type { Times } from '../task.js';

/** Distances of the orders in which the machines work. */
export interface SequenceDeviation {
  /** Kendall's tau distance: pairs of operations on a machine whose order is reversed. */
  readonly inversions: number;
  /** `inversions` as a share of all pairs; 0 if there are no pairs. */
  readonly kendall: number;
  /** Spearman's footrule: the places by which operations moved in the queues of their machines. */
  readonly displacement: number;
  /** `displacement` as a share of its maximum, which occurs if every queue is reversed. */
  readonly footrule: number;
  /** Operations, ascending, whose place in the queue of their machine has changed. */
  readonly moved: Int32Array;
}

/**
 * Compares machine orders. The queues contain only operations that `isCompared` selects, that occupy a machine and have
 * a start in both schedules, so new and removed operations do not count as moving others. Ties go by number, as in the
 * order of the plan: an operation that has a duration now may have been planned without one, at the start of another
 * one.
 *
 * Kendall 1938, doi:10.1093/biomet/30.1-2.81; counted by merge sort (Knight 1966, doi:10.1080/01621459.1966.10480879).
 * The footrule is never less than Kendall's distance and at most twice it (Diaconis and Graham 1977,
 * doi:10.1111/j.2517-6161.1977.tb01624.x). O(N log N).
 */
export function sequenceDeviation(
  instance: Instance,
  before: Times,
  after: Times,
  isCompared: (op: number) => boolean,
): SequenceDeviation {
  const { machines, machineOffset, machineOperations, duration } = instance;
  const sums = { inversions: 0, pairs: 0, displacement: 0, most: 0 };
  const moved: number[] = [];
  for (let k = 0; k < machines; k++) {
    const queue = machineOperations
      .subarray(machineOffset[k], machineOffset[k + 1])
      .filter((op) => duration[op] > 0 && isCompared(op) && before.start[op] >= 0);
    const queued = queue.filter((op) => after.start[op] >= 0).sort(byTimes(before));
    const places = placesIn(queued, after);
    const width = queued.length;
    sums.pairs += (width * (width - 1)) / 2;
    sums.most += Math.floor((width * width) / 2);
    for (let i = 0; i < width; i++) {
      sums.displacement += Math.abs(places[i] - i);
      if (places[i] !== i) moved.push(queued[i]);
    }
    sums.inversions += countInversions(places);
  }
  const { inversions, pairs, displacement, most } = sums;
  return {
    inversions,
    kendall: pairs === 0 ? 0 : inversions / pairs,
    displacement,
    footrule: most === 0 ? 0 : displacement / most,
    moved: Int32Array.from(moved).sort(),
  };
}

/** The place of each operation of a queue if it is sorted by other times. */
function placesIn(queue: Int32Array, times: Times): Int32Array {
  const before = byTimes(times);
  const sorted = Int32Array.from(queue, (_, i) => i).sort((a, b) => before(queue[a], queue[b]));
  const places = new Int32Array(queue.length);
  for (let place = 0; place < sorted.length; place++) places[sorted[place]] = place;
  return places;
}

function byTimes({ start }: Times) {
  return (a: number, b: number): number => start[a] - start[b] || a - b;
}

/** The number of pairs in descending order; sorts the numbers, from runs of 1 up. */
function countInversions(numbers: Int32Array): number {
  const width = numbers.length;
  let inversions = 0;
  let from: Int32Array = numbers;
  let to: Int32Array = new Int32Array(width);
  for (let run = 1; run < width; run *= 2) {
    for (let low = 0; low < width; low += 2 * run) {
      const middle = Math.min(low + run, width);
      const high = Math.min(low + 2 * run, width);
      let left = low;
      let right = middle;
      for (let i = low; i < high; i++) {
        const takesLeft = left < middle && (right === high || from[left] <= from[right]);
        if (!takesLeft) inversions += middle - left;
        to[i] = takesLeft ? from[left++] : from[right++];
      }
    }
    [from, to] = [to, from];
  }
  return inversions;
}
