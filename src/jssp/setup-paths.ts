import type { Instance } from './instance.js';

/** The families of operations as bits, so that a set of operations has a number. */
export interface SetupPaths {
  /** By operation: its family as a bit. */
  readonly bit: Int32Array;
  /** The least sum of setups between operations of a machine that are of these families, one after the other. */
  least(machine: number, families: number): number;
}

/** With more families there are too many sets of them. */
const MAX_FAMILIES = 8;

/**
 * The least setups by set of families (Vilím and Barták 2002, doi:10.1007/3-540-46135-3_49): the shortest path through
 * all of them, from any to any. Setups count with the shortest way over other families, so that other operations in
 * between, and families that occur again, make no path shorter.
 *
 * @returns null if there are no setups, or too many families
 */
export function setupPaths({ setups, operations }: Instance): SetupPaths | null {
  if (setups === null || setups.families > MAX_FAMILIES) return null;
  const { families, family, matrixOf, time } = setups;
  const bit = Int32Array.from({ length: operations }, (_, op) => 1 << family[op]);
  const size = families * families;
  const tables = Array.from({ length: time.length / size }, (_, matrix) =>
    tableOf(time.slice(matrix * size, (matrix + 1) * size), families),
  );
  return {
    bit,
    least: (machine, set) => (matrixOf[machine] < 0 ? 0 : tables[matrixOf[machine]][set]),
  };
}

/** By set of families the length of the shortest path through them. */
function tableOf(time: Int32Array, families: number): Float64Array {
  for (let h = 0; h < families; h++) {
    for (let f = 0; f < families; f++) {
      for (let g = 0; g < families; g++) {
        const around = time[f * families + h] + time[h * families + g];
        if (around < time[f * families + g]) time[f * families + g] = around;
      }
    }
  }
  const sets = 1 << families;
  const least = new Float64Array(sets).fill(Infinity);
  // By set and last family: the shortest path that ends there.
  const ending = new Float64Array(sets * families).fill(Infinity);
  least[0] = 0;
  for (let set = 1; set < sets; set++) {
    for (let last = 0; last < families; last++) {
      if ((set & (1 << last)) === 0) continue;
      const rest = set ^ (1 << last);
      let path = rest === 0 ? 0 : Infinity;
      for (let f = 0; f < families; f++) {
        path = Math.min(path, ending[rest * families + f] + time[f * families + last]);
      }
      ending[set * families + last] = path;
      least[set] = Math.min(least[set], path);
    }
  }
  return least;
}
