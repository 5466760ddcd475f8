import { createRandom } from '@alas-jssp/core';

/** A source of chance that gives the same from the same seed. */
export interface Random {
  /** A whole number, both ends included. */
  readonly int: (low: number, high: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(items: readonly T[]) => T;
  /** Some of the items, in their order. */
  readonly some: <T>(items: readonly T[], probability: number) => T[];
}

export function randomOf(seed: number): Random {
  const { next, integer: int } = createRandom(seed);
  return {
    int,
    chance: (probability) => next() < probability,
    pick: (items) => items[int(0, items.length - 1)],
    some: (items, probability) => items.filter(() => next() < probability),
  };
}
