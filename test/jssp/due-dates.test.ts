import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withDueDates } from '../../src/jssp/generator.js';
import { instanceFromJobs, MAX_TIME, replaceInstance } from '../../src/jssp/instance.js';
import { tardinessLowerBound } from '../../src/jssp/objectives.js';
import { arbitraryInstance } from '../arbitraries.js';
import { messageOf } from './formats/refusal.js';

/** A shop of jobs on one machine, by their lengths. */
const shopOf = (...lengths: number[]) =>
  instanceFromJobs(
    'shop',
    lengths.map((length) => [[0, length]] as const),
  );

describe('withDueDates', () => {
  it('makes a job due at its release plus the whole part of tightness × length', () => {
    const shop = replaceInstance(
      instanceFromJobs('shop', [
        [
          [0, 3],
          [1, 4],
        ],
        [[1, 5]],
        [],
      ]),
      { release: Int32Array.of(10, 99, 0) },
    );
    expect([...(withDueDates(shop, 1.3).due ?? [])]).toEqual([10 + 9, 6, 0]);
    expect([...(withDueDates(shop, 1.5).due ?? [])]).toEqual([10 + 10, 7, 0]);
  });

  it('counts in decimals: 1.15 × 100 is 115', () => {
    expect(1.15 * 100).toBeLessThan(115);
    expect(withDueDates(shopOf(100), 1.15).due).toEqual(Int32Array.of(115));
  });

  it('is exact for every tightness with two digits', () => {
    fc.assert(
      fc.property(fc.nat(400), fc.nat(1_000_000), (hundredths, length) => {
        const { due } = withDueDates(shopOf(length), hundredths / 100);
        expect(due).toEqual(Int32Array.of(Math.floor((hundredths * length) / 100)));
      }),
    );
  });

  it.each([
    [1, [4]],
    [2, [4, 2]],
    [5, [4, 2, 2, 2, 1]],
    [7, [4, 4, 2, 2, 2, 2, 1]],
    [10, [4, 4, 2, 2, 2, 2, 2, 2, 1, 1]],
  ])('weighs the first fifth of %i jobs 4, the last 1, the rest 2', (jobs, weights) => {
    const shop = shopOf(...new Array(jobs).fill(1));
    expect([...(withDueDates(shop, 1.3).weight ?? [])]).toEqual(weights);
  });

  it('leaves no job late that is alone in the shop, at a tightness of 1 or more', () => {
    fc.assert(
      fc.property(arbitraryInstance(), fc.constantFrom(1, 1.3, 1.5, 1.6), (instance, tightness) => {
        expect(tardinessLowerBound(withDueDates(instance, tightness))).toBe(0);
      }),
    );
  });

  it.each([-0.5, Number.NaN, Infinity, 1e9])('refuses a tightness of %d', (tightness) => {
    expect(messageOf(() => withDueDates(shopOf(5), tightness))).toBe(
      `dueTightness is ${tightness}; give 0 or more, and so little that no job is due after ${MAX_TIME}`,
    );
  });
});
