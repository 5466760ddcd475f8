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
  /** m+1 entries: machine k owns the slots `offset[k] … offset[k + 1] − 1` of `order`. */
  readonly offset: Int32Array;
  /** The operations of positive duration, by machine. Always a permutation of them; others may follow. */
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
 * Creates orders of an instance whose operations change their machines and durations. Their first grouping is
 * {@link regroup}'s task.
 */
export function createMovingOrders({ operations, machines }: Instance): MovingOrders {
  return {
    offset: new Int32Array(machines + 1),
    order: Int32Array.from({ length: operations }, (_, op) => op),
    space: createPairSpace(operations),
    sortedEnds: new Int32Array(operations),
    isStale: true,
    spare: new Int32Array(operations),
    next: new Int32Array(machines + 1),
  };
}

/** Machine orders that can be grouped again; `order` holds all operations, those without work last. */
export interface MovingOrders extends MachineOrders {
  readonly spare: Int32Array;
  /** m+1 entries. */
  readonly next: Int32Array;
}

/** Groups operations by their present machines; those of each machine keep their order. Linear time. */
export function regroup(orders: MovingOrders, instance: Instance): void {
  const { offset, order, spare, next } = orders;
  const { operations, machines, machine, duration } = instance;
  offset.fill(0);
  for (let op = 0; op < operations; op++) if (duration[op] > 0) offset[machine[op] + 1]++;
  for (let k = 0; k < machines; k++) offset[k + 1] += offset[k];
  next.set(offset);
  for (let slot = 0; slot < operations; slot++) {
    const op = order[slot];
    spare[next[duration[op] > 0 ? machine[op] : machines]++] = op;
  }
  order.set(spare);
}

/**
 * Lists the operations of a machine with usable starts by start, end and number, in the first entries of
 * `orders.space.items`; returns how many there are. Linear time.
 */
export function listByStart(
  { offset, order, space }: MachineOrders,
  machine: number,
  starts: Int32Array,
  ends: Int32Array,
): number {
  let count = 0;
  for (let slot = offset[machine]; slot < offset[machine + 1]; slot++) {
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
  const count = orders.offset[machine + 1] - orders.offset[machine];
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
 * Compares each operation of a machine with its predecessor in the cached order, and moves it forward to its position
 * (insertion sort), with at most about `patience` moves. An overlap of two neighbours proves an overlap, whatever the
 * order of the other operations.
 */
function followOrder(
  { offset, order }: MachineOrders,
  machine: number,
  starts: Int32Array,
  ends: Int32Array,
  patience: number,
): SequenceVerdict {
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
    if (moves > patience) return UNDECIDED;
  }
  return SEQUENCE;
}

/**
 * Sorts the operations of a machine approximately by start: one pass into buckets of equal time spans, about two for
 * each operation. In any time unit, the starts of a machine are spread evenly enough for insertion sort to finish the
 * work.
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
  const bits = Math.min(MAX_BITS, 33 - Math.clz32(count));
  const shift = Math.max(0, 32 - Math.clz32(union) - bits);
  const buckets = (union >>> shift) + 1;
  slots.fill(0, 0, buckets);
  for (let i = 0; i < count; i++) slots[keys[i] >>> shift]++;
  turnIntoPlaces(slots, buckets, first);
  for (let i = 0; i < count; i++) order[slots[keys[i] >>> shift]++] = items[i];
}

/** Sorts the operations of a machine by start. */
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
