import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { change, clipped, fixed, formatFixed, formatSeconds } from '../../src/report/format.js';

describe('formatFixed', () => {
  it('shows 0 or 100 only for these very numbers', () => {
    expect(formatFixed(99.96, 1)).toBe('99.9');
    expect(formatFixed(100.04, 1)).toBe('100.1');
    expect(formatFixed(0.001, 2)).toBe('0.01');
    expect(formatFixed(-0.001, 2)).toBe('-0.01');
    expect(formatFixed(100, 1)).toBe('100.0');
    expect(formatFixed(0, 2)).toBe('0.00');
    const near = fc.oneof(
      fc.double({ min: 99.9, max: 100.1, noNaN: true }),
      fc.double({ min: -0.1, max: 0.1, noNaN: true }),
    );
    fc.assert(
      fc.property(near, fc.integer({ min: 0, max: 3 }), (value, decimals) => {
        const shown = Number(formatFixed(value, decimals));
        expect(shown === 0).toBe(value === 0);
        expect(shown === 100).toBe(value === 100);
      }),
    );
  });

  it('is never further than one last digit from the number', () => {
    const values = fc.double({ min: -1000, max: 1000, noNaN: true });
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 4 }), (value, decimals) => {
        const text = formatFixed(value, decimals);
        expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(10 ** -decimals + 1e-9);
        expect(text.split('.')[1]?.length ?? 0).toBe(decimals);
      }),
    );
  });
});

describe('column formats', () => {
  it('show a dash where there is no number', () => {
    expect([fixed(1)(null), change(1)(null), formatSeconds(null)]).toEqual(['–', '–', '–']);
  });

  it('show the sign of a change', () => {
    expect([1.25, -0.5, 0].map(change(1))).toEqual(['+1.3', '-0.5', '0.0']);
  });

  it('clip long texts', () => {
    expect(clipped(5)('abcde')).toBe('abcde');
    expect(clipped(5)('abcdef')).toBe('abcd…');
  });
});

describe('formatSeconds', () => {
  it.each([
    [0, '0.0 ms'],
    [0.0004, '0.4 ms'],
    [0.00096, '1 ms'],
    [0.0121, '12 ms'],
    [0.9996, '1.0 s'],
    [3.44, '3.4 s'],
    [59.96, '1 min 00 s'],
    [123, '2 min 03 s'],
    [3599.6, '1 h 00 min'],
    [7500, '2 h 05 min'],
  ])('writes %f as %s', (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text);
  });
});
