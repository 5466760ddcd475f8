import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterBootstrap } from '../../../src/harness/statistics/bootstrap.js';

const clusters = [[90, 91, 92], [80, 82], [95], [70, 75, 71], [88, 88, 88], [60, 99]];

describe('clusterBootstrap', () => {
  it('agrees with scipy.stats.bootstrap of the same clusters', () => {
    // scipy 1.17.1, percentile method, 200000 resamples: 77.0625 to 89.4545…
    const interval = clusterBootstrap(clusters, { seed: 1, resamples: 100_000 });
    expect(interval?.low).toBeCloseTo(77.06, 0);
    expect(interval?.high).toBeCloseTo(89.45, 0);
  });

  it('depends on the seed alone', () => {
    expect(clusterBootstrap(clusters, { seed: 7 })).toEqual(
      clusterBootstrap(clusters, { seed: 7 }),
    );
    expect(clusterBootstrap(clusters, { seed: 7 })).not.toEqual(
      clusterBootstrap(clusters, { seed: 8 }),
    );
  });

  it('is wider the more the values of a cluster go together', () => {
    const width = (some: number[][]) => {
      const { low, high } = clusterBootstrap(some, { seed: 3 }) ?? { low: 0, high: 0 };
      return high - low;
    };
    const values = Array.from({ length: 20 }, (_, k) => 3 * k);
    const together = values.map((value) => [value, value, value]);
    expect(width(together)).toBeGreaterThan(1.4 * width(together.flat().map((value) => [value])));
  });

  it('says nothing of one cluster, nor of what does not vary', () => {
    expect(clusterBootstrap([], { seed: 1 })).toBeNull();
    expect(clusterBootstrap([[1, 2, 3]], { seed: 1 })).toBeNull();
    expect(clusterBootstrap([[5, 5], [5]], { seed: 1 })).toBeNull();
  });

  it('has the mean of symmetric values inside, and lies within the values', () => {
    const half = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 4, maxLength: 20 });
    fc.assert(
      fc.property(half, fc.nat(), (values, seed) => {
        const both = values.flatMap((value) => [[50 + value], [50 - value]]);
        const { low, high } = clusterBootstrap(both, { seed, resamples: 500 }) ?? {
          low: 1,
          high: 0,
        };
        expect(low).toBeLessThanOrEqual(50);
        expect(high).toBeGreaterThanOrEqual(50);
        expect(low).toBeGreaterThanOrEqual(50 - Math.max(...values));
        expect(high).toBeLessThanOrEqual(50 + Math.max(...values));
      }),
      { numRuns: 50 },
    );
  });
});
