import fc from 'fast-check';
import { expect, test } from 'vitest';
import { horizonOf } from '../../src/jssp/bounds.js';
import { instanceFromJobs, replaceInstance } from '../../src/jssp/instance.js';
import { semiActive } from '../../src/jssp/timing.js';
import { arbitraryInstanceAndSequences } from '../arbitraries.js';

test('every semi-active schedule ends by the horizon, before and after it has begun', () => {
  const shops = arbitraryInstanceAndSequences({ releases: true, downtimes: true });
  fc.assert(
    fc.property(shops, fc.nat(60), ([free, sequences], now) => {
      const { start, makespan } = semiActive(free, sequences);
      expect(makespan).toBeLessThanOrEqual(horizonOf(free));
      const frozen = start.map((time) => (time < now ? time : -1));
      expect(makespan).toBeLessThanOrEqual(horizonOf(replaceInstance(free, { frozen })));
    }),
  );
});

test('the horizon is the last release, frozen start or downtime, and all work', () => {
  const shop = instanceFromJobs('shop', [[[0, 3]], [[0, 4]]]);
  expect(horizonOf(shop)).toBe(7);
  const busy = replaceInstance(shop, {
    release: Int32Array.of(5, 0),
    frozen: Int32Array.of(-1, 6),
    calendar: {
      offset: Int32Array.of(0, 1),
      from: Int32Array.of(20),
      to: Int32Array.of(22),
      resumable: Uint8Array.of(1),
    },
  });
  expect(horizonOf(busy)).toBe(29);
});
