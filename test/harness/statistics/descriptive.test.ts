import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  geometricMean,
  groupBy,
  mean,
  present,
  quantile,
  sum,
} from '../../../src/harness/statistics/descriptive.js';

const positives = fc.array(fc.double({ min: 0.01, max: 1e6, noNaN: true }), { minLength: 1 });

describe('averages', () => {
  it('are null of nothing, never 0 or NaN', () => {
    expect(mean([])).toBeNull();
    expect(geometricMean([])).toBeNull();
    expect(sum([])).toBe(0);
    expect(quantile([], 0.5)).toBeNull();
  });

  it('agree with hand computation', () => {
    expect(mean([1, 2, 6])).toBe(3);
    expect(geometricMean([2, 8])).toBeCloseTo(4, 12);
  });

  it('lie between the smallest and the largest value, the geometric one below the other', () => {
    fc.assert(
      fc.property(positives, (values) => {
        const arithmetic = mean(values) ?? Number.NaN;
        const geometric = geometricMean(values) ?? Number.NaN;
        const slack = 1e-9 * Math.max(...values);
        expect(geometric).toBeLessThanOrEqual(arithmetic + slack);
        expect(geometric).toBeGreaterThanOrEqual(Math.min(...values) - slack);
        expect(arithmetic).toBeLessThanOrEqual(Math.max(...values) + slack);
      }),
    );
  });

  it('scale with their values', () => {
    fc.assert(
      fc.property(positives, fc.double({ min: 0.1, max: 10, noNaN: true }), (values, factor) => {
        const scaled = values.map((value) => factor * value);
        for (const average of [mean, geometricMean]) {
          const expected = factor * (average(values) ?? Number.NaN);
          expect(Math.abs((average(scaled) ?? Number.NaN) / expected - 1)).toBeLessThan(1e-9);
        }
      }),
    );
  });
});

describe('groupBy', () => {
  it('keeps every item, in order, in the group of its key', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20)), (items) => {
        const groups = groupBy(items, (item) => String(item % 3));
        expect([...groups.values()].flat().sort()).toEqual([...items].sort());
        for (const [key, group] of groups) {
          expect(group).toEqual(items.filter((item) => String(item % 3) === key));
        }
      }),
    );
  });
});

describe('present', () => {
  it('drops null and nothing else', () => {
    expect(present([0, null, '', false, null])).toEqual([0, '', false]);
  });
});

describe('quantile', () => {
  it('is the least value that the share of the values does not exceed', () => {
    const share = fc.double({ min: 0.01, max: 1, noNaN: true });
    fc.assert(
      fc.property(positives, share, (values, part) => {
        const found = quantile(values, part) as number;
        const below = (limit: (value: number) => boolean) => values.filter(limit).length;
        expect(values).toContain(found);
        expect(below((value) => value <= found)).toBeGreaterThanOrEqual(part * values.length);
        expect(below((value) => value < found)).toBeLessThan(part * values.length);
      }),
    );
  });
});
