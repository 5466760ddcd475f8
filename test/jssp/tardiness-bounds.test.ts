import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Instance, instanceFromJobs, replaceInstance } from '../../src/jssp/instance.js';
import { totalWeightedTardiness } from '../../src/jssp/objectives.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { tardinessBound, tardinessLowerBound } from '../../src/jssp/tardiness-bounds.js';
import { semiActive } from '../../src/jssp/timing.js';
import { arbitraryInstanceAndSequences } from '../arbitraries.js';
import { arbitraryTinyPinned } from '../search/arbitrary-pinned.js';
import { arbitraryTiny } from '../search/bounds/arbitrary-tiny.js';
import { optimum } from '../search/bounds/optimum.js';

const shop = instanceFromJobs('shop', [
  [
    [0, 3],
    [1, 2],
  ],
  [[1, 4]],
  [[0, 1]],
  [],
]);
const due = Int32Array.of(4, -1, 9, 0);
const weight = Int32Array.of(5, 7, 2, 3);

/** Shops with everything that moves completions, and due dates that they may meet or miss. */
const shapes = { releases: true, dueDates: true, weights: true, downtimes: true };

describe('tardinessLowerBound', () => {
  it('is the sum over jobs alone in the shop', () => {
    expect(tardinessLowerBound(replaceInstance(shop, { due, weight }))).toBe(5 * (5 - 4));
    expect(tardinessLowerBound(shop)).toBe(0);
  });

  it('counts releases, frozen starts and downtimes', () => {
    const busy = replaceInstance(shop, {
      due: Int32Array.of(0, 0, 0, 0),
      release: Int32Array.of(2, 0, 0, 0),
      frozen: Int32Array.of(-1, -1, -1, 6),
      calendar: {
        offset: Int32Array.of(0, 1, 2),
        from: Int32Array.of(4, 1),
        to: Int32Array.of(6, 3),
        resumable: Uint8Array.of(0, 1),
      },
    });
    // Job 1 has to wait for the end of the first downtime, and for what is frozen right behind it;
    // the second one interrupts job 2.
    expect(tardinessLowerBound(busy)).toBe(7 + 3 + 2 + (4 + 2) + (6 + 1));
  });

  it('is exact for a single job', () => {
    const alone = arbitraryInstanceAndSequences({ ...shapes, maxJobs: 1 });
    fc.assert(
      fc.property(alone, ([instance]) => {
        const { operations, machineOperations } = instance;
        fc.pre(operations > 0);
        const schedule = semiActive(instance, machineOperations);
        expect(tardinessLowerBound(instance)).toBe(totalWeightedTardiness(schedule));
      }),
    );
  });

  it('never exceeds the value of a feasible schedule, before and after it has begun', () => {
    fc.assert(
      fc.property(arbitraryInstanceAndSequences(shapes), fc.nat(90), ([free, sequences], now) => {
        const { start } = semiActive(free, sequences);
        const frozen = start.map((time) => (time < now ? time : -1));
        const begun = replaceInstance(free, { frozen });
        const value = totalWeightedTardiness(createSchedule(begun, start));
        expect(tardinessLowerBound(free)).toBeLessThanOrEqual(tardinessLowerBound(begun));
        expect(tardinessLowerBound(begun)).toBeLessThanOrEqual(value);
      }),
    );
  });
});

/** Shops of up to nine operations with due dates that are hard to meet, some with weights. */
const tightShops = fc
  .tuple(
    fc.oneof(
      arbitraryTiny({ downtimes: false }),
      arbitraryTiny({ downtimes: true }),
      arbitraryTinyPinned(),
    ),
    fc.array(fc.integer({ min: -1, max: 30 }), { minLength: 4, maxLength: 4 }),
    fc.option(fc.array(fc.nat(5), { minLength: 4, maxLength: 4 })),
  )
  .map(([instance, due, weight]): Instance => {
    const cut = (values: number[]) => Int32Array.from(values.slice(0, instance.jobs));
    return replaceInstance(instance, { due: cut(due), weight: weight && cut(weight) });
  });

describe('tardinessBound', () => {
  it('is never above the optimum by enumeration, and mostly above jobs alone where these miss it', () => {
    const seen = { missed: 0, raised: 0, met: 0 };
    fc.assert(
      fc.property(tightShops, (instance) => {
        const least = optimum(instance, { objective: 'total-weighted-tardiness' });
        fc.pre(least < Infinity && least > 0);
        const { value, source } = tardinessBound(instance);
        const alone = tardinessLowerBound(instance);
        expect(value).toBeLessThanOrEqual(least);
        expect(source).toBe(value > alone ? 'machine ranks' : 'jobs alone in the shop');
        if (alone === least) return;
        seen.missed++;
        if (value > alone) seen.raised++;
        if (value === least) seen.met++;
      }),
      { numRuns: 1500 },
    );
    expect(seen.raised).toBeGreaterThan(0.75 * seen.missed);
    expect(seen.met).toBeGreaterThan(0.5 * seen.missed);
  });

  it('is the optimum of one machine where jobs of equal length are ready together', () => {
    const jobs = fc.array(fc.tuple(fc.nat(40), fc.nat(9)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(jobs, fc.integer({ min: 1, max: 9 }), (of, duration) => {
        const plain = instanceFromJobs(
          'equal',
          of.map(() => [[0, duration]]),
        );
        const due = Int32Array.from(of, ([time]) => time);
        const weight = Int32Array.from(of, ([, worth]) => worth);
        const instance = replaceInstance(plain, { due, weight });
        const least = optimum(instance, { objective: 'total-weighted-tardiness' });
        expect(tardinessBound(instance).value).toBe(least);
      }),
    );
  });

  it('ignores work of others that no job waits for', () => {
    const plain = instanceFromJobs('three', [[[0, 2]], [[0, 3]], [[0, 1]]]);
    const due = Int32Array.of(0, 0, 50);
    // Alone 2 + 3; one of the first two waits for the other, the shorter one best comes first.
    expect(tardinessBound(replaceInstance(plain, { due }))).toEqual({
      value: 2 + (2 + 3),
      source: 'machine ranks',
    });
    expect(tardinessBound(plain).value).toBe(0);
  });
});
