import type { Instance } from '../jssp/instance.js';
import {
  createPairSpace,
  MAX_BITS,
  type PairSpace,
  sortPairs,
  turnIntoPlaces,
} from './pair-sort.js';

/** The machine follows the order, one operation at a time. */
const SEQUENCE = 1;
/** Two operations occupy the machine at the same time. */
const OVERLAP = 0;
/** The order differs too much from the actual one to be repaired by moving operations. */
const UNDECIDED = -1;
type SequenceVerdict = typeof SEQUENCE | typeof OVERLAP | typeof UNDECIDED;

/**
 * The cached order in which each machine worked last. It never affects a verdict: a verdict always compares each
 * operation with its neighbour in an order of all operations of the machine, so an outdated cache only costs time.
 */
export interface MachineOrders {
  /** m entries each: machine k owns the slots `first[k] … stop[k] − 1` of `order`. */
  readonly first: Int32Array;
  readonly stop: Int32Array;
  /** The operations of positive duration, by machine. The slots of all machines are always a permutation of them. */
  readonly order: Int32Array;
  /** Buffers to sort the operations of any one machine. */
  readonly space: PairSpace;
  /** Buffers for the completion times of the operations of any one machine. */
  readonly sortedEnds: Int32Array;
  /** Whether the order of the machine judged last was outdated: that of the next machine may be outdated, too. */
  isStale: boolean;
}

/** Creates empty orders. */
export function createMachineOrders(instance: Instance): MachineOrders {
  const { machines, machineOffset, machineOperations, duration } = instance;
  const offset = new Int32Array(machines + 1);
  const order = new Int32Array(machineOperations.length);
  let busy = 0;
  let most = 0;
  for (let k = 0; k < machines; k++) {
    for (let slot = machineOffset[k]; slot < machineOffset[k + 1]; slot++) {
      const op = machineOperations[slot];
      if (duration[op] > 0) order[busy++] = op;
    }
    offset[k + 1] = busy;
    most = Math.max(most, busy - offset[k]);
  }
  return {
    first: offset.subarray(0, machines),
    stop: offset.subarray(1),
    order: order.subarray(0, busy),
    space: createPairSpace(most),
    sortedEnds: new Int32Array(most),
    isStale: false,
  };
}

/**
 * Lists the operations of a machine with usable starts by start, end and number, in the first entries of
 * `orders.space.items`; returns how many there are. Linear time.
 */
export function listByStart(
  { first, stop, order, space }: MachineOrders,
  machine: number,
  starts: Int32Array,
  ends: Int32Array,
): number {
  let count = 0;
  for (let slot = first[machine]; slot < stop[machine]; slot++) {
    const op = order[slot];
    if (ends[op] < 0) continue;
    space.keys[count] = op;
    space.items[count++] = op;
  }
  sortPairs(space, count);
  for (let i = 0; i < count; i++) space.keys[i] = ends[space.items[i]];
  sortPairs(space, count);
  for (let i = 0; i < count; i++) space.keys[i] = starts[space.items[i]];
  sortPairs(space, count);
  return count;
}

/**
 * Whether a machine never does two things at once. All its operations must have starts of at least 0. Takes one linear
 * pass if the machine works approximately in its cached order; otherwise the order is rebuilt, first approximately and,
 * if that is not enough, exactly.
 */
export function worksInSequence(
  orders: MachineOrders,
  machine: number,
  starts: Int32Array,
  ends: Int32Array,
): boolean {
  const count = orders.stop[machine] - orders.first[machine];
  let verdict = followOrder(orders, machine, starts, ends, orders.isStale ? 0 : 8 + (count >> 1));
  orders.isStale = verdict === UNDECIDED;
  if (verdict === UNDECIDED) {
    spreadByStart(orders, machine, starts);
    verdict = followOrder(orders, machine, starts, ends, 8 + 2 * count);
  }
  if (verdict === UNDECIDED) {
    sortByStart(orders, machine, starts);
    verdict = followOrder(orders, machine, starts, ends, 0);
  }
  return verdict === SEQUENCE;
}

/**
 * The number of pairs of operations that occupy a machine at the same time; exact, in linear time regardless of the
 * result. Operations with an end below 0 are skipped.
 */
export function countOverlaps(
  { first, stop, order, space, sortedEnds }: MachineOrders,
  machine: number,
  starts: Int32Array,
  ends: Int32Array,
): number {
  let count = 0;
  for (let slot = first[machine]; slot < stop[machine]; slot++) {
    const op = order[slot];
    if (ends[op] >= 0) space.keys[count++] = ends[op];
  }
  sortPairs(space, count);
  for (let i = 0; i < count; i++) sortedEnds[i] = space.keys[i];

  count = 0;
  for (let slot = first[machine]; slot < stop[machine]; slot++) {
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
 * Compares each operation of a machine with its predecessor in the cached order, and moves it forward to its position
 * (insertion sort), with at most about `patience` moves. An overlap of two neighbours proves an overlap, whatever the
 * order of the other operations.
 */
function followOrder(
  orders: MachineOrders,
  machine: number,
  starts: Int32Array,
  ends: Int32Array,
  patience: number,
): SequenceVerdict {
  const { order } = orders;
  const first = orders.first[machine];
  const stop = orders.stop[machine];
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
    if (moves > patience) return UNDECIDED;
  }
  return SEQUENCE;
}

/**
 * Sorts the operations of a machine approximately by start: one pass into buckets of equal time spans, about two for
 * each operation. In any time unit, the starts of a machine are spread evenly enough for insertion sort to finish the
 * work.
 */
function spreadByStart(orders: MachineOrders, machine: number, starts: Int32Array): void {
  const { order } = orders;
  const { keys, items, slots } = orders.space;
  const first = orders.first[machine];
  const count = orders.stop[machine] - first;
  let union = 0;
  for (let i = 0; i < count; i++) {
    const op = order[first + i];
    items[i] = op;
    keys[i] = starts[op];
    union |= keys[i];
  }
  const bits = Math.min(MAX_BITS, 33 - Math.clz32(count));
  const shift = Math.max(0, 32 - Math.clz32(union) - bits);
  const buckets = (union >>> shift) + 1;
  slots.fill(0, 0, buckets);
  for (let i = 0; i < count; i++) slots[keys[i] >>> shift]++;
  turnIntoPlaces(slots, buckets, first);
  for (let i = 0; i < count; i++) order[slots[keys[i] >>> shift]++] = items[i];
}

/** Sorts the operations of a machine by start. */
function sortByStart(orders: MachineOrders, machine: number, starts: Int32Array): void {
  const { order, space } = orders;
  const first = orders.first[machine];
  const count = orders.stop[machine] - first;
  for (let i = 0; i < count; i++) {
    const op = order[first + i];
    space.keys[i] = starts[op];
    space.items[i] = op;
  }
  sortPairs(space, count);
  for (let i = 0; i < count; i++) order[first + i] = space.items[i];
}
