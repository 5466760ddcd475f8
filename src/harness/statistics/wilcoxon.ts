import { sum } from './descriptive.js';
import { normalUpperTail } from './normal.js';

/** What Wilcoxon's test says of differences. */
export interface SignedRankTest {
  /** Sum of the ranks of the positive differences. */
  readonly positive: number;
  /** Number of differences that are not 0. */
  readonly pairs: number;
  /** Two-sided. */
  readonly p: number;
  readonly method: 'exact' | 'normal';
}

/** Up to so many pairs the counts of rank sums are exact in double precision. */
const MOST_EXACT = 50;

/**
 * Wilcoxon's signed-rank test (Wilcoxon 1945, doi:10.2307/3001968): are the differences of pairs
 * symmetric about 0? Differences of 0 are dropped, as Wilcoxon did. The p-value is exact for up to 50
 * pairs without ties; else it is that of the normal approximation with correction for ties and for
 * continuity (Hollander, Wolfe and Chicken 2014, *Nonparametric Statistical Methods*, 3.1).
 *
 * @returns null if fewer than two differences are not 0
 */
export function wilcoxonSignedRank(differences: readonly number[]): SignedRankTest | null {
  const nonzero = differences.filter((difference) => difference !== 0);
  const pairs = nonzero.length;
  if (pairs < 2) return null;
  const { ranks, ties } = midranks(nonzero.map(Math.abs));
  const positive = sum(ranks.filter((_, index) => nonzero[index] > 0));
  const isExact = pairs <= MOST_EXACT && ties.length === 0;
  const p = isExact ? exactP(positive, pairs) : normalP(positive, pairs, ties);
  return { positive, pairs, p, method: isExact ? 'exact' : 'normal' };
}

/** Ranks from 1, equal values sharing the mean of theirs, and the sizes of groups of equal values. */
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

/** Twice the share of the 2ⁿ signs whose rank sum is as small as the smaller one, at most 1. */
function exactP(positive: number, pairs: number): number {
  const most = (pairs * (pairs + 1)) / 2;
  const ways = new Float64Array(most + 1);
  ways[0] = 1;
  for (let rank = 1; rank <= pairs; rank++) {
    for (let total = most; total >= rank; total--) ways[total] += ways[total - rank];
  }
  const smaller = Math.min(positive, most - positive);
  return Math.min(1, (2 * sum([...ways.subarray(0, smaller + 1)])) / 2 ** pairs);
}

function normalP(positive: number, pairs: number, ties: readonly number[]): number {
  const expected = (pairs * (pairs + 1)) / 4;
  const tied = sum(ties.map((size) => size ** 3 - size)) / 48;
  const variance = (pairs * (pairs + 1) * (2 * pairs + 1)) / 24 - tied;
  const distance = Math.max(0, Math.abs(positive - expected) - 0.5);
  return 2 * normalUpperTail(distance / Math.sqrt(variance));
}
