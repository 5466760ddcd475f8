import { clusterBootstrap } from './bootstrap.js';
import { mean } from './descriptive.js';
import {
  correctTests,
  type PairedTests,
  pairTests,
  roundedDifferences,
} from './difference-tests.js';
import { wilcoxonSignedRank } from './paired-tests.js';

/** Values of one side and the other by instance: means over replicates. What only one side has is no pair. */
export interface InstanceValues {
  readonly own: ReadonlyMap<string, number>;
  readonly others: ReadonlyMap<string, number>;
}

/** Differences by instance, with their interval and tests. */
export interface InstanceDifferences {
  /** Number of instances that both sides have, the pairs; on so many the value is less, equal or more. */
  readonly instances: number;
  readonly less: number;
  readonly equal: number;
  readonly more: number;
  /** Means over them. */
  readonly mean_own: number | null;
  readonly mean_others: number | null;
  /** Mean of the differences by instance, and its 95 % interval. */
  readonly difference: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Wilcoxon's signed-rank test and Student's paired t-test, two-sided; also corrected by Holm's method for all tests made together. */
  readonly p_wilcoxon: number | null;
  readonly p_wilcoxon_holm: number | null;
  readonly p_t: number | null;
  readonly p_t_holm: number | null;
  /** Side of 0 on which the differences lie as the corrected Wilcoxon test shows at 5 %; null if it shows nothing. */
  readonly shown: 'less' | 'more' | null;
  /**
   * Why nothing is shown: no pairs, pairs that are all equal, too few that differ, a p of 5 % or more, or ranks that
   * speak for the one side and the mean for the other; null if something is shown.
   */
  readonly reason: 'no pairs' | 'all equal' | 'too few' | 'not shown' | 'mixed' | null;
}

/**
 * Tests differences by instance (`docs/reference/statistics.md`), all of them together as far as their number is corrected for.
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
    ...{ p_wilcoxon, p_wilcoxon_holm, p_t, p_t_holm },
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
