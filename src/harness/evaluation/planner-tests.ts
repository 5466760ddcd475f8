import type { RunRecord } from '../records/record.js';
import { clusterBootstrap } from '../statistics/bootstrap.js';
import { mean } from '../statistics/descriptive.js';
import {
  correctTests,
  type PairedTests,
  pairTests,
  roundedDifferences,
} from '../statistics/difference-tests.js';
import { wilcoxonSignedRank } from '../statistics/paired-tests.js';
import { longest, primalIntegral } from './anytime.js';
import { primalGap } from './curve.js';
import {
  byPlanner,
  type EvaluatedPlanner,
  type MeasuredRecord,
  type MeasuredRecords,
  meansByProblem,
  measureRecords,
  onSuite,
  plannerOf,
  suitesOfTable,
} from './measured-records.js';

/** Name of a planner in a variant. */
type PlannerName = Pick<EvaluatedPlanner, 'planner' | 'variant'>;

/** Two planners on the instances that both have records of, on a suite or on all of them. */
export interface PlannerTest {
  /** Null: all suites together. */
  readonly suite: string | null;
  readonly objective: RunRecord['objective'];
  readonly a: PlannerName;
  readonly b: PlannerName;
  /** Number of instances that both have, the pairs; on so many is a better, b, or neither. */
  readonly instances: number;
  readonly a_better: number;
  readonly b_better: number;
  readonly equal: number;
  /** Means over them. */
  readonly mean_a: number | null;
  readonly mean_b: number | null;
  /** Mean of a − b by instance, and its 95 % interval; below 0 where a is better. */
  readonly difference: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Wilcoxon's signed-rank test and Student's paired t-test, two-sided; also corrected by Holm's method for all tests here. */
  readonly p_wilcoxon: number | null;
  readonly p_wilcoxon_holm: number | null;
  readonly p_t: number | null;
  readonly p_t_holm: number | null;
  /** Of the two the one that the corrected Wilcoxon test shows to be better at 5 %; null if it shows nothing. */
  readonly better: 'a' | 'b' | null;
  /**
   * Why nothing is shown: no pairs, pairs that are all equal, too few that differ, a p of 5 % or more, or ranks that
   * speak for the one and the mean for the other; null if something is shown.
   */
  readonly reason: 'no pairs' | 'all equal' | 'too few' | 'not shown' | 'mixed' | null;
}

/** Tests between all pairs of planners. */
export interface PlannerTests {
  /** `final_gap_percent`: primal gap at the end, 100 for a failure. `primal_integral_seconds`: up to the horizon. */
  readonly measure: TestedMeasure;
  readonly horizon_seconds: number | null;
  readonly rows: readonly PlannerTest[];
}

/** Measures that planners are tested by; less is better. */
export type TestedMeasure = 'final_gap_percent' | 'primal_integral_seconds';

/** Settings of tests between planners. */
export interface PlannerTestOptions {
  /** Default `final_gap_percent`. */
  readonly measure?: TestedMeasure | undefined;
  /** Of primal integrals; default: the longest time that a record worked. */
  readonly horizon?: number | undefined;
  /** Seed of the intervals; default 0. */
  readonly seed?: number | undefined;
}

/**
 * Tests each pair of planners against each other, instance by instance: the difference of their means over
 * replicates, its interval (bootstrap over instances) and p-values. Synthetic planners are not tested.
 */
export function plannerTests(
  records: readonly RunRecord[],
  options: PlannerTestOptions = {},
): PlannerTests {
  return plannerTestsOf(measureRecords(records), options);
}

/** The same of records that are measured already. */
export function plannerTestsOf(
  { measured }: Pick<MeasuredRecords, 'measured'>,
  { measure = 'final_gap_percent', horizon, seed = 0 }: PlannerTestOptions = {},
): PlannerTests {
  const until = horizon ?? longest(measured);
  const quantity = (one: MeasuredRecord) =>
    measure === 'final_gap_percent'
      ? 100 * primalGap(one.value, one.reference)
      : primalIntegral(one, until);
  const own = measured.filter(({ record }) => !record.synthetic);
  const pairs = suitesOfTable(own).flatMap((suite) =>
    pairsOf(onSuite(own, suite), suite, quantity),
  );
  const corrected = correctTests(pairs.map(({ tests }) => ({ baseline: tests, wants: 'less' })));
  return {
    measure,
    horizon_seconds: measure === 'final_gap_percent' ? null : until,
    rows: pairs.map((pair, index) => rowOf(pair, corrected[index] ?? pair.tests, seed)),
  };
}

/** Two planners before they are corrected. */
interface PlannerPair extends Pick<PlannerTest, 'suite' | 'objective' | 'a' | 'b'> {
  /** Means by instance, of the same instances. */
  readonly own: ReadonlyMap<string, number>;
  readonly others: ReadonlyMap<string, number>;
  readonly tests: PairedTests;
}

function pairsOf(
  measured: readonly MeasuredRecord[],
  suite: string | null,
  quantity: (one: MeasuredRecord) => number,
): PlannerPair[] {
  const planners = byPlanner(measured).map((group) => ({
    name: plannerOf(group),
    means: meansByProblem(group, quantity),
  }));
  return planners.flatMap((one, index) =>
    planners.slice(index + 1).flatMap((other): PlannerPair[] => {
      const { objective } = one.name;
      if (other.name.objective !== objective) return [];
      const own = new Map([...one.means].filter(([problem]) => other.means.has(problem)));
      const others = new Map(
        [...own.keys()].map((problem) => [problem, other.means.get(problem) ?? 0]),
      );
      const [a, b] = [one, other].map(({ name: { planner, variant } }) => ({ planner, variant }));
      return [{ suite, objective, a, b, own, others, tests: pairTests(own, others) }];
    }),
  );
}

function rowOf(
  { suite, objective, a, b, own, others }: PlannerPair,
  tests: PairedTests,
  seed: number,
): PlannerTest {
  const differences = roundedDifferences(
    [...own].map(([problem, value]) => value - (others.get(problem) ?? 0)),
  );
  const interval = clusterBootstrap(
    differences.map((one) => [one]),
    { seed },
  );
  return {
    suite,
    objective,
    a,
    b,
    instances: tests.pairs,
    a_better: differences.filter((one) => one < 0).length,
    b_better: differences.filter((one) => one > 0).length,
    equal: differences.filter((one) => one === 0).length,
    mean_a: mean([...own.values()]),
    mean_b: tests.mean,
    difference: tests.difference,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    p_wilcoxon: tests.p_wilcoxon,
    p_wilcoxon_holm: tests.p_wilcoxon_holm,
    p_t: tests.p_t,
    p_t_holm: tests.p_t_holm,
    ...outcomeOf(tests, differences),
  };
}

function outcomeOf(
  { mark, pairs, difference }: PairedTests,
  differences: readonly number[],
): Pick<PlannerTest, 'better' | 'reason'> {
  if (pairs === 0) return { better: null, reason: 'no pairs' };
  if (mark === '=') return { better: null, reason: 'all equal' };
  if (mark === '?') return { better: null, reason: 'too few' };
  if (mark === '') return { better: null, reason: 'not shown' };
  const ranked = wilcoxonSignedRank(differences);
  const middle = ((ranked?.pairs ?? 0) * ((ranked?.pairs ?? 0) + 1)) / 4;
  const byRanks = (ranked?.positive ?? 0) < middle ? 'a' : 'b';
  const byMean = (difference ?? 0) < 0 ? 'a' : 'b';
  return byRanks === byMean ? { better: byMean, reason: null } : { better: null, reason: 'mixed' };
}
