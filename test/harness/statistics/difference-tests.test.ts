import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correctTests, pairTests } from '../../../src/harness/statistics/difference-tests.js';

const means = (values: readonly number[]) =>
  new Map(values.map((value, index) => [`la${index}`, value]));
const of = (own: readonly number[], baseline: readonly number[]) =>
  pairTests(means(own), means(baseline));

describe('pairTests', () => {
  it('pairs the instances that both have', () => {
    const own = new Map([
      ['a', 10],
      ['b', 20],
      ['c', 99],
    ]);
    const baseline = new Map([
      ['b', 18],
      ['a', 9],
      ['d', 1],
    ]);
    expect(pairTests(own, baseline)).toMatchObject({ pairs: 2, mean: 13.5, difference: 1.5 });
  });

  it('takes differences that are only rounding for none', () => {
    const third = 100 / 3;
    const test = of([90, third + third + third, 50], [80, 100, 50]);
    expect(test).toMatchObject({ pairs: 3, differing: 1, p_wilcoxon: null });
  });

  it('has nothing to say of one instance, nor of equal values', () => {
    const nothing = { t: null, p_t: null, wilcoxon: null, p_wilcoxon: null };
    expect(of([], [])).toMatchObject({ pairs: 0, mean: null, difference: null, ...nothing });
    expect(of([5], [3])).toMatchObject({ pairs: 1, difference: 2, ...nothing });
    expect(of([5, 6, 7], [5, 6, 7])).toMatchObject({ pairs: 3, difference: 0, ...nothing });
  });

  it('never gives NaN', () => {
    const values = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { maxLength: 12 });
    fc.assert(
      fc.property(values, values, (own, baseline) => {
        for (const value of Object.values(of(own, baseline))) expect(value).not.toBeNaN();
      }),
    );
  });
});

describe('correctTests', () => {
  const high = [12, 15, 13, 18, 17, 21, 23, 22, 25];
  const low = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const [up, down] = [of(high, low), of(low, high)];

  it('marks what is better, and what is worse in parentheses', () => {
    const marks = (wants: 'more' | 'less') =>
      correctTests([up, null, down].map((baseline) => ({ baseline, wants }))).map(
        (test) => test?.mark,
      );
    expect(marks('more')).toEqual(['*', undefined, '(*)']);
    expect(marks('less')).toEqual(['(*)', undefined, '*']);
  });

  it('corrects for the number of tests, of each kind for itself', () => {
    const [alone] = correctTests([{ baseline: up, wants: 'more' }]);
    expect(alone).toMatchObject({ p_t_holm: up.p_t, p_wilcoxon_holm: 2 / 2 ** 9 });
    const many = correctTests(new Array(40).fill({ baseline: up, wants: 'more' }));
    expect(many[0]?.p_t_holm).toBeCloseTo(40 * (up.p_t ?? 1), 12);
    expect(many[0]?.p_wilcoxon_holm).toBe(80 / 2 ** 9);
  });

  const constant = (pairs: number) => of(new Array(pairs).fill(0), new Array(pairs).fill(100));
  const markOf = (baseline: ReturnType<typeof of>) =>
    correctTests([{ baseline, wants: 'more' }])[0]?.mark;

  it('marks by Wilcoxon’s test, which has an answer where all differences are equal', () => {
    expect(constant(45).p_t).toBeNull();
    expect(markOf(constant(45))).toBe('(*)');
    expect(markOf(constant(6))).toBe('(†)');
  });

  it('does not take five equal differences for significant, and says that they cannot be', () => {
    expect(constant(5)).toMatchObject({ wilcoxon: 'exact', p_wilcoxon: 0.0625 });
    expect(markOf(constant(5))).toBe('?');
    expect(markOf(of([3], [5]))).toBe('?');
    // Nor almost equal ones, of which the t-test is sure.
    expect(markOf(of([0, 1, 0], [100, 100, 100]))).toBe('?');
  });

  it('says where no pair differs, and nothing where there is no pair', () => {
    expect(markOf(of([1, 2], [1, 2]))).toBe('=');
    expect(markOf(of([], []))).toBe('');
  });

  it('does not count what can show nothing among the tests', () => {
    const tested = [up, ...new Array(40).fill(constant(5))];
    const corrected = correctTests(tested.map((baseline) => ({ baseline, wants: 'more' })));
    expect(corrected[0]?.p_wilcoxon_holm).toBe(2 / 2 ** 9);
    expect(corrected[1]).toMatchObject({ p_wilcoxon: 0.0625, p_wilcoxon_holm: null });
  });
});
