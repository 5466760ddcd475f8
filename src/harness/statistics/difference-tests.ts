import { mean } from './descriptive.js';
import { holm, pairedTTest, smallestP, wilcoxonSignedRank } from './paired-tests.js';

/** A planner compared with a baseline: means by instance, in pairs. */
export interface PairedTests {
  /** Number of pairs: instances for which both have a value. */
  readonly pairs: number;
  /** Mean of the baseline on them, and of the differences from it. */
  readonly mean: number | null;
  readonly difference: number | null;
  /** Student's paired t-test, two-sided; p also corrected for the number of tests in the table. */
  readonly t: number | null;
  readonly freedom: number | null;
  readonly p_t: number | null;
  readonly p_t_holm: number | null;
  /**
   * Wilcoxon's signed-rank test, two-sided, and the number of pairs that differ. The corrected p is null if too few
   * differ for any p below 0.05.
   */
  readonly differing: number;
  readonly wilcoxon: 'exact' | 'normal' | null;
  readonly p_wilcoxon: number | null;
  readonly p_wilcoxon_holm: number | null;
  /** Result of the corrected Wilcoxon test, or why there is none. */
  readonly mark: TestMark;
}

/**
 * † p < 0.05, * p < 0.01, in parentheses if the planner is worse than the baseline. `=`: no pair differs. `?`: pairs
 * differ, but too few for any p below 0.05. Empty: inconclusive, or no pairs.
 */
export type TestMark = '' | '†' | '*' | '(†)' | '(*)' | '=' | '?';

/** Corrected p below which a difference is significant. */
const SHOWN = 0.05;
/** Corrected p below which a difference is highly significant. */
const WELL_SHOWN = 0.01;

/** Differences below this share of the largest one are rounding errors. */
const RESOLUTION = 1e-10;

/** Tests the means of instances against those of a baseline, without correction and marks. */
export function pairTests(
  own: ReadonlyMap<string, number>,
  baseline: ReadonlyMap<string, number>,
): PairedTests {
  const shared = [...own].flatMap(([instance, value]) => {
    const other = baseline.get(instance);
    return other === undefined ? [] : [{ value, other }];
  });
  const differences = roundedDifferences(shared.map(({ value, other }) => value - other));
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

/**
 * Rounds differences of means, so that sums of fractions that are equal in theory become equal. A difference and its
 * opposite round alike.
 */
export function roundedDifferences(differences: readonly number[]): number[] {
  const unit = RESOLUTION * Math.max(0, ...differences.map(Math.abs));
  return unit === 0
    ? [...differences]
    : differences.map((one) => Math.sign(one) * Math.round(Math.abs(one) / unit) * unit + 0);
}

/** A test and its measure; null without a baseline. */
interface Tested {
  readonly baseline: PairedTests | null;
  /** Whether larger or smaller values are better. */
  readonly wants: 'more' | 'less';
}

/** Corrects all tests of one table together, each kind separately, and marks them. */
export function correctTests(tested: readonly Tested[]): (PairedTests | null)[] {
  const student = holm(tested.map(({ baseline }) => baseline?.p_t ?? null));
  // A test that cannot be significant is not counted: it would only weaken the others (Tarone 1990).
  const ranked = holm(
    tested.map(({ baseline }) => (canShow(baseline) ? baseline.p_wilcoxon : null)),
  );
  return tested.map(({ baseline, wants }, index) => {
    if (baseline === null) return null;
    const corrected = { ...baseline, p_t_holm: student[index], p_wilcoxon_holm: ranked[index] };
    return { ...corrected, mark: markOf(corrected, wants) };
  });
}

/** Whether enough pairs differ for a significant p. */
function canShow(test: PairedTests | null): test is PairedTests {
  return test !== null && smallestP(test.differing) < SHOWN;
}

/**
 * Marks a test by Wilcoxon's p, as recommended for algorithms on several problems (Demšar 2006,
 * https://jmlr.org/papers/v7/demsar06a.html): it is exact, assumes no normal distribution, and is defined if all
 * differences are equal, as for success rates, unlike the t-test of the paper.
 */
function markOf(test: PairedTests, wants: Tested['wants']): TestMark {
  if (test.pairs === 0) return '';
  if (test.differing === 0) return '=';
  if (!canShow(test)) return '?';
  const p = test.p_wilcoxon_holm ?? 1;
  if (p >= SHOWN) return '';
  const isBetter = wants === 'more' ? (test.difference ?? 0) > 0 : (test.difference ?? 0) < 0;
  const sign = p < WELL_SHOWN ? '*' : '†';
  return isBetter ? sign : `(${sign})`;
}
