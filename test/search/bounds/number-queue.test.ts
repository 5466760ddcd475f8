import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNumberQueue } from '../../../src/search/bounds/propagation.js';

test('numbers leave in the order they came, none of them twice at a time', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(4))), (steps) => {
      const queue = createNumberQueue(5);
      let model: number[] = [];
      for (const number of steps) {
        if (number === null) {
          if (model.length > 0) expect(queue.shift()).toBe(model[0]);
          model = model.slice(1);
        } else {
          queue.push(number);
          if (!model.includes(number)) model.push(number);
        }
        expect(queue.size()).toBe(model.length);
      }
      queue.clear();
      expect(queue.size()).toBe(0);
      queue.push(3);
      expect(queue.shift()).toBe(3);
    }),
  );
});
