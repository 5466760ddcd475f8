import type { Instance } from '../../jssp/instance.js';
import { modeMachine } from '../../jssp/shop-parts.js';

/** A solution of a flexible shop as the search stores it. */
export interface FlexibleSolution {
  /** The cost in the kernel's terms. */
  readonly cost: number;
  /** Start time of each operation (N). */
  readonly start: Int32Array;
  /** Mode of each operation (N). */
  readonly mode: Int32Array;
  /** Place of each operation in the order of its machine (N), … */
  readonly rank: Int32Array;
  /** … and the number of operations there. */
  readonly width: Int32Array;
}

/** Makes a solution from a topological order, modes and start times, which are kept. */
export function createFlexibleSolution(
  instance: Instance,
  cost: number,
  order: Int32Array,
  mode: Int32Array,
  start: Int32Array,
): FlexibleSolution {
  const rank = new Int32Array(order.length);
  const count = new Int32Array(instance.machines);
  for (const op of order) rank[op] = count[modeMachine(instance, mode[op])]++;
  const width = Int32Array.from(mode, (chosen) => count[modeMachine(instance, chosen)]);
  return { cost, start, mode, rank, width };
}

/**
 * The distance of two solutions, 0 to 1: operations in different modes count fully, others by how far their places on
 * the machine differ.
 */
export function flexibleDistance(a: FlexibleSolution, b: FlexibleSolution): number {
  const operations = a.mode.length;
  let sum = 0;
  for (let op = 0; op < operations; op++) {
    if (a.mode[op] !== b.mode[op]) sum += 1;
    else sum += Math.min(1, (2 * Math.abs(a.rank[op] - b.rank[op])) / a.width[op]);
  }
  return sum / Math.max(1, operations);
}
