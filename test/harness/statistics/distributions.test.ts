import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalUpperTail, studentTwoSided } from '../../../src/harness/statistics/distributions.js';

describe('normalUpperTail', () => {
  // scipy 1.17.1: scipy.stats.norm.sf
  it.each([
    [0, 0.5],
    [0.5, 0.3085375387259869],
    [1, 0.15865525393145707],
    [1.959963984540054, 0.025],
    [2.9999, 0.001350341282954925],
    [3, 0.0013498980316300933],
    [3.5, 0.00023262907903552502],
    [6, 9.865876450376946e-10],
    [10, 7.61985302416047e-24],
    [30, 4.906713927147908e-198],
    [-1.5, 0.9331927987311419],
    [-8, 0.9999999999999993],
  ])('of %d is %d', (z, expected) => {
    expect(normalUpperTail(z) / expected).toBeCloseTo(1, 11);
  });
});

describe('studentTwoSided', () => {
  // scipy 1.17.1: 2 * scipy.stats.t.sf(abs(t), freedom)
  it.each([
    [0, 5, 1],
    [0.5, 1, 0.7048327646991335],
    [2, 10, 0.07338803477074037],
    [-3.25, 44, 0.0022154438136669724],
    [12.7062, 1, 0.0500000185607104],
    [1.96, 1000, 0.050273184955748736],
    [8, 30, 6.265822475700759e-9],
    [40, 44, 3.086718293574441e-36],
    [0.001, 7, 0.9992300172449988],
    [2.5, 2e5, 0.01242012491236212],
  ])('of t = %d with %d degrees of freedom is %d', (t, freedom, expected) => {
    expect(studentTwoSided(t, freedom) / expected).toBeCloseTo(1, 9);
  });

  it('is a probability, equal for t and −t, and falls as t goes away from 0', () => {
    const t = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(t, t, fc.integer({ min: 1, max: 5000 }), (one, other, freedom) => {
        const [near, far] = [Math.min(one, other), Math.max(one, other)];
        const p = studentTwoSided(near, freedom);
        expect(p).toBeGreaterThanOrEqual(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(studentTwoSided(-near, freedom)).toBe(p);
        expect(studentTwoSided(far, freedom)).toBeLessThanOrEqual(p + 1e-12);
      }),
    );
  });
});
