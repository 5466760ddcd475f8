import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  holm,
  pairedTTest,
  smallestP,
  wilcoxonSignedRank,
} from '../../../src/harness/statistics/paired-tests.js';
import { DEPRESSION, MAIZE, SIXTY, SLEEP } from './examples.js';

const differences = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 60 });

describe('pairedTTest', () => {
  // t = 4.0621, p = 0.00283 is what textbooks and R print of Student's data; scipy 1.17.1 for the digits.
  it.each([
    ['sleep', SLEEP, 4.062127683382037, 0.002832890197384273],
    ['maize', MAIZE, 2.14798746133112, 0.049702944021800866],
    ['depression', DEPRESSION, 3.035375415648591, 0.016176627434908098],
    ['sixty', SIXTY, 2.23476897504994, 0.02923265479885789],
    ['thirty', SIXTY.slice(0, 30), 1.522380482491839, 0.1387446280692635],
  ])('finds what is published: %s', (_, values, t, p) => {
    const test = pairedTTest(values);
    expect(test?.t).toBeCloseTo(t, 10);
    expect(test?.p).toBeCloseTo(p, 10);
    expect(test?.freedom).toBe(values.length - 1);
  });

  it.each([[[]], [[3]], [[2, 2, 2]], [[0, 0]]])('has nothing to say of %j', (values) => {
    expect(pairedTTest(values)).toBeNull();
  });

  it('does not care which of the two comes first, nor for the unit', () => {
    fc.assert(
      fc.property(differences, fc.integer({ min: 1, max: 9 }), (values, factor) => {
        const test = pairedTTest(values);
        const turned = pairedTTest(values.map((value) => -factor * value));
        expect(turned === null).toBe(test === null);
        if (test === null || turned === null) return;
        expect(turned.t).toBeCloseTo(-test.t, 9);
        expect(turned.p).toBeCloseTo(test.p, 9);
      }),
    );
  });
});

describe('wilcoxonSignedRank', () => {
  // Of the depression scores V = 40 and, one-sided, p = 0.01953 are published; scipy 1.17.1 for the others
  // (wilcoxon; with method='approx', correction=True where normal); those with ties by counting signs.
  it.each([
    ['depression', DEPRESSION, 40, 9, 'exact', 2 * 0.01953125],
    ['maize', MAIZE, 96, 15, 'exact', 0.041259765625],
    ['thirty', SIXTY.slice(0, 30), 339, 30, 'exact', 0.027741437777876854],
    ['sixty', SIXTY, 1245, 60, 'normal', 0.015281075670749017],
    ['sleep', SLEEP, 45, 9, 'exact', 2 / 2 ** 9],
    ['ties', [1, 1, 2, 2, 2, -1, 3, 0, 0, 5, -2, 4], 47.5, 10, 'exact', 48 / 2 ** 10],
    ['five equal', new Array(5).fill(100), 15, 5, 'exact', 0.0625],
    ['45 equal', new Array(45).fill(100), 1035, 45, 'exact', 2 / 2 ** 45],
    ['60 equal', new Array(60).fill(100), 1830, 60, 'normal', 9.807005864472107e-15],
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

  it('is exactly the share of the signs that are as extreme, with ties and zeros', () => {
    const few = fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 2, maxLength: 10 });
    fc.assert(
      fc.property(few, (values) => {
        const sizes = values.filter((value) => value !== 0).map(Math.abs);
        fc.pre(sizes.length > 1);
        const rankOf = (size: number) =>
          sizes.filter((other) => other < size).length +
          (1 + sizes.filter((other) => other === size).length) / 2;
        const sumOf = (isPositive: (index: number) => boolean) =>
          sizes.reduce((sum, size, index) => sum + (isPositive(index) ? rankOf(size) : 0), 0);
        const signs = values.filter((value) => value !== 0).map((value) => value > 0);
        const middle = (sizes.length * (sizes.length + 1)) / 4;
        const seen = Math.abs(sumOf((index) => signs[index]) - middle);
        let extreme = 0;
        for (let bits = 0; bits < 2 ** sizes.length; bits++) {
          if (Math.abs(sumOf((index) => ((bits >> index) & 1) === 1) - middle) >= seen) extreme++;
        }
        const test = wilcoxonSignedRank(values);
        expect(test?.method).toBe('exact');
        expect(test?.p).toBeCloseTo(extreme / 2 ** sizes.length, 12);
      }),
    );
  });

  it('can give no smaller p than that of pairs that all differ the same way', () => {
    for (const pairs of [2, 5, 6, 20]) {
      expect(wilcoxonSignedRank(new Array(pairs).fill(1))?.p).toBe(smallestP(pairs));
    }
    expect(smallestP(5)).toBe(0.0625);
  });
});

const probability = fc.double({ min: 0, max: 1, noNaN: true });
const some = fc.array(fc.option(probability, { freq: 5 }), { maxLength: 30 });

describe('holm', () => {
  it('multiplies the smallest by their number, the next by one less, and never falls', () => {
    // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
    expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
    expect(holm([0.5, null, 0.9])).toEqual([1, null, 1]);
    expect(holm([0.02, 0.02])).toEqual([0.04, 0.04]);
    expect(holm([])).toEqual([]);
  });

  it('keeps the order, is never smaller, never above 1, nor above Bonferroni’s', () => {
    fc.assert(
      fc.property(some, (values) => {
        const corrected = holm(values);
        const tests = values.filter((value) => value !== null).length;
        values.forEach((p, i) => {
          const own = corrected[i];
          if (p === null || own === null) {
            expect(own).toBe(p);
            return;
          }
          expect(own).toBeGreaterThanOrEqual(p);
          expect(own).toBeLessThanOrEqual(Math.min(1, tests * p));
          values.forEach((other, k) => {
            if (other !== null && other <= p) expect(corrected[k]).toBeLessThanOrEqual(own);
          });
        });
      }),
    );
  });
});
