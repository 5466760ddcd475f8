import { createHash } from 'node:crypto';
import seedrandom from 'seedrandom';

/** A seeded source of random numbers; equal seeds give equal sequences on every platform. */
export interface Random {
  /** The next number, uniform in [0, 1). */
  next(): number;
  /** The next integer, uniform in [low, high], both included. */
  integer(low: number, high: number): number;
  /** Puts the items of an array in random order, in place (Fisher and Yates). */
  shuffle<T extends { [index: number]: number; length: number }>(items: T): T;
}

/** Creates a source of random numbers from a seed (xor128 of the `seedrandom` library). */
export function createRandom(seed: number | string): Random {
  const generate = seedrandom.xor128(String(seed));
  const integer = (low: number, high: number) => low + Math.floor(generate() * (high - low + 1));
  return {
    next: () => generate(),
    integer,
    shuffle: (items) => {
      for (let i = items.length - 1; i > 0; i--) {
        const k = integer(0, i);
        const item = items[i];
        items[i] = items[k];
        items[k] = item;
      }
      return items;
    },
  };
}

/**
 * Derives a seed from names, so that randomness never depends on worker order or the clock.
 *
 * @param parts what the randomness is for, such as (base seed, suite, instance, replicate, purpose)
 * @returns an integer in [0, 2^32)
 */
export function deriveSeed(...parts: readonly (string | number)[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32BE(0);
}
