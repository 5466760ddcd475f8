import { mean, present } from '../statistics/descriptive.js';
import { holm } from '../statistics/holm.js';
import { pairedTTest } from '../statistics/paired-t-test.js';
import { wilcoxonSignedRank } from '../statistics/wilcoxon.js';
import type { Measure } from './values.js';

/** A planner beside a baseline: means by instance, pair by pair. */
export interface PairedTests {
  /** Number of instances that both have a value for: the pairs. */
  readonly pairs: number;
  /** Mean of the baseline on them, and of the differences from it. */
  readonly mean: number | null;
  readonly difference: number | null;
  /** Student's paired t-test, two-sided; p also corrected for the number of tests in the table. */
  readonly t: number | null;
  readonly freedom: number | null;
  readonly p_t: number | null;
  readonly p_t_holm: number | null;
  /** Wilcoxon's signed-rank test, two-sided; the number of pairs that differ. */
  readonly differing: number;
  readonly wilcoxon: 'exact' | 'normal' | null;
  readonly p_wilcoxon: number | null;
  readonly p_wilcoxon_holm: number | null;
  /** What the corrected p-values say: how sure, and whether it is for the better. */
  readonly mark: Mark;
}

/** † p < 0.05, * p < 0.01; in parentheses where the planner is worse than the baseline. */
export type Mark = '' | '†' | '*' | '(†)' | '(*)';

/** Differences below this share of the largest one are rounding. */
const RESOLUTION = 1e-10;

/** Tests the means of instances against those of a baseline; nothing is corrected or marked yet. */
export function pairTests(
  own: ReadonlyMap<string, number>,
  baseline: ReadonlyMap<string, number>,
): PairedTests {
  const shared = [...own].flatMap(([instance, value]) => {
    const other = baseline.get(instance);
    return other === undefined ? [] : [{ value, other }];
  });
  const differences = rounded(shared.map(({ value, other }) => value - other));
  const student = pairedTTest(differences);
  const ranked = wilcoxonSignedRank(differences);
  return {
    pairs: shared.length,
    mean: mean(shared.map(({ other }) => other)),
    difference: mean(differences),
    t: student?.t ?? null,
    freedom: student?.freedom ?? null,
    p_t: student?.p ?? null,
    p_t_holm: null,
    differing: differences.filter((difference) => difference !== 0).length,
    wilcoxon: ranked?.method ?? null,
    p_wilcoxon: ranked?.p ?? null,
    p_wilcoxon_holm: null,
    mark: '',
  };
}

/** Means are sums of fractions: what should be equal, or 0, is so only after rounding. */
function rounded(differences: readonly number[]): number[] {
  const unit = RESOLUTION * Math.max(0, ...differences.map(Math.abs));
  return unit === 0
    ? [...differences]
    : differences.map((one) => Math.round(one / unit) * unit + 0);
}

/** What is tested, by which measure; nothing without a baseline. */
export interface Tested {
  readonly baseline: PairedTests | null;
  readonly wants: Measure['wants'];
}

/** Corrects all tests of one table together, those of each kind for themselves, and marks them. */
export function correctTests(tested: readonly Tested[]): (PairedTests | null)[] {
  const student = holm(tested.map(({ baseline }) => baseline?.p_t ?? null));
  const ranked = holm(tested.map(({ baseline }) => baseline?.p_wilcoxon ?? null));
  return tested.map(({ baseline, wants }, index) => {
    if (baseline === null) return null;
    const corrected = { ...baseline, p_t_holm: student[index], p_wilcoxon_holm: ranked[index] };
    return { ...corrected, mark: markOf(corrected, wants) };
  });
}

/** As in the paper by the t-test; where that says nothing, as all differences are equal, by Wilcoxon's. */
function markOf(test: PairedTests, wants: Measure['wants']): Mark {
  const [p] = present([test.p_t_holm, test.p_wilcoxon_holm]);
  if (p === undefined || p >= 0.05) return '';
  const isBetter = wants === 'more' ? (test.difference ?? 0) > 0 : (test.difference ?? 0) < 0;
  const sign = p < 0.01 ? '*' : '†';
  return isBetter ? sign : `(${sign})`;
}
