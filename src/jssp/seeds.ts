import { deriveSeed } from '../core/seed.js';
import { findBenchmark, type InstanceSource } from './suites.js';

/**
 * The seed of what is random about an instance, for one purpose: it derives from (base seed, suite,
 * instance, replicate, purpose). A file that is no benchmark has no suite in this: it gives the same
 * results in whatever folder it lies.
 *
 * @param purpose such as `'plan'`; none for what all purposes share
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
