import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMinTree, generateActive } from '../../../src/search/construct/active.js';
import { generateNonDelay } from '../../../src/search/construct/non-delay.js';
import { findRule } from '../../../src/search/construct/rules.js';
import { arbitraryExecution } from '../arbitrary-execution.js';

test('a tree knows the first of the smallest values after every change', () => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(9)), { minLength: 1 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), changes, (count, steps) => {
      const tree = createMinTree(count);
      const values = new Array<number>(count).fill(Number.POSITIVE_INFINITY);
      for (const [at, value] of steps) {
        values[at % count] = value;
        tree.set(at % count, value);
        expect(tree.first()).toBe(values.indexOf(Math.min(...values)));
        expect(tree.get(tree.first())).toBe(Math.min(...values));
      }
    }),
  );
});

test('without patience schedules are those without delay', () => {
  fc.assert(
    fc.property(arbitraryExecution({ downtimes: true }), fc.nat(), (instance, seed) => {
      const priority = findRule('random').prioritize(instance, seed);
      expect(generateActive(instance, priority, 0)).toEqual(generateNonDelay(instance, priority));
    }),
    { numRuns: 300 },
  );
});
