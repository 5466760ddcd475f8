import type { Instance } from '../../../jssp/instance.js';

/** The least time between the end of one mode and the start of a later one on the same machine; 0 on different ones. */
export type LeastGaps = (from: number, to: number) => number;

/**
 * The least gaps by setups, also with other operations in between: setups need not satisfy the triangle inequality, so
 * that these are shortest paths over families, with the shortest operation of each family between its setups.
 */
export function leastGaps(
  { setups, machines }: Instance,
  members: readonly Int32Array[],
  duration: Int32Array,
  operation: readonly number[],
): LeastGaps {
  if (setups === null) return () => 0;
  const { families, family, matrixOf, time } = setups;
  const size = families * families;
  const path = new Float64Array(machines * size);
  const machineOf = new Int32Array(duration.length).fill(-1);
  members.forEach((those, k) => {
    for (const mode of those) machineOf[mode] = k;
    if (matrixOf[k] < 0) return;
    const shortest = new Float64Array(families).fill(Infinity);
    for (const mode of those) {
      const f = family[operation[mode]];
      shortest[f] = Math.min(shortest[f], duration[mode]);
    }
    const row = path.subarray(k * size, (k + 1) * size);
    row.set(time.subarray(matrixOf[k] * size, (matrixOf[k] + 1) * size));
    for (let h = 0; h < families; h++) {
      for (let f = 0; f < families; f++) {
        for (let g = 0; g < families; g++) {
          const around = row[f * families + h] + shortest[h] + row[h * families + g];
          if (around < row[f * families + g]) row[f * families + g] = around;
        }
      }
    }
  });
  return (from, to) => {
    const k = machineOf[from];
    if (k < 0 || k !== machineOf[to]) return 0;
    return path[k * size + family[operation[from]] * families + family[operation[to]]];
  };
}
