import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minAssignmentCost } from '../src/assignment.js';

/** The least total by all permutations. */
function byEnumeration(count: number, cost: readonly number[], taken: readonly number[] = []) {
  if (taken.length === count) return 0;
  let least = Infinity;
  for (let column = 0; column < count; column++) {
    if (taken.includes(column)) continue;
    const rest: number = byEnumeration(count, cost, [...taken, column]);
    least = Math.min(least, cost[taken.length * count + column] + rest);
  }
  return least;
}

describe('minAssignmentCost', () => {
  it('is the least of all permutations', () => {
    const tables = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.constantFrom(1, 9, 2 ** 31 - 1));
    fc.assert(
      fc.property(
        tables.chain(([count, max]) => {
          const size = { minLength: count * count, maxLength: count * count };
          return fc.tuple(fc.constant(count), fc.array(fc.nat({ max }), size));
        }),
        ([count, cost]) => {
          const least = byEnumeration(count, cost);
          expect(minAssignmentCost(count, Float64Array.from(cost))).toBe(least);
        },
      ),
    );
  });
});
