/** A seeded source of random numbers; equal seeds give equal sequences on every platform. */
export interface Random {
  /** The next number, uniform in [0, 1). */
  next(): number;
  /** The next integer, uniform in [low, high], both included. */
  integer(low: number, high: number): number;
  /** Puts the items of an array in random order, in place (Fisher and Yates). */
  shuffle<T extends { [index: number]: number; length: number }>(items: T): T;
}

/** Creates a source of random numbers from a seed. */
export function createRandom(seed: number | string): Random {
  const generate = xorshift128(String(seed));
  const integer = (low: number, high: number) => low + Math.floor(generate() * (high - low + 1));
  return {
    next: generate,
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
 * Marsaglia's xorshift128 (2003, doi:10.18637/jss.v008.i14). The characters of the seed are mixed into the first word, then
 * 64 numbers are discarded, as the library `seedrandom` does: the sequences are those of its `xor128`.
 */
function xorshift128(seed: string): () => number {
  let [x, y, z, w] = [0, 0, 0, 0];
  const step = () => {
    const t = x ^ (x << 11);
    x = y;
    y = z;
    z = w;
    w ^= (w >>> 19) ^ t ^ (t >>> 8);
    return w;
  };
  for (let k = 0; k < seed.length + 64; k++) {
    if (k < seed.length) x ^= seed.charCodeAt(k);
    step();
  }
  return () => (step() >>> 0) / 2 ** 32;
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
