import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTimeHeap } from '../../../src/lcrp/live/time-heap.js';

test('operations come out by time, then by number, whenever they came in', () => {
  const steps = fc.array(fc.option(fc.tuple(fc.nat(9), fc.nat(99))), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (pushes) => {
      const heap = createTimeHeap();
      const inside: [number, number][] = [];
      for (const one of pushes) {
        if (one === null) {
          if (inside.length === 0) continue;
          inside.sort(([a, i], [b, j]) => a - b || i - j);
          expect(heap.pop()).toBe(inside.shift()?.[1]);
        } else {
          inside.push(one);
          heap.push(...one);
        }
        expect(heap.size()).toBe(inside.length);
      }
    }),
  );
});
