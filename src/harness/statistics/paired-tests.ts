import { sampleStandardDeviation } from 'simple-statistics';
import { mean, present, sum } from './descriptive.js';
import { normalUpperTail, studentTwoSided } from './distributions.js';

/** Student's test of differences. */
export interface TTest {
  readonly t: number;
  /** Degrees of freedom. */
  readonly freedom: number;
  /** Two-sided. */
  readonly p: number;
}

/**
 * Student's paired t-test (Student 1908, doi:10.1093/biomet/6.1.1): is the mean of the differences of pairs 0? It
 * assumes independent pairs and normal differences.
 *
 * @returns null if there are fewer than two pairs, or if all differences are equal
 */
export function pairedTTest(differences: readonly number[]): TTest | null {
  const pairs = differences.length;
  const average = mean(differences);
  if (average === null || differences.every((one) => one === differences[0])) return null;
  const deviation = sampleStandardDeviation([...differences]);
  const t = average / (deviation / Math.sqrt(pairs));
  return { t, freedom: pairs - 1, p: studentTwoSided(t, pairs - 1) };
}

/** Wilcoxon's test of differences. */
export interface SignedRankTest {
  /** Sum of the ranks of the positive differences. */
  readonly positive: number;
  /** Number of differences that are not 0. */
  readonly pairs: number;
  /** Two-sided. */
  readonly p: number;
  readonly method: 'exact' | 'normal';
}

/** Maximum number of pairs for which counts of rank sums are exact in double precision. */
const MOST_EXACT = 50;

/**
 * Wilcoxon's signed-rank test (Wilcoxon 1945, doi:10.2307/3001968): are the differences of pairs symmetric about 0?
 * Differences of 0 are dropped, as Wilcoxon did; equal ones share the mean of their ranks. Up to 50 pairs the p-value
 * is exact, also with ties: the share of the 2ⁿ sign assignments to these ranks whose sum is at least as far from the
 * middle. Beyond, it is that of the normal approximation with correction for ties and for continuity (Hollander, Wolfe
 * and Chicken 2014, *Nonparametric Statistical Methods*, 3.1).
 *
 * @returns null if fewer than two differences are not 0
 */
export function wilcoxonSignedRank(differences: readonly number[]): SignedRankTest | null {
  const nonzero = differences.filter((difference) => difference !== 0);
  const pairs = nonzero.length;
  if (pairs < 2) return null;
  const { ranks, ties } = midranks(nonzero.map(Math.abs));
  const positive = sum(ranks.filter((_, index) => nonzero[index] > 0));
  const isExact = pairs <= MOST_EXACT;
  const p = isExact ? exactP(positive, ranks) : normalP(positive, pairs, ties);
  return { positive, pairs, p, method: isExact ? 'exact' : 'normal' };
}

/** The smallest two-sided p of the exact test for a number of pairs that differ. */
export function smallestP(pairs: number): number {
  return Math.min(1, 2 / 2 ** pairs);
}

/** Ranks from 1, where equal values share their mean rank, and the sizes of groups of equal values. */
function midranks(values: readonly number[]): { ranks: number[]; ties: number[] } {
  const order = [...values.keys()].sort((a, b) => values[a] - values[b]);
  const ranks = new Array<number>(values.length);
  const ties: number[] = [];
  for (let first = 0; first < order.length; ) {
    let next = first + 1;
    while (next < order.length && values[order[next]] === values[order[first]]) next++;
    for (let k = first; k < next; k++) ranks[order[k]] = (first + 1 + next) / 2;
    if (next - first > 1) ties.push(next - first);
    first = next;
  }
  return { ranks, ties };
}

/** Twice the share of the 2ⁿ sign assignments whose rank sum is at most the smaller one; at most 1. */
function exactP(positive: number, ranks: readonly number[]): number {
  // Mean ranks are multiples of one half, so doubled sums are integers.
  const most = 2 * sum(ranks);
  const ways = new Float64Array(most + 1);
  ways[0] = 1;
  for (const rank of ranks) {
    for (let total = most; total >= 2 * rank; total--) ways[total] += ways[total - 2 * rank];
  }
  const smaller = Math.min(2 * positive, most - 2 * positive);
  return Math.min(1, (2 * sum([...ways.subarray(0, smaller + 1)])) / 2 ** ranks.length);
}

function normalP(positive: number, pairs: number, ties: readonly number[]): number {
  const expected = (pairs * (pairs + 1)) / 4;
  const tied = sum(ties.map((size) => size ** 3 - size)) / 48;
  const variance = (pairs * (pairs + 1) * (2 * pairs + 1)) / 24 - tied;
  const distance = Math.max(0, Math.abs(positive - expected) - 0.5);
  return 2 * normalUpperTail(distance / Math.sqrt(variance));
}

/**
 * Corrects p-values for their number by Holm's step-down method (Holm 1979, https://www.jstor.org/stable/4615733): the
 * probability of wrongly rejecting any hypothesis with a corrected p below α is at most α, however the tests depend on
 * each other. Null means no test, stays null and does not count.
 */
export function holm(values: readonly (number | null)[]): (number | null)[] {
  const ascending = present(values).sort((a, b) => a - b);
  let corrected = 0;
  const steps = new Map<number, number>();
  ascending.forEach((p, index) => {
    corrected = Math.max(corrected, Math.min(1, p * (ascending.length - index)));
    // Of equal values the first has the largest factor, and the others must not fall below it.
    steps.set(p, corrected);
  });
  return values.map((p) => (p === null ? null : (steps.get(p) as number)));
}
