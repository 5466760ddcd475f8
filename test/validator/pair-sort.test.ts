import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPairSpace, sortPairs } from '../../src/validator/pair-sort.js';

it('sorts pairs by key and keeps the order of equal keys', () => {
  const key = fc.oneof(fc.nat(5), fc.nat(5000), fc.nat(2 ** 31 - 1));
  fc.assert(
    fc.property(fc.array(fc.array(key, { maxLength: 300 }), { maxLength: 4 }), (lists) => {
      const space = createPairSpace(300);
      for (const keys of lists) {
        space.keys.set(keys);
        space.items.set(keys.map((_, index) => index));
        sortPairs(space, keys.length);
        const expected = [...keys.entries()].sort(([i, a], [k, b]) => a - b || i - k);
        expect(Array.from(space.items.subarray(0, keys.length))).toEqual(
          expected.map(([index]) => index),
        );
        expect(Array.from(space.keys.subarray(0, keys.length))).toEqual(
          expected.map(([, value]) => value),
        );
      }
    }),
  );
});
