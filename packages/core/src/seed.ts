import { deriveSeedBy } from './random.js';
import { sha256 } from './sha256.js';

/**
 * Derives a seed from names, so that randomness never depends on worker order or the clock.
 *
 * @param parts the purpose, such as (base seed, suite, instance, replicate, purpose)
 * @returns an integer in [0, 2^32)
 */
export function deriveSeed(...parts: readonly (string | number)[]): number {
  return deriveSeedBy(sha256, parts);
}
