import type { Benchmark } from './benchmark-index.js';
import { parseBenchmark } from './benchmark-numbers.js';
import { parseInstance } from './formats/read-instance.js';
import type { Instance } from './instance.js';

/**
 * Reads the file of a benchmark, in any format.
 *
 * @throws InputError `checksum_mismatch` if its numbers have been changed, or as {@link readInstance} does
 */
export function loadBenchmark(benchmark: Benchmark): Instance {
  return parseBenchmark(benchmark, parseInstance);
}
