import { present } from './descriptive.js';

/**
 * Corrects p-values for their number by Holm's step-down method (Holm 1979,
 * https://www.jstor.org/stable/4615733): whoever rejects what has a corrected p below α is wrong in any of
 * it with a probability of at most α, however the tests depend on each other. Null is no test, stays
 * null and does not count.
 */
export function holm(values: readonly (number | null)[]): (number | null)[] {
  const ascending = present(values).sort((a, b) => a - b);
  let corrected = 0;
  const steps = new Map<number, number>();
  ascending.forEach((p, index) => {
    corrected = Math.max(corrected, Math.min(1, p * (ascending.length - index)));
    // Of equal values the first is multiplied by most, and the others must not fall below it.
    steps.set(p, corrected);
  });
  return values.map((p) => (p === null ? null : (steps.get(p) as number)));
}
