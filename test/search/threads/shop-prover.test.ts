import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveSource } from '../../../src/jssp/suites.js';
import { optimize } from '../../../src/search/optimize.js';
import { validate } from '../../../src/validator/validate.js';
import { leastMakespan } from '../bounds/flexible/least-makespan.js';
import { arbitraryTinyShop } from '../bounds/flexible/tiny-shops.js';

describe('proofs of shops beside the search', () => {
  it('prove the optimum of a flexible job shop whose simple bounds are below it', async () => {
    const instance = resolveSource('mk01').load();
    const { status, value, lowerBound, schedule } = await optimize(instance, {
      budget: '60s',
      threads: 2,
    });
    expect(validate(schedule.instance, schedule).valid).toBe(true);
    expect([status, value, lowerBound.value]).toEqual(['optimal', 40, 40]);
  }, 90_000);

  it('prove the enumerated optimum of tiny shops with setups and transport', async () => {
    const parts = { setups: true, transport: true, precedence: true, release: true };
    await fc.assert(
      fc.asyncProperty(arbitraryTinyShop(parts), async (shop) => {
        const result = await optimize(shop, { budget: '20s' });
        expect(result.status).toBe('optimal');
        expect(result.value).toBe(leastMakespan(shop));
      }),
      { numRuns: 8 },
    );
  }, 90_000);
});
