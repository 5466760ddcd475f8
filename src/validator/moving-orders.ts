import type { Instance } from '../jssp/instance.js';
import type { Modes } from '../jssp/shop-parts.js';
import type { MachineOrders } from './machine-orders.js';
import { createPairSpace } from './pair-sort.js';

/**
 * Machine orders whose operations change their machines. Each machine has slots for all operations that it can do, of
 * which those up to `stop` are in use.
 */
export interface MovingOrders extends MachineOrders {
  /** Operations that must be added to the order of their machine, in the first `moves` entries; there is no room for more. */
  readonly moved: Int32Array;
  moves: number;
  /** m entries: 1 where operations in the order have left the machine. */
  readonly isLeft: Uint8Array;
}

/** Creates the orders of the modes that are chosen in an instance. */
export function createMovingOrders(instance: Instance, modes: Modes): MovingOrders {
  const { operations, machines } = instance;
  const slots = countSlots(operations, machines, modes);
  const first = new Int32Array(machines);
  let most = 0;
  let total = 0;
  for (let k = 0; k < machines; k++) {
    first[k] = total;
    total += slots[k];
    most = Math.max(most, slots[k]);
  }
  const orders = {
    first,
    stop: first.slice(),
    order: new Int32Array(total),
    space: createPairSpace(most),
    sortedEnds: new Int32Array(most),
    isStale: true,
    moved: new Int32Array(8 + (operations >> 6)),
    moves: 0,
    isLeft: new Uint8Array(machines),
  };
  listByMachine(orders, instance);
  return orders;
}

/** The number of operations that can occupy each machine. */
function countSlots(operations: number, machines: number, modes: Modes): Int32Array {
  const { offset, machine, duration } = modes;
  const slots = new Int32Array(machines);
  const last = new Int32Array(machines).fill(-1);
  for (let op = 0; op < operations; op++) {
    for (let mode = offset[op]; mode < offset[op + 1]; mode++) {
      const k = machine[mode];
      if (duration[mode] === 0 || last[k] === op) continue;
      last[k] = op;
      slots[k]++;
    }
  }
  return slots;
}

/** Lists the operations of positive duration of every machine from scratch, by number. */
export function listByMachine(orders: MovingOrders, instance: Instance): void {
  const { first, stop, order } = orders;
  const { operations, machine, duration } = instance;
  stop.set(first);
  for (let op = 0; op < operations; op++) if (duration[op] > 0) order[stop[machine[op]]++] = op;
  orders.isLeft.fill(0);
  orders.moves = 0;
  orders.isStale = true;
}

/**
 * Removes the operations that have left their machines, and adds those noted in `moved` at about their place.
 *
 * @param instance with the present machines and durations
 * @param starts N start times; any others only take longer
 */
export function settleMoves(orders: MovingOrders, instance: Instance, starts: Int32Array): void {
  const { first, stop, order, moved, isLeft } = orders;
  const { machines, machine, duration } = instance;
  for (let k = 0; k < machines; k++) {
    if (isLeft[k] === 0) continue;
    isLeft[k] = 0;
    let kept = first[k];
    for (let slot = first[k]; slot < stop[k]; slot++) {
      const op = order[slot];
      if (machine[op] === k && duration[op] > 0) order[kept++] = op;
    }
    stop[k] = kept;
  }
  for (let i = 0; i < orders.moves; i++) {
    const op = moved[i];
    const k = machine[op];
    const end = stop[k]++;
    const place = placeByStart(order, first[k], end, starts, starts[op]);
    if (place < end) order.copyWithin(place + 1, place, end);
    order[place] = op;
  }
  orders.moves = 0;
}

/** The first slot whose operation starts later, by bisection. */
function placeByStart(
  order: Int32Array,
  from: number,
  to: number,
  starts: Int32Array,
  start: number,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[order[middle]] <= start) low = middle + 1;
    else high = middle;
  }
  return low;
}
