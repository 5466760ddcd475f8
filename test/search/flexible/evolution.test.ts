import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Instance } from '../../../src/jssp/instance.js';
import { modesOf } from '../../../src/jssp/shop-parts.js';
import { createFlexibleEvolution } from '../../../src/search/flexible/evolution.js';
import { fitsFlexibleKernel } from '../../../src/search/flexible/fits.js';
import { makespanOf, randomShop } from './random-shop.js';

/** The best solution of a short search. */
function searched(instance: Instance, seed: number, iterations: number, warm?: Int32Array) {
  const evolution = createFlexibleEvolution({ instance }, { seed, iterations }, warm ?? null);
  while (evolution.iterations < iterations && evolution.restarts < 3) evolution.advance();
  if (evolution.best === null) throw new Error('nothing found');
  return evolution.best;
}

const features = fc.record({
  setups: fc.boolean(),
  transport: fc.boolean(),
  graph: fc.boolean(),
  releases: fc.boolean(),
  zeroDurations: fc.boolean(),
});

describe('the search of flexible shops', () => {
  it('finds schedules that cost what it says, with every feature', () => {
    fc.assert(
      fc.property(
        fc.nat(1e6),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 5 }),
        features,
        (seed, jobs, machines, given) => {
          const instance = randomShop(seed, jobs, machines, given);
          expect(fitsFlexibleKernel(instance)).toBe(true);
          const { cost, order } = searched(instance, seed, 300);
          const { operations } = instance;
          expect(order.length).toBe(2 * operations);
          const sorted = [...order.subarray(0, operations)].toSorted((a, b) => a - b);
          expect(sorted).toEqual(Array.from({ length: operations }, (_, op) => op));
          const mode = order.subarray(operations);
          expect(makespanOf(instance, order.subarray(0, operations), mode)).toBe(cost);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('finds the optimum of small plain shops', () => {
    for (let seed = 0; seed < 40; seed++) {
      const instance = randomShop(seed, 3, 2, { zeroDurations: seed % 2 === 0 });
      if (instance.operations > 6) continue;
      expect(searched(instance, seed, 2000).cost, `seed ${seed}`).toBe(leastMakespan(instance));
    }
  });

  it('never loses the solution it starts from, and equal seeds give equal results', () => {
    const instance = randomShop(7, 8, 5, { setups: true, transport: true });
    const one = searched(instance, 1, 400);
    expect(searched(instance, 1, 400)).toEqual(one);
    expect(searched(instance, 2, 1, one.order).cost).toBeLessThanOrEqual(one.cost);
  });

  it('leaves shops to other searches that it does not know', () => {
    const plain = randomShop(3, 3, 3, {});
    expect(fitsFlexibleKernel(plain)).toBe(true);
    expect(fitsFlexibleKernel(plain, 'total-weighted-tardiness')).toBe(false);
    const maxLag = new Int32Array(plain.operations);
    expect(fitsFlexibleKernel({ ...plain, precedence: { ...noEdges, maxLag } })).toBe(false);
  });
});

const noEdges = { offset: new Int32Array(), pred: new Int32Array(), minLag: new Int32Array() };

/** The least makespan over all modes and all orders of operations. */
function leastMakespan(instance: Instance): number {
  const { operations, jobs, jobOffset } = instance;
  let least = Number.POSITIVE_INFINITY;
  const mode = new Int32Array(operations);
  const order: number[] = [];
  const next = Array.from(jobOffset);
  const extend = () => {
    if (order.length === operations) {
      least = Math.min(least, makespanOf(instance, order, mode));
      return;
    }
    for (let job = 0; job < jobs; job++) {
      const op = next[job];
      if (op === jobOffset[job + 1]) continue;
      next[job]++;
      order.push(op);
      const [first, stop] = modesOf(instance, op);
      for (mode[op] = first; mode[op] < stop; mode[op]++) extend();
      mode[op] = first;
      order.pop();
      next[job]--;
    }
  };
  for (let op = 0; op < operations; op++) [mode[op]] = modesOf(instance, op);
  extend();
  return least;
}
