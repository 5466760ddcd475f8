import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHeaps } from '../src/heaps.js';

test('heaps return the least item left, whatever is pushed and removed', () => {
  const keys = fc.array(fc.nat(5), { minLength: 12, maxLength: 12 });
  const moves = fc.array(fc.tuple(fc.constantFrom('push', 'pop', 'remove'), fc.nat(11)));
  fc.assert(
    fc.property(keys, moves, (key, steps) => {
      const heaps = createHeaps(Int32Array.of(0, 12, 24), Float64Array.from(key));
      const inside: Set<number>[] = [new Set(), new Set()];
      for (const [move, item] of steps) {
        const heap = item % 2;
        const items = inside[heap];
        const least = [...items].sort((a, b) => key[a] - key[b] || a - b)[0];
        if (move === 'push' && !items.has(item)) {
          heaps.push(heap, item);
          items.add(item);
        } else if (move === 'remove' && items.has(item)) {
          heaps.remove(heap, item);
          items.delete(item);
        } else if (move === 'pop' && items.size > 0) {
          expect(heaps.top(heap)).toBe(least);
          expect(heaps.pop(heap)).toBe(least);
          items.delete(least);
        }
        expect([...heaps.size]).toEqual(inside.map((set) => set.size));
      }
    }),
  );
});
