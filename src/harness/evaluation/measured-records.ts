import { isExecuted, type RunRecord } from '../records/record.js';
import { groupBy, present } from '../statistics/descriptive.js';
import { type CurveStep, curveOf, finalValue, problemOf, workedSeconds } from './curve.js';

/** A planner in a variant under an objective, and whether it makes faulty plans on purpose. */
export type EvaluatedPlanner = Pick<RunRecord, 'planner' | 'variant' | 'synthetic' | 'objective'>;

/** A record that can be measured: its course, and the best known value of its problem. */
export interface MeasuredRecord {
  readonly record: RunRecord;
  /** An instance under an objective, as one text. */
  readonly problem: string;
  /** The smaller of the upper bound and the best value of all records that are not synthetic. */
  readonly reference: number;
  readonly steps: readonly CurveStep[];
  /** Value of the final schedule; null without a feasible one. */
  readonly value: number | null;
  /** Working time in seconds. */
  readonly seconds: number;
}

/** Numbers of records that cannot be measured. */
export interface LeftOut {
  /** Executed under disruptions, for which no best value is known. */
  readonly executed: number;
  /** Records of problems without an upper bound and without any feasible schedule. */
  readonly without_reference: number;
}

/** Measured records, and the numbers of those that cannot be measured. */
export interface MeasuredRecords {
  readonly measured: readonly MeasuredRecord[];
  readonly left_out: LeftOut;
}

/** Assigns to every record the best known value of its problem. */
export function measureRecords(records: readonly RunRecord[]): MeasuredRecords {
  const planned = records.filter((record) => !isExecuted(record) && record.method === null);
  const references = new Map<string, number>();
  for (const [problem, some] of groupBy(planned, problemOf)) {
    const reference = referenceOf(some);
    if (reference !== null) references.set(problem, reference);
  }
  const measured = planned.flatMap((record): MeasuredRecord[] => {
    const problem = problemOf(record);
    const reference = references.get(problem);
    if (reference === undefined) return [];
    const steps = curveOf(record, reference);
    const seconds = Math.max(workedSeconds(record), steps.at(-1)?.seconds ?? 0);
    return [{ record, problem, reference, steps, value: finalValue(record), seconds }];
  });
  return {
    measured,
    left_out: {
      executed: records.length - planned.length,
      without_reference: planned.length - measured.length,
    },
  };
}

function referenceOf(records: readonly RunRecord[]): number | null {
  const own = records.filter(({ synthetic }) => !synthetic).map(finalValue);
  const known = present([...own, ...records.map(({ upper_bound }) => upper_bound)]);
  return known.length === 0 ? null : Math.min(...known);
}

/** Records by planner, variant and objective, in the order in which these first appear. */
export function byPlanner(measured: readonly MeasuredRecord[]): MeasuredRecord[][] {
  const key = ({ record: { planner, variant, objective } }: MeasuredRecord) =>
    JSON.stringify([planner, variant, objective]);
  return [...groupBy(measured, key).values()];
}

/** The planner that a group of records has in common. */
export function plannerOf(group: readonly MeasuredRecord[]): EvaluatedPlanner {
  const { planner, variant, objective } = group[0].record;
  return { planner, variant, objective, synthetic: group.some(({ record }) => record.synthetic) };
}

/** The suites of a table; if there are several, null for all of them follows. */
export function suitesOfTable(measured: readonly MeasuredRecord[]): (string | null)[] {
  const suites = [...new Set(measured.map(({ record }) => record.suite))];
  return suites.length > 1 ? [...suites, null] : suites;
}

/** The records of one suite, or of all suites (null). */
export function onSuite(
  measured: readonly MeasuredRecord[],
  suite: string | null,
): readonly MeasuredRecord[] {
  return suite === null ? measured : measured.filter(({ record }) => record.suite === suite);
}

/**
 * Weight of each record in a mean in which every problem has the same weight, whatever its replicates; the weights add
 * up to 1.
 */
export function weightsOf(measured: readonly MeasuredRecord[]): Map<MeasuredRecord, number> {
  const problems = groupBy(measured, ({ problem }) => problem);
  return new Map(
    measured.map((one) => {
      const replicates = problems.get(one.problem)?.length ?? 1;
      return [one, 1 / (replicates * problems.size)];
    }),
  );
}

/** The mean of each problem over its replicates. */
export function meansByProblem(
  measured: readonly MeasuredRecord[],
  quantity: (one: MeasuredRecord) => number,
): Map<string, number> {
  const means = new Map<string, number>();
  for (const [problem, some] of groupBy(measured, (one) => one.problem)) {
    const total = some.reduce((sum, one) => sum + quantity(one), 0);
    means.set(problem, total / some.length);
  }
  return means;
}
