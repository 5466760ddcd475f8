import { describe, expect, it } from 'vitest';
import { pairedRate, rateOf, wilson } from '../../src/experiments/rates.js';

describe('rates', () => {
  it('have the intervals of Wilson', () => {
    // Brown, Cai and DasGupta 2001: limits for 8 of 10, and for none of 20.
    const { low, high } = wilson(0.8, 10);
    expect([low, high].map((one) => one.toFixed(4))).toEqual(['0.4902', '0.9433']);
    expect(wilson(0, 20).high.toFixed(4)).toBe('0.1611');
    expect(rateOf([1, 1, 1, 1])).toMatchObject({ percent: 100, high: 100, n: 4 });
    expect(rateOf([1, 1, 1, 1]).low).toBeCloseTo(51.01, 1);
  });

  it('of parts are resampled, and enclose their mean', () => {
    const { percent, low, high } = rateOf([0.2, 0.4, 0.5, 0.9, 1, 0.1]);
    expect(percent).toBeCloseTo(51.67, 1);
    expect(low).toBeLessThan(45);
    expect(high).toBeGreaterThan(60);
  });

  it('without records say nothing', () => {
    expect(rateOf([])).toEqual({ percent: null, low: null, high: null, n: 0 });
    expect(pairedRate([])).toMatchObject({ percent: null, n: 0, p: null });
  });

  it('of pairs have an exact test of signs', () => {
    expect(pairedRate(Array.from({ length: 9 }, () => 1)).p).toBeCloseTo(2 / 512, 10);
    const mixed = pairedRate([1, 1, 1, 1, 1, 1, 1, 1, -1, -1, 0, 0]);
    expect(mixed).toMatchObject({ better: 8, worse: 2, equal: 2, n: 12 });
    // 2 · (1 + 10 + 45) / 1024
    expect(mixed.p).toBeCloseTo(0.109375, 10);
    expect(mixed.percent).toBe(50);
  });
});
