import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flexibleLowerBound } from '../../../../src/jssp/bounds.js';
import { createInstance, type Instance } from '../../../../src/jssp/instance.js';
import { setupPaths } from '../../../../src/jssp/setup-paths.js';
import { closeShopGap } from '../../../../src/search/bounds/flexible/shop-closing.js';
import { leastMakespan } from './least-makespan.js';

const FAMILIES = 4;

const times = (count: number, max: number, min = 0) =>
  fc
    .array(fc.integer({ min, max }), { minLength: count, maxLength: count })
    .map((values) => Int32Array.from(values));

/** Jobs of one or two operations on two machines, each with one mode or with both, and setups between four families. */
const arbitraryShop: fc.Arbitrary<Instance> = fc
  .record({
    lengths: fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 3, maxLength: 5 }),
    family: times(6, FAMILIES - 1),
    modes: times(6, 2),
    duration: times(12, 9, 1),
    time: times(FAMILIES * FAMILIES, 20),
    first: times(FAMILIES, 5),
    release: times(6, 12),
    anticipatory: times(2, 1),
  })
  .filter(({ lengths }) => lengths.reduce((sum, length) => sum + length, 0) <= 6)
  .map(({ lengths, family, modes, duration, time, first, release, anticipatory }) => {
    const jobOffset = new Int32Array(lengths.length + 1);
    lengths.forEach((length, job) => {
      jobOffset[job + 1] = jobOffset[job] + length;
    });
    const count = jobOffset[lengths.length];
    const machines = Array.from({ length: count }, (_, op) =>
      modes[op] < 2 ? [modes[op]] : [0, 1],
    );
    const offset = new Int32Array(count + 1);
    machines.forEach((those, op) => {
      offset[op + 1] = offset[op] + those.length;
    });
    const machine = Int32Array.from(machines.flat());
    const own = duration.slice(0, machine.length);
    const chosen = offset.slice(0, count);
    return createInstance({
      name: 'families',
      machines: 2,
      jobOffset,
      machine: chosen.map((mode) => machine[mode]),
      duration: chosen.map((mode) => own[mode]),
      modes: { offset, machine, duration: own, chosen },
      release: release.slice(0, count),
      setups: {
        families: FAMILIES,
        family: family.slice(0, count),
        matrixOf: Int32Array.from([0, 0]),
        time,
        first,
        anticipatory: Uint8Array.from(anticipatory),
      },
    });
  });

/** The shortest walk through all families of a set, by trying every one of at most six steps. */
function shortestWalk(time: Int32Array, set: number): number {
  let least = Number.POSITIVE_INFINITY;
  const walk = (at: number, seen: number, length: number, steps: number): void => {
    if (length >= least) return;
    if ((seen & set) === set) {
      least = length;
      return;
    }
    if (steps === 0) return;
    for (let next = 0; next < FAMILIES; next++) {
      walk(next, seen | (1 << next), length + time[at * FAMILIES + next], steps - 1);
    }
  };
  for (let f = 0; f < FAMILIES; f++) if (set & (1 << f)) walk(f, 1 << f, 0, 6);
  return least;
}

describe('setups between families', () => {
  it('have the length of the shortest walk through them', () => {
    fc.assert(
      fc.property(arbitraryShop, (shop) => {
        const paths = setupPaths(shop);
        for (let set = 1; set < 1 << FAMILIES; set++) {
          const walk = shortestWalk(shop.setups?.time ?? new Int32Array(), set);
          expect(paths?.least(1, set)).toBe(walk);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('count in a shop worked out by hand', () => {
    // Four jobs of 5, of three families: no setup within a family, 10 between two of them.
    const shop = createInstance({
      name: 'by hand',
      machines: 1,
      jobOffset: Int32Array.from([0, 1, 2, 3, 4]),
      machine: new Int32Array(4),
      duration: new Int32Array(4).fill(5),
      setups: {
        families: 3,
        family: Int32Array.from([0, 1, 0, 2]),
        matrixOf: Int32Array.of(0),
        time: Int32Array.from([0, 10, 10, 10, 0, 10, 10, 10, 0]),
        first: new Int32Array(3),
        anticipatory: Uint8Array.of(1),
      },
    });
    expect(flexibleLowerBound(shop).value).toBe(4 * 5 + 2 * 10);
    expect(leastMakespan(shop)).toBe(40);
  });

  it('give bounds that are never above the enumerated optimum, and proofs that equal it', () => {
    fc.assert(
      fc.property(arbitraryShop, (shop) => {
        const least = leastMakespan(shop);
        const { value } = flexibleLowerBound(shop);
        expect(value).toBeLessThanOrEqual(least);
        const proven = closeShopGap(shop, {
          value: 1,
          upper: least + 2,
          upperBoundNow: () => least + 2,
          isOver: () => false,
          onBound: (bound) => expect(bound).toBeLessThanOrEqual(least),
          onSchedule: (_, __, makespan) => expect(makespan).toBeGreaterThanOrEqual(least),
        });
        expect(proven).toBe(least);
      }),
      { numRuns: 300 },
    );
  });
});
