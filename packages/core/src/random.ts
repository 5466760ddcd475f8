// The main module of the package requires node:crypto, which browsers lack.
import xor128 from 'seedrandom/lib/xor128.js';

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
  const generate = xor128(String(seed));
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
 * Derives a seed from names with the caller's digest function (SHA-256 in hexadecimal).
 *
 * @returns an integer in [0, 2^32)
 */
export function deriveSeedBy(
  digest: (text: string) => string,
  parts: readonly (string | number)[],
): number {
  return Number.parseInt(digest(JSON.stringify(parts)).slice(0, 8), 16);
}
