import { describe, expect, it } from 'vitest';
import { createInstance } from '../../../src/jssp/instance.js';
import { edgesOf } from '../../../src/search/flexible/edges.js';
import { createFlexibleKernel } from '../../../src/search/flexible/kernel.js';
import { makespanOf, randomShop } from './random-shop.js';

describe('exchanges between two machines', () => {
  it('shorten two full machines in one step', () => {
    // Jobs of one operation. Machine 0 works for 9 + 6, machine 1 for 9 + 6; after an exchange of the slow ones for 8 + 6.
    const instance = createInstance({
      name: 'two',
      machines: 2,
      jobOffset: Int32Array.of(0, 1, 2, 3, 4),
      machine: Int32Array.of(0, 0, 1, 1),
      duration: Int32Array.of(9, 6, 9, 6),
      modes: {
        offset: Int32Array.of(0, 2, 3, 5, 6),
        machine: Int32Array.of(0, 1, 0, 1, 0, 1),
        duration: Int32Array.of(9, 8, 6, 9, 8, 6),
        chosen: Int32Array.of(0, 2, 3, 5),
      },
    });
    const kernel = createFlexibleKernel(instance, edgesOf(instance));
    kernel.exports.configure(5, 2);
    kernel.exports.configureLooks(3);
    kernel.exports.seedRandom(1);
    kernel.load(Int32Array.of(0, 1, 2, 3), Int32Array.of(0, 2, 3, 5));
    expect(kernel.exports.bestCost()).toBe(15);
    kernel.exports.search(1, 10, 0);
    expect(kernel.exports.bestCost()).toBe(14);
  });

  it('keep every order free of cycles', () => {
    for (let seed = 0; seed < 200; seed++) {
      const features = {
        zeroDurations: seed % 2 === 0,
        graph: seed % 3 === 0,
        setups: seed % 5 === 0,
      };
      const instance = randomShop(seed, 8, 3, features);
      const kernel = createFlexibleKernel(instance, edgesOf(instance));
      kernel.exports.configure(4, 2);
      kernel.exports.configureLooks(1);
      kernel.exports.seedRandom(seed + 1);
      const order = Int32Array.from({ length: instance.operations }, (_, op) => op);
      kernel.load(order, (instance.modes?.chosen ?? order).slice());
      for (let step = 0; step < 50 && kernel.exports.search(1, 100, 0) !== 0; step++) {
        const { order: now, mode, end, last } = kernel.arrays;
        const latest = Math.max(...Array.from(last, (op) => end[op]));
        expect(makespanOf(instance, now, mode.subarray(0, instance.operations))).toBe(latest);
      }
    }
  });
});
