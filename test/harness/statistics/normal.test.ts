import { describe, expect, it } from 'vitest';
import { normalUpperTail } from '../../../src/harness/statistics/normal.js';

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
