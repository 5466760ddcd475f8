import { clusterBootstrap } from './bootstrap.js';
import { mean } from './descriptive.js';
import {
  correctTests,
  type PairedTests,
  pairTests,
  roundedDifferences,
} from './difference-tests.js';
import { wilcoxonSignedRank } from './paired-tests.js';

/** Values of two sides by instance: means over replicates. An instance with a value on one side only is not a pair. */
export interface InstanceValues {
  readonly own: ReadonlyMap<string, number>;
  readonly others: ReadonlyMap<string, number>;
}

/** Differences by instance, with their interval and tests. */
export interface InstanceDifferences {
  /** Number of pairs (instances that both sides have), and on how many the value is less, equal or more. */
  readonly instances: number;
  readonly less: number;
  readonly equal: number;
  readonly more: number;
  /** Means over the pairs. */
  readonly mean_own: number | null;
  readonly mean_others: number | null;
  /** Mean of the differences by instance, and its 95 % interval. */
  readonly difference: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /**
   * p-values of Wilcoxon's signed-rank test and Student's paired t-test, two-sided; also corrected by Holm's method for
   * all tests made together.
   */
  readonly p_wilcoxon: number | null;
  readonly p_wilcoxon_holm: number | null;
  readonly p_t: number | null;
  readonly p_t_holm: number | null;
  /** Sign of the differences if the corrected Wilcoxon test is significant at 5 %; null if it is inconclusive. */
  readonly shown: 'less' | 'more' | null;
  /**
   * The reason why the test is inconclusive: no pairs, all pairs equal, too few that differ, a p of 5 % or more, or
   * ranks and mean with opposite signs; null if it is conclusive.
   */
  readonly reason: 'no pairs' | 'all equal' | 'too few' | 'not shown' | 'mixed' | null;
}

/**
 * Tests differences by instance (`docs/reference/statistics.md`); p-values are corrected for all of them together.
 *
 * @param seed of the intervals (bootstrap over instances)
 */
export function testInstances(
  values: readonly InstanceValues[],
  seed: number,
): InstanceDifferences[] {
  const tests = values.map(({ own, others }) => pairTests(own, others));
  const corrected = correctTests(tests.map((baseline) => ({ baseline, wants: 'less' })));
  return values.map((one, k) => describe(one, corrected[k] ?? tests[k], seed));
}

function describe(
  { own, others }: InstanceValues,
  tests: PairedTests,
  seed: number,
): InstanceDifferences {
  const shared = [...own].filter(([instance]) => others.has(instance));
  const differences = roundedDifferences(
    shared.map(([instance, value]) => value - (others.get(instance) ?? 0)),
  );
  const interval = clusterBootstrap(
    differences.map((one) => [one]),
    { seed },
  );
  const { p_wilcoxon, p_wilcoxon_holm, p_t, p_t_holm } = tests;
  return {
    instances: tests.pairs,
    less: differences.filter((one) => one < 0).length,
    equal: differences.filter((one) => one === 0).length,
    more: differences.filter((one) => one > 0).length,
    mean_own: mean(shared.map(([, value]) => value)),
    mean_others: tests.mean,
    difference: tests.difference,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    p_wilcoxon,
    p_wilcoxon_holm,
    p_t,
    p_t_holm,
    ...outcomeOf(tests, differences),
  };
}

function outcomeOf(
  { mark, pairs, difference }: PairedTests,
  differences: readonly number[],
): Pick<InstanceDifferences, 'shown' | 'reason'> {
  if (pairs === 0) return { shown: null, reason: 'no pairs' };
  if (mark === '=') return { shown: null, reason: 'all equal' };
  if (mark === '?') return { shown: null, reason: 'too few' };
  if (mark === '') return { shown: null, reason: 'not shown' };
  const ranked = wilcoxonSignedRank(differences);
  const middle = ((ranked?.pairs ?? 0) * ((ranked?.pairs ?? 0) + 1)) / 4;
  const byRanks = (ranked?.positive ?? 0) < middle ? 'less' : 'more';
  const byMean = (difference ?? 0) < 0 ? 'less' : 'more';
  return byRanks === byMean ? { shown: byMean, reason: null } : { shown: null, reason: 'mixed' };
}
