import type { Instance } from '../../jssp/instance.js';

/**
 * The share of claimed pairs that start times keep. A claimed pair is two operations on the same machine, one of which
 * is claimed to start earlier; it is kept if that operation also starts earlier in the schedule. The share is 1 minus
 * the normalized Kendall distance. O(N log N).
 *
 * @param instance in the modes of the claims
 * @param claim N claimed starts, NaN for none
 * @param start N start times of a feasible schedule
 * @param after the instance in the modes of the schedule: a pair is kept only if it is on one machine there, too
 * @returns null if no pair is claimed
 */
export function keptOrder(
  instance: Instance,
  claim: Float64Array,
  start: Int32Array,
  after: Instance = instance,
): number | null {
  const { machines, machineOffset, machineOperations, duration } = instance;
  let claimed = 0;
  let kept = 0;
  for (let k = 0; k < machines; k++) {
    const operations = machineOperations
      .subarray(machineOffset[k], machineOffset[k + 1])
      .filter((op) => duration[op] > 0 && !Number.isNaN(claim[op]))
      .sort((a, b) => start[a] - start[b]);
    const pairsOf = (some: Int32Array) => countPairs(Float64Array.from(some, (op) => claim[op]));
    const counted = pairsOf(operations);
    claimed += counted.unequal;
    const places = new Set(Array.from(operations, (op) => after.machine[op]));
    if (places.size < 2) kept += counted.ascending;
    else {
      for (const place of places) {
        kept += pairsOf(operations.filter((op) => after.machine[op] === place)).ascending;
      }
    }
  }
  return claimed === 0 ? null : kept / claimed;
}

/** Pairs of unequal values in a list, and those of them whose first value is smaller. */
function countPairs(values: Float64Array): { unequal: number; ascending: number } {
  const sorted = values.toSorted();
  const ranks = new Map<number, number>();
  for (const value of sorted) if (!ranks.has(value)) ranks.set(value, ranks.size + 1);
  // A Fenwick tree counts the values so far by rank (Fenwick 1994, doi:10.1002/spe.4380240306).
  const tree = new Int32Array(ranks.size + 1);
  const upTo = (rank: number): number => {
    let sum = 0;
    for (let i = rank; i > 0; i -= i & -i) sum += tree[i];
    return sum;
  };
  let unequal = 0;
  let ascending = 0;
  values.forEach((value, seen) => {
    const rank = ranks.get(value) ?? 0;
    const smaller = upTo(rank - 1);
    ascending += smaller;
    unequal += smaller + seen - upTo(rank);
    for (let i = rank; i < tree.length; i += i & -i) tree[i]++;
  });
  return { unequal, ascending };
}
