import { orderByTime } from './solution.js';

/** The zone of the order in which one of several islands works: they share the work on one solution. */
export interface Zone {
  readonly index: number;
  readonly count: number;
}

/** A solution of another island. */
export interface Guest {
  readonly island: number;
  readonly order: Int32Array;
  readonly cost: number;
}

/** The first position of a zone of an order; that of number `count` is the length of the order. */
export function zoneBegin(operations: number, index: number, count: number): number {
  return Math.floor((operations * index) / count);
}

/**
 * An order with the guest's zone in place of its own: a topological order if both zones contain the same operations,
 * which is so as long as each island changes its own zone of a common solution. Null if they do not.
 */
export function combineZones(
  own: Int32Array,
  { island, order }: Guest,
  count: number,
): Int32Array | null {
  const from = zoneBegin(own.length, island, count);
  const to = zoneBegin(own.length, island + 1, count);
  const isThere = new Uint8Array(own.length);
  for (let i = from; i < to; i++) isThere[own[i]] = 1;
  for (let i = from; i < to; i++) if (isThere[order[i]] === 0) return null;
  const combined = own.slice();
  combined.set(order.subarray(from, to), from);
  return combined;
}

/** The operations of each zone of a topological order, sorted by start times. */
export function sortZones(order: Int32Array, start: Int32Array, count: number): Int32Array {
  const zoneOf = new Uint16Array(order.length);
  const at = new Int32Array(count);
  for (let zone = 0; zone < count; zone++) {
    at[zone] = zoneBegin(order.length, zone, count);
    zoneOf.fill(zone, at[zone], zoneBegin(order.length, zone + 1, count));
  }
  const zone = new Uint16Array(order.length);
  for (let i = 0; i < order.length; i++) zone[order[i]] = zoneOf[i];
  const sorted = new Int32Array(order.length);
  for (const op of orderByTime(start)) sorted[at[zone[op]]++] = op;
  return sorted;
}
