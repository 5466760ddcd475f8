import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import type { Benchmark } from './benchmark-index.js';
import { instanceChecksum } from './checksum.js';
import type { FileSource } from './formats/source.js';
import type { Instance } from './instance.js';

/**
 * Reads the file of a benchmark with the parser of its format.
 *
 * @throws InputError `checksum_mismatch`, or as the parser does
 */
export function parseBenchmark(
  { name, path, sha256 }: Benchmark,
  parse: (bytes: Uint8Array, source: FileSource) => Instance,
): Instance {
  const instance = parse(readBytes(path), { file: path, name });
  requireNumbers(instance, { name, path, sha256 });
  return instance;
}

/**
 * Requires an instance to have the numbers of a benchmark.
 *
 * @throws InputError `checksum_mismatch`
 */
export function requireNumbers(
  instance: Instance,
  { name, path, sha256 }: Pick<Benchmark, 'name' | 'path' | 'sha256'>,
): void {
  const actual = instanceChecksum(instance);
  if (actual === sha256) return;
  throw new InputError(
    'checksum_mismatch',
    `the numbers are not those of ${name} (SHA-256 ${actual}, not ${sha256})`,
    'restore the file, or give a copy of your own another name and place',
    { file: path },
    actual,
  );
}
