import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lowerBound } from '../../../../src/jssp/bounds.js';
import { createSchedule } from '../../../../src/jssp/schedule.js';
import { withModes } from '../../../../src/jssp/shop-timing/lists.js';
import { closeShopGap } from '../../../../src/search/bounds/flexible/shop-closing.js';
import { validate } from '../../../../src/validator/validate.js';
import { leastMakespan } from './least-makespan.js';
import { arbitraryTinyShop } from './tiny-shops.js';

describe('the learning prover of shops', () => {
  it.each([
    ['alternatives', {}, 200],
    ['releases', { release: true }, 100],
    ['setups', { setups: true }, 200],
    ['transport', { transport: true }, 100],
    ['graphs', { precedence: true, release: true }, 100],
    ['every part', { setups: true, transport: true, precedence: true, release: true }, 200],
  ])('proves the enumerated optimum, and finds its schedule: %s', (_, parts, numRuns) => {
    fc.assert(
      fc.property(arbitraryTinyShop(parts, 7), (shop) => {
        const least = leastMakespan(shop);
        let found = Number.POSITIVE_INFINITY;
        const value = closeShopGap(shop, {
          value: Math.min(lowerBound(shop).value, least),
          upper: least + 5,
          upperBoundNow: () => least + 5,
          isOver: () => false,
          onBound: (bound) => expect(bound).toBeLessThanOrEqual(least),
          onSchedule: (starts, chosen, makespan) => {
            const schedule = createSchedule(withModes(shop, chosen.slice()), starts.slice());
            expect(validate(schedule.instance, schedule).violations).toEqual([]);
            expect(schedule.makespan).toBe(makespan);
            found = makespan;
          },
        });
        expect(value).toBe(least);
        expect(found).toBe(least);
      }),
      { numRuns },
    );
  });
});
