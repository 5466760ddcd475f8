import type { Pair } from '../records/pair.js';
import type { RunRecord } from '../records/record.js';
import { groupBy, mean } from '../statistics/descriptive.js';
import { type InstanceDifferences, testInstances } from '../statistics/instance-differences.js';
import { finalValue } from './curve.js';

/** Planner and method of one side. */
type Side = Pick<RunRecord, 'planner' | 'synthetic' | 'method'>;

/** A planner of a run compared with its partner in the baseline by instance, on one suite or on all. */
export interface PairTest extends Omit<InstanceDifferences, 'less' | 'more' | 'shown'> {
  /** Null: all suites together. */
  readonly suite: string | null;
  readonly variant: string;
  readonly run: Side;
  readonly baseline: Side;
  /**
   * `objective_percent`: by how much the run's value exceeds the baseline's, in percent of the larger one, where both
   * are feasible; less is better. `success_percent`: feasible records of 100.
   */
  readonly measure: 'objective_percent' | 'success_percent';
  /** Number of instances on which the run is better, and worse. */
  readonly better: number;
  readonly worse: number;
  /** Result of the corrected Wilcoxon test at 5 %; null if it is inconclusive. */
  readonly verdict: 'better' | 'worse' | null;
}

/** Seed of the intervals of a comparison. */
const SEED = 0;

/**
 * Tests the pairs of a comparison by instance; replicates are averaged. Differences are in percent of the larger value,
 * so that swapping the two runs only changes their signs.
 */
export function testPairs(pairs: readonly Pair[]): PairTest[] {
  const suites = [...new Set(pairs.map(({ run }) => run.suite))];
  const rows = suites.length > 1 ? [...suites, null] : suites;
  const made = rows.flatMap((suite) => {
    const some = suite === null ? pairs : pairs.filter(({ run }) => run.suite === suite);
    return [...groupBy(some, keyOf).values()].flatMap((group) =>
      (['objective_percent', 'success_percent'] as const).map((measure) => ({
        head: { suite, measure, ...nameOf(group[0]) },
        values: measure === 'success_percent' ? successOf(group) : changesOf(group),
      })),
    );
  });
  const tests = testInstances(
    made.map(({ values }) => values),
    SEED,
  );
  return made.map(({ head }, k) => rowOf(head, tests[k]));
}

type Head = Pick<PairTest, 'suite' | 'measure' | 'variant' | 'run' | 'baseline'>;

function rowOf(head: Head, { less, more, shown, ...tests }: InstanceDifferences): PairTest {
  const wantsLess = head.measure === 'objective_percent';
  const [better, worse] = wantsLess ? [less, more] : [more, less];
  const isBetter = shown === (wantsLess ? 'less' : 'more');
  return { ...head, better, worse, ...tests, verdict: shown && (isBetter ? 'better' : 'worse') };
}

function keyOf({ run, baseline }: Pair): string {
  return JSON.stringify([run.planner, run.method, run.variant, baseline.planner, baseline.method]);
}

function nameOf({ run, baseline }: Pair): Pick<PairTest, 'variant' | 'run' | 'baseline'> {
  const side = ({ planner, synthetic, method }: RunRecord) => ({ planner, synthetic, method });
  return { variant: run.variant, run: side(run), baseline: side(baseline) };
}

function successOf(group: readonly Pair[]) {
  const percent = ({ feasible }: RunRecord) => (feasible ? 100 : 0);
  return {
    own: byInstance(group, ({ run }) => percent(run)),
    others: byInstance(group, ({ baseline }) => percent(baseline)),
  };
}

/** Relative differences of the pairs in which both sides have a value. */
function changesOf(group: readonly Pair[]) {
  const own = byInstance(group, ({ run, baseline }) => {
    const [value, other] = [finalValue(run), finalValue(baseline)];
    if (value === null || other === null) return null;
    return value === other ? 0 : (100 * (value - other)) / Math.max(value, other);
  });
  return { own, others: new Map([...own.keys()].map((instance) => [instance, 0])) };
}

function byInstance(
  group: readonly Pair[],
  quantity: (pair: Pair) => number | null,
): Map<string, number> {
  const means = new Map<string, number>();
  for (const [instance, some] of groupBy(group, ({ run }) => run.instance)) {
    const value = mean(some.flatMap((pair) => quantity(pair) ?? []));
    if (value !== null) means.set(instance, value);
  }
  return means;
}
