import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilcoxonSignedRank } from '../../../src/harness/statistics/wilcoxon.js';
import { DEPRESSION, MAIZE, SIXTY, SLEEP } from './examples.js';

const differences = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 60 });

describe('wilcoxonSignedRank', () => {
  // Of the depression scores V = 40 and, one-sided, p = 0.01953 are published; scipy 1.17.1 for the others
  // (wilcoxon; with method='approx', correction=True where normal).
  it.each([
    ['depression', DEPRESSION, 40, 9, 'exact', 2 * 0.01953125],
    ['maize', MAIZE, 96, 15, 'exact', 0.041259765625],
    ['thirty', SIXTY.slice(0, 30), 339, 30, 'exact', 0.027741437777876854],
    ['sixty', SIXTY, 1245, 60, 'normal', 0.015281075670749017],
    ['sleep', SLEEP, 45, 9, 'normal', 0.009090698015925044],
    ['ties', [1, 1, 2, 2, 2, -1, 3, 0, 0, 5, -2, 4], 47.5, 10, 'normal', 0.044862271152914794],
    ['all equal', new Array(45).fill(100), 1035, 45, 'normal', 2.059768131599161e-11],
  ])('finds what is published: %s', (_, values, positive, pairs, method, p) => {
    const test = wilcoxonSignedRank(values);
    expect(test).toMatchObject({ positive, pairs, method });
    expect((test?.p ?? 0) / p).toBeCloseTo(1, 9);
  });

  it.each([[[]], [[3]], [[0, 0, 0]], [[0, 4, 0]]])('has nothing to say of %j', (values) => {
    expect(wilcoxonSignedRank(values)).toBeNull();
  });

  it('is a probability that does not care which of the two comes first, nor for zeros', () => {
    fc.assert(
      fc.property(differences, (values) => {
        const test = wilcoxonSignedRank(values);
        const turned = wilcoxonSignedRank([...values.map((value) => -value), 0]);
        expect(turned?.p).toBe(test?.p);
        expect(test?.p ?? 0).toBeLessThanOrEqual(1);
        expect(test?.p ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('is exactly the share of the signs that are as extreme', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 2, maxLength: 8 }),
        (sizes) => {
          const ranks = [...sizes].sort((a, b) => a - b);
          const rankOf = (value: number) => 1 + ranks.indexOf(Math.abs(value));
          const most = (sizes.length * (sizes.length + 1)) / 2;
          const values = sizes.map((size, index) => (size % (index + 2) === 0 ? -size : size));
          const seen = values
            .filter((value) => value > 0)
            .reduce((sum, value) => sum + rankOf(value), 0);
          let extreme = 0;
          for (let signs = 0; signs < 2 ** sizes.length; signs++) {
            const positive = sizes.reduce(
              (sum, size, k) => sum + ((signs >> k) & 1) * rankOf(size),
              0,
            );
            if (Math.abs(positive - most / 2) >= Math.abs(seen - most / 2)) extreme++;
          }
          expect(wilcoxonSignedRank(values)?.p).toBeCloseTo(extreme / 2 ** sizes.length, 12);
        },
      ),
    );
  });
});
