import { describe, expect, test } from 'vitest';
import { exponential, logNormal, standardNormal } from '../src/distributions.js';
import { createRandom } from '../src/random.js';

/** Mean and deviation of many draws; the same ones in every run. */
function moments(draw: () => number, draws = 20_000): { mean: number; deviation: number } {
  const values = Array.from({ length: draws }, draw);
  const mean = values.reduce((sum, value) => sum + value, 0) / draws;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / draws;
  return { mean, deviation: Math.sqrt(variance) };
}

describe('draws have the mean and the deviation they should', () => {
  const random = createRandom(1);

  test('exponential', () => {
    const { mean, deviation } = moments(() => exponential(random, 7));
    expect(mean).toBeCloseTo(7, 0);
    expect(deviation).toBeCloseTo(7, 0);
  });

  test('normal', () => {
    const { mean, deviation } = moments(() => standardNormal(random));
    expect(mean).toBeCloseTo(0, 1);
    expect(deviation).toBeCloseTo(1, 1);
  });

  test('lognormal', () => {
    const { mean, deviation } = moments(() => logNormal(random, 0.4));
    expect(mean).toBeCloseTo(1, 1);
    expect(deviation).toBeCloseTo(Math.sqrt(Math.exp(0.16) - 1), 1);
  });
});

test('the edges of the random numbers give finite draws', () => {
  for (const edge of [0, 1 - 2 ** -53]) {
    const random = { ...createRandom(1), next: () => edge };
    expect(Number.isFinite(exponential(random, 3))).toBe(true);
    expect(Number.isFinite(logNormal(random, 1))).toBe(true);
  }
});
