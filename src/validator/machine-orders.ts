import type { Instance } from '../jssp/instance.js';
import {
  createPairSpace,
  MOST_BITS,
  type PairSpace,
  sortPairs,
  turnIntoPlaces,
} from './pair-sort.js';

/** The machine follows the order, one operation at a time. */
const SEQUENCE = 1;
/** Two operations occupy the machine at the same time. */
const OVERLAP = 0;
/** The order is too far from the one the machine works in to be repaired by moving operations. */
const GAVE_UP = -1;
type Verdict = typeof SEQUENCE | typeof OVERLAP | typeof GAVE_UP;

/**
 * The order in which each machine was last seen to work. It is a memory, never a premise: a
 * verdict always rests on comparing each operation with its neighbour in an order of all
 * operations of the machine, so a memory that is out of date costs time and nothing else.
 */
export interface MachineOrders {
  /** m+1 entries: machine k owns the slots `offset[k] … offset[k + 1] − 1` of `order`. */
  readonly offset: Int32Array;
  /** The operations of positive duration, by machine. Always a permutation of them. */
  readonly order: Int32Array;
  /** Room to sort the operations of any one machine. */
  readonly space: PairSpace;
  /** Room for the completion times of the operations of any one machine. */
  readonly sortedEnds: Int32Array;
  /** Whether the machine judged last had left its order behind: then the next one may have, too. */
  isStale: boolean;
}

/** Creates orders that remember nothing yet. */
export function createMachineOrders(instance: Instance): MachineOrders {
  const { machines, machineOffset, machineOperations, duration } = instance;
  const offset = new Int32Array(machines + 1);
  const order = machineOperations.filter((op) => duration[op] > 0);
  let most = 0;
  for (let k = 0; k < machines; k++) {
    let busy = 0;
    for (let slot = machineOffset[k]; slot < machineOffset[k + 1]; slot++) {
      if (duration[machineOperations[slot]] > 0) busy++;
    }
    offset[k + 1] = offset[k] + busy;
    most = Math.max(most, busy);
  }
  return {
    offset,
    order,
    space: createPairSpace(most),
    sortedEnds: new Int32Array(most),
    isStale: false,
  };
}

/**
 * Whether a machine never does two things at once. All its operations need starts of at least 0.
 * Takes one linear pass while the machine works about in the order it was last seen to work in;
 * otherwise the order is made anew, at first roughly and, if that was not enough, exactly.
 */
export function worksInSequence(
  orders: MachineOrders,
  machine: number,
  starts: Int32Array,
  ends: Int32Array,
): boolean {
  const count = orders.offset[machine + 1] - orders.offset[machine];
  let verdict = followOrder(orders, machine, starts, ends, orders.isStale ? 0 : 8 + (count >> 1));
  orders.isStale = verdict === GAVE_UP;
  if (verdict === GAVE_UP) {
    spreadByStart(orders, machine, starts);
    verdict = followOrder(orders, machine, starts, ends, 8 + 2 * count);
  }
  if (verdict === GAVE_UP) {
    sortByStart(orders, machine, starts);
    verdict = followOrder(orders, machine, starts, ends, 0);
  }
  return verdict === SEQUENCE;
}

/**
 * The number of pairs of operations that occupy a machine at the same time; exact, in linear
 * time however many there are. Operations with an end below 0 are passed over.
 */
export function countOverlaps(
  { offset, order, space, sortedEnds }: MachineOrders,
  machine: number,
  starts: Int32Array,
  ends: Int32Array,
): number {
  let count = 0;
  for (let slot = offset[machine]; slot < offset[machine + 1]; slot++) {
    const op = order[slot];
    if (ends[op] >= 0) space.keys[count++] = ends[op];
  }
  sortPairs(space, count);
  for (let i = 0; i < count; i++) sortedEnds[i] = space.keys[i];

  count = 0;
  for (let slot = offset[machine]; slot < offset[machine + 1]; slot++) {
    const op = order[slot];
    if (ends[op] >= 0) space.keys[count++] = starts[op];
  }
  sortPairs(space, count);

  // An operation overlaps those that started before it, except those that are done by then.
  const { keys } = space;
  let done = 0;
  let overlaps = 0;
  for (let started = 0; started < count; started++) {
    while (sortedEnds[done] <= keys[started]) done++;
    overlaps += started - done;
  }
  return overlaps;
}

/**
 * Compares each operation of a machine with the one before it in the remembered order, and moves
 * it forward where it belongs there (insertion sort), with at most about `patience` moves. An
 * overlap of two neighbours is proof of one whatever the rest of the order is like.
 */
function followOrder(
  { offset, order }: MachineOrders,
  machine: number,
  starts: Int32Array,
  ends: Int32Array,
  patience: number,
): Verdict {
  const first = offset[machine];
  const stop = offset[machine + 1];
  let moves = 0;
  let free = 0;
  for (let slot = first; slot < stop; slot++) {
    const op = order[slot];
    const start = starts[op];
    const end = ends[op];
    if (start >= free) {
      free = end;
      continue;
    }
    let gap = slot;
    for (; gap > first && starts[order[gap - 1]] >= end; gap--) order[gap] = order[gap - 1];
    order[gap] = op;
    if (gap > first && ends[order[gap - 1]] > start) return OVERLAP;
    moves += slot - gap;
    if (moves > patience) return GAVE_UP;
  }
  return SEQUENCE;
}

/**
 * Puts the operations of a machine roughly in order of their starts: one pass into buckets of
 * equal time spans, about two for each operation. Whatever the time unit, the starts of a machine
 * are spread evenly enough for insertion sort to finish the work.
 */
function spreadByStart(
  { offset, order, space }: MachineOrders,
  machine: number,
  starts: Int32Array,
): void {
  const { keys, items, slots } = space;
  const first = offset[machine];
  const count = offset[machine + 1] - first;
  let union = 0;
  for (let i = 0; i < count; i++) {
    const op = order[first + i];
    items[i] = op;
    keys[i] = starts[op];
    union |= keys[i];
  }
  const bits = Math.min(MOST_BITS, 33 - Math.clz32(count));
  const shift = Math.max(0, 32 - Math.clz32(union) - bits);
  const buckets = (union >>> shift) + 1;
  slots.fill(0, 0, buckets);
  for (let i = 0; i < count; i++) slots[keys[i] >>> shift]++;
  turnIntoPlaces(slots, buckets, first);
  for (let i = 0; i < count; i++) order[slots[keys[i] >>> shift]++] = items[i];
}

/** Puts the operations of a machine in order of their starts. */
function sortByStart(
  { offset, order, space }: MachineOrders,
  machine: number,
  starts: Int32Array,
): void {
  const first = offset[machine];
  const count = offset[machine + 1] - first;
  for (let i = 0; i < count; i++) {
    const op = order[first + i];
    space.keys[i] = starts[op];
    space.items[i] = op;
  }
  sortPairs(space, count);
  for (let i = 0; i < count; i++) order[first + i] = space.items[i];
}
