import type { Random } from '@alas-jssp/core';

/** The items in random order, as a new list. */
export function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const order = random.shuffle(Array.from(items, (_, at) => at));
  return order.map((at) => items[at]);
}
