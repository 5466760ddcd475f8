import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.js';

describe('createHeap', () => {
  it('pops what was pushed in order, however pushes and pops are mixed', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: -99, max: 99 }))), (actions) => {
        const heap = createHeap(actions.length, (a, b) => a < b);
        const model: number[] = [];
        for (const item of actions) {
          if (item === null) {
            if (model.length > 0) expect(heap.pop()).toBe(model.shift());
            else expect(heap.pop()).toBe(-1);
          } else {
            heap.push(item);
            model.push(item);
            model.sort((a, b) => a - b);
          }
          expect(heap.size).toBe(model.length);
          expect(heap.peek()).toBe(model[0] ?? -1);
        }
      }),
    );
  });
});
