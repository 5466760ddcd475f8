import type { Benchmark } from '../../jssp/benchmark-index.js';

/** No benchmarks: their files are not in the bundle. */
export const benchmarks = (): ReadonlyMap<string, Benchmark> => new Map();

/** No names of the ALAS paper. */
export const paperNames = (): ReadonlyMap<string, string> => new Map();

/** No members of suites. */
export const benchmarksOf = (): undefined => undefined;
