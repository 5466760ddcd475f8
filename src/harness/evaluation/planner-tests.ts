import type { RunRecord } from '../records/record.js';
import {
  type InstanceDifferences,
  type InstanceValues,
  testInstances,
} from '../statistics/instance-differences.js';
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

/** A planner in a variant. */
type PlannerName = Pick<EvaluatedPlanner, 'planner' | 'variant'>;

/** Two planners on the instances for which both have records, on one suite or on all. */
export interface PlannerTest {
  /** Null: all suites together. */
  readonly suite: string | null;
  readonly objective: RunRecord['objective'];
  readonly a: PlannerName;
  readonly b: PlannerName;
  /** Number of pairs (instances that both have), and on how many a is better, b is better, or neither. */
  readonly instances: number;
  readonly a_better: number;
  readonly b_better: number;
  readonly equal: number;
  /** Means over these instances. */
  readonly mean_a: number | null;
  readonly mean_b: number | null;
  /** Mean of a − b by instance, and its 95 % interval; below 0 where a is better. */
  readonly difference: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /**
   * p-values of Wilcoxon's signed-rank test and Student's paired t-test, two-sided; also corrected by Holm's method for
   * all tests of this report.
   */
  readonly p_wilcoxon: number | null;
  readonly p_wilcoxon_holm: number | null;
  readonly p_t: number | null;
  readonly p_t_holm: number | null;
  /** The planner that the corrected Wilcoxon test shows to be better at 5 %; null if it is inconclusive. */
  readonly better: 'a' | 'b' | null;
  /** The reason why the test is inconclusive; null if it is not. */
  readonly reason: InstanceDifferences['reason'];
}

/** Tests between all pairs of planners. */
export interface PlannerTests {
  /** The pairs that are corrected for together. */
  readonly family: TestFamily;
  /** `final_gap_percent`: primal gap at the end, 100 for a failure. `primal_integral_seconds`: up to the horizon. */
  readonly measure: TestedMeasure;
  readonly horizon_seconds: number | null;
  readonly rows: readonly PlannerTest[];
}

/** Measures by which planners are tested; less is better. */
export type TestedMeasure = 'final_gap_percent' | 'primal_integral_seconds';

/**
 * The pairs that are tested, and corrected for together: `planners` of the same variant, `variants` of the same planner, or
 * `all`.
 */
export const TEST_FAMILIES = ['all', 'planners', 'variants'] as const;

/** One of {@link TEST_FAMILIES}. */
export type TestFamily = (typeof TEST_FAMILIES)[number];

/** Settings of tests between planners. */
export interface PlannerTestOptions {
  /** The fewer questions, the more each test can show. Default `all`. */
  readonly family?: TestFamily | undefined;
  /** Default `final_gap_percent`. */
  readonly measure?: TestedMeasure | undefined;
  /** Horizon of primal integrals; default: the longest working time of any record. */
  readonly horizon?: number | undefined;
  /** Seed of the intervals; default 0. */
  readonly seed?: number | undefined;
}

/**
 * Tests each pair of planners by instance: the difference of their means over replicates, its interval (bootstrap over
 * instances) and p-values. Synthetic planners are not tested.
 */
export function plannerTests(
  records: readonly RunRecord[],
  options: PlannerTestOptions = {},
): PlannerTests {
  return plannerTestsOf(measureRecords(records), options);
}

/** Like {@link plannerTests}, for records that are already measured. */
export function plannerTestsOf(
  { measured }: Pick<MeasuredRecords, 'measured'>,
  { measure = 'final_gap_percent', horizon, seed = 0, family = 'all' }: PlannerTestOptions = {},
): PlannerTests {
  const until = horizon ?? longest(measured);
  const quantity = (one: MeasuredRecord) =>
    measure === 'final_gap_percent'
      ? 100 * primalGap(one.value, one.reference)
      : primalIntegral(one, until);
  const own = measured.filter(({ record }) => !record.synthetic);
  const pairs = suitesOfTable(own).flatMap((suite) =>
    pairsOf(onSuite(own, suite), suite, quantity).filter((pair) => isInFamily(pair, family)),
  );
  const tests = testInstances(pairs, seed);
  return {
    family,
    measure,
    horizon_seconds: measure === 'final_gap_percent' ? null : until,
    rows: pairs.map((pair, index) => rowOf(pair, tests[index])),
  };
}

/** Two planners before the correction for multiple tests. */
interface PlannerPair
  extends Pick<PlannerTest, 'suite' | 'objective' | 'a' | 'b'>,
    InstanceValues {}

function isInFamily({ a, b }: PlannerPair, family: TestFamily): boolean {
  if (family === 'all') return true;
  return family === 'planners' ? a.variant === b.variant : a.planner === b.planner;
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
      const [a, b] = [one, other].map(({ name: { planner, variant } }) => ({ planner, variant }));
      return [{ suite, objective, a, b, own: one.means, others: other.means }];
    }),
  );
}

function rowOf(
  { suite, objective, a, b }: PlannerPair,
  { less, equal, more, mean_own, mean_others, shown, ...tests }: InstanceDifferences,
): PlannerTest {
  const { instances, ...rest } = tests;
  const counts = { instances, a_better: less, b_better: more, equal };
  const better = shown === null ? null : shown === 'less' ? 'a' : 'b';
  return {
    suite,
    objective,
    a,
    b,
    ...counts,
    mean_a: mean_own,
    mean_b: mean_others,
    ...rest,
    better,
  };
}
