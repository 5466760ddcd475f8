import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flexibleLowerBound, lowerBounds, simpleBound } from '../../src/jssp/bounds.js';
import { createInstance } from '../../src/jssp/instance.js';
import { resolveSources } from '../../src/jssp/suites.js';
import { leastMakespan } from '../search/bounds/flexible/least-makespan.js';
import { arbitraryTinyShop } from '../search/bounds/flexible/tiny-shops.js';

const parts = { setups: true, transport: true, precedence: true, release: true };

describe('lower bounds of shops with alternatives', () => {
  it('are right on a shop worked out by hand', () => {
    // Four operations of 5 on two machines, one of 4 that only the second can do after 1 on the third.
    const offset = Int32Array.from([0, 2, 4, 6, 8, 9, 10]);
    const machine = Int32Array.from([0, 1, 0, 1, 0, 1, 0, 1, 2, 1]);
    const duration = Int32Array.from([5, 5, 5, 5, 5, 5, 5, 5, 1, 4]);
    const chosen = offset.slice(0, 6);
    const shop = createInstance({
      name: 'by hand',
      machines: 3,
      jobOffset: Int32Array.from([0, 1, 2, 3, 4, 6]),
      machine: chosen.map((at) => machine[at]),
      duration: chosen.map((at) => duration[at]),
      modes: { offset, machine, duration, chosen },
    });
    expect(lowerBounds(shop)).toEqual([
      { value: 5, source: 'job length' },
      { value: 12, source: 'machine load' },
      { value: 12, source: 'machine heads and tails' },
      { value: 12, source: 'one-machine preemptive' },
    ]);
    expect(leastMakespan(shop)).toBe(14);
  });

  it.each([
    ['alternatives', {}],
    ['setups', { setups: true }],
    ['transport and graphs', { transport: true, precedence: true, release: true }],
    ['every part', parts],
  ])('are never above the enumerated optimum: %s', (_, of) => {
    let met = 0;
    fc.assert(
      fc.property(arbitraryTinyShop(of), (shop) => {
        const least = leastMakespan(shop);
        for (const { value } of lowerBounds(shop)) expect(value).toBeLessThanOrEqual(least);
        expect(simpleBound(shop).value).toBeLessThanOrEqual(flexibleLowerBound(shop).value);
        if (flexibleLowerBound(shop).value === least) met++;
      }),
      { numRuns: 150 },
    );
    // They would be of no use if they were rarely met on shops this small.
    expect(met).toBeGreaterThan(50);
  });

  it('are never above the best known makespans of the benchmarks, and equal to many', {
    timeout: 60_000,
  }, () => {
    let met = 0;
    for (const { bounds, load } of resolveSources('flexible')) {
      const { value } = flexibleLowerBound(load());
      expect(value).toBeLessThanOrEqual(bounds?.upper ?? 0);
      if (value === bounds?.upper) met++;
    }
    expect(met).toBeGreaterThanOrEqual(150);
  });
});
