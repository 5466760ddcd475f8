import { deriveSeed } from '@alas-jssp/core/seed';
import { findBenchmark, type InstanceSource } from './suites.js';

/**
 * The seed of an instance for one purpose, derived from (base seed, suite, instance, replicate, purpose). A file that
 * is not a benchmark has no suite here, so that it gives the same results in any folder.
 *
 * @param purpose such as `'plan'`; none for the seed that all purposes share
 */
export function seedOf(
  base: number,
  { suite, name }: Pick<InstanceSource, 'suite' | 'name'>,
  replicate: number,
  ...purpose: readonly string[]
): number {
  const isBenchmark = findBenchmark(name)?.suite === suite;
  return deriveSeed(base, ...(isBenchmark ? [suite, name] : [name]), replicate, ...purpose);
}
