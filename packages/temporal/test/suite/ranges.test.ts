import { describe, expect, it } from 'vitest';
import { countRanges, formatRanges, readRanges, sliceRanges } from '../../src/suite/ranges.js';

describe('ranges of tasks', () => {
  const some = [0, 1, 2, 5, 7, 8, 100];

  it('are read as they were written', () => {
    const text = formatRanges(some);
    expect(text).toBe('0-2 5 7-8 100');
    expect([...readRanges(text)]).toEqual(some);
    expect(countRanges(text)).toBe(some.length);
    expect([...readRanges(formatRanges([]))]).toEqual([]);
  });

  it('are cut into slices that hold every task once, in order', () => {
    const text = formatRanges(some);
    expect(sliceRanges(text, 3)).toEqual(['0-2', '5 7-8', '100']);
    for (const size of [1, 2, 4, 7, 8]) {
      const slices = sliceRanges(text, size);
      expect(slices).toHaveLength(Math.ceil(some.length / size));
      expect(slices.flatMap((slice) => [...readRanges(slice)])).toEqual(some);
    }
  });

  it('of a million tasks are a few bytes', () => {
    const text = formatRanges(Array.from({ length: 1_000_000 }, (_, index) => index));
    expect(text).toBe('0-999999');
    const slices = sliceRanges(text, 200);
    expect([slices.length, slices[1], slices.at(-1)]).toEqual([5000, '200-399', '999800-999999']);
  });
});
