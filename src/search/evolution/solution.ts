import type { Instance } from '../../jssp/instance.js';

/** A solution as the search stores it. */
export interface Solution {
  /** The cost in the kernel's terms. */
  readonly cost: number;
  /** Start time of each operation (N). */
  readonly start: Int32Array;
  /** Place of each operation in the queue of its machine. */
  readonly rank: Int32Array;
}

/** Makes a solution from a topological order and its start times, which are kept. */
export function createSolution(
  instance: Instance,
  cost: number,
  order: Int32Array,
  start: Int32Array,
): Solution {
  const { machine, operations, machines } = instance;
  const rank = new Int32Array(operations);
  const count = new Int32Array(machines);
  for (let i = 0; i < operations; i++) rank[order[i]] = count[machine[order[i]]]++;
  return { cost, start, rank };
}

/**
 * The distance of the machine orders of two solutions: Spearman's footrule, 0 for equal orders and 1 if every machine
 * order is reversed. Never less than Kendall's distance and at most twice it (Diaconis and Graham 1977,
 * doi:10.1111/j.2517-6161.1977.tb01624.x), but linear in time.
 */
export function distance(instance: Instance, a: Solution, b: Solution): number {
  const { operations, machines, machineOffset } = instance;
  let shift = 0;
  for (let op = 0; op < operations; op++) shift += Math.abs(a.rank[op] - b.rank[op]);
  let most = 0;
  for (let k = 0; k < machines; k++) {
    const width = machineOffset[k + 1] - machineOffset[k];
    most += Math.floor((width * width) / 2);
  }
  return most === 0 ? 0 : shift / most;
}

/**
 * Sorts the operations by a time for each, ties by number. If the times are start times of a schedule, or a weighted
 * average of several schedules' start times, the result is a topological order: predecessors of an operation start
 * before it, or at the same time with a smaller number.
 */
export function orderByTime(times: ArrayLike<number>): Int32Array {
  const operations = times.length;
  const keys = new Float64Array(operations);
  // Fractions of a time unit matter only between unrelated operations. The scale is the largest one with which a key
  // represents time and number exactly; it is at least 1 for every possible instance.
  let latest = 1;
  for (let op = 0; op < operations; op++) latest = Math.max(latest, times[op] + 1);
  const room = Number.MAX_SAFE_INTEGER / operations / latest;
  const fractions = Math.max(1, Math.min(MAX_FRACTIONS, Math.floor(room)));
  for (let op = 0; op < operations; op++) {
    keys[op] = Math.floor(times[op] * fractions) * operations + op;
  }
  keys.sort();
  const order = new Int32Array(operations);
  for (let i = 0; i < operations; i++) order[i] = keys[i] % operations;
  return order;
}

const MAX_FRACTIONS = 64;

/** Splits an order of all operations by machine, in the slots of `machineOffset`. */
export function sequencesOf({ machine, machineOffset }: Instance, order: Int32Array): Int32Array {
  const slot = machineOffset.slice();
  const sequences = new Int32Array(order.length);
  for (const op of order) sequences[slot[machine[op]]++] = op;
  return sequences;
}
