// Twenty generated shops with sequence-dependent setups, of 10 × 5 to 50 × 20; no bounds of them are known.
import { generateFlexible } from 'alas-jssp/jssp';
import type { Benchmark } from './benchmark.js';

/** Jobs and machines: one shop of each with one machine an operation, one with two on average. */
const SIZES: readonly (readonly [jobs: number, machines: number])[] = [
  [10, 5],
  [15, 5],
  [10, 10],
  [15, 10],
  [20, 10],
  [30, 10],
  [20, 15],
  [30, 15],
  [50, 15],
  [50, 20],
];

/** Setups take up to half of the longest duration; every machine has those between five families of jobs. */
export function setupShops(): Benchmark[] {
  return SIZES.flatMap(([jobs, machines], size) =>
    [1, 2].map((flexibility): Benchmark => {
      const name = `setups-${jobs}x${machines}-${flexibility}`;
      return {
        name,
        suite: 'setups',
        path: '',
        bounds: { lower: 0, upper: Number.NaN, asOf: '' },
        sha256: null,
        load: () =>
          generateFlexible({
            ...{ name, jobs, machines, flexibility },
            ...{ families: 5, maxSetup: 50, minDuration: 1, maxDuration: 99 },
            seed: 10 * size + flexibility,
          }),
      };
    }),
  );
}
