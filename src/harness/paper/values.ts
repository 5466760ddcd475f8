import { isUnjudged } from '../../pipeline/blueprint/spec.js';
import { measureQuality, type RunRecord } from '../records/record.js';
import { resultAfter, takenBy } from '../records/stage-summary.js';

/** Subject of a row: a stage of the pipeline, or all of them together. */
export type RowStage = 'plan' | 'repair' | 'optimize' | 'execute' | 'total';

/** State of a record after a stage. */
type Reached = Pick<RunRecord, 'feasible' | 'makespan'>;

const NOTHING: Reached = { feasible: false, makespan: null };

/** State of a record after a stage, or after all of them; null for a plan that was not validated. */
function reachedAfter(record: RunRecord, stage: RowStage): Reached | null {
  if (stage === 'execute' || stage === 'total') return record;
  const isBelieved = stage !== 'optimize' && isUnjudged(record.variant);
  return resultAfter(record, stage) ?? (isBelieved ? null : NOTHING);
}

/** The stages that ran for the records of a planner in a variant, in order. */
export function reachedStages(records: readonly RunRecord[]): Exclude<RowStage, 'total'>[] {
  const ran = (stage: keyof RunRecord['stages']) =>
    records.some(({ stages }) => stages[stage] !== null);
  // An unvalidated plan that the search leaves unchanged is validated after that stage.
  const unjudged = records.some(({ variant }) => isUnjudged(variant));
  const stages: Exclude<RowStage, 'total'>[] = [];
  if (!unjudged || ran('plan')) stages.push('plan');
  if (ran('repair')) stages.push('repair');
  if (unjudged || ran('optimize')) stages.push('optimize');
  if (records.some(({ method }) => method !== null)) stages.push('execute');
  return stages;
}

/** The stages with costs, and their total: every planner plans. */
export function spendingStages(records: readonly RunRecord[]): RowStage[] {
  return [...new Set<RowStage>(['plan', ...reachedStages(records), 'total'])];
}

/** A quantity that is measured from records for the row of a stage. */
export interface Measure {
  /** Name of the measure; stable. */
  readonly key: string;
  /** Whether larger or smaller values are better. */
  readonly wants: 'more' | 'less';
  /** Null if the record has no value. */
  readonly valueOf: (record: RunRecord, stage: RowStage) => number | null;
}

/** 100 for a feasible schedule, 0 otherwise: the mean is the success rate. */
export const successMeasure: Measure = {
  key: 'success_percent',
  wants: 'more',
  valueOf: (record, stage) => {
    const reached = reachedAfter(record, stage);
    return reached && (reached.feasible ? 100 : 0);
  },
};

/** Best known upper bound / makespan of feasible schedules. */
export const optimalityMeasure: Measure = {
  key: 'optimality_percent',
  wants: 'more',
  valueOf: optimalityOf,
};

/**
 * Like {@link optimalityMeasure}, with 0 for records without a feasible schedule, so that all variants are measured on
 * all instances.
 */
export const optimalityOrZeroMeasure: Measure = {
  key: 'optimality_or_zero_percent',
  wants: 'more',
  valueOf: (record, stage) => {
    const isFailed = reachedAfter(record, stage)?.feasible === false;
    return isFailed && hasBounds(record, stage) ? 0 : optimalityOf(record, stage);
  },
};

/**
 * Seconds. A stage that uses a model counts the original duration of its answers, also if they come from a store,
 * without waits for rate limits.
 */
export const timeMeasure: Measure = {
  key: 'seconds',
  wants: 'less',
  valueOf: (record, stage) => {
    if (stage === 'execute') return record.seconds.execute;
    if (stage === 'plan' && record.stages.plan === null) return takenBy(record, stage).seconds;
    if (stage !== 'total') return record.stages[stage]?.seconds ?? record.seconds[stage];
    const [plan, repair] = [
      timeMeasure.valueOf(record, 'plan'),
      timeMeasure.valueOf(record, 'repair'),
    ];
    // A wall-clock time is not added to times of the provider's clock.
    if (plan === null && record.seconds.plan !== null) return null;
    const { plan: planned, repair: repaired, total } = record.seconds;
    return total + (plan ?? 0) - (planned ?? 0) + (repair ?? 0) - (repaired ?? 0);
  },
};

/** Input and output tokens. */
export const tokensMeasure: Measure = {
  key: 'tokens',
  wants: 'less',
  valueOf: (record, stage) => {
    const { tokens: spent } = spentIn(record, stage) ?? {};
    return spent === undefined ? null : spent.input + spent.output;
  },
};

/** US dollars; null also if the price is unknown. */
export const costMeasure: Measure = {
  key: 'cost_usd',
  wants: 'less',
  valueOf: (record, stage) => spentIn(record, stage)?.cost_usd ?? null,
};

function optimalityOf(record: RunRecord, stage: RowStage): number | null {
  if (!hasBounds(record, stage)) return null;
  return measureQuality(reachedAfter(record, stage)?.makespan ?? null, record).optimality_percent;
}

/** Executed schedules are not measured against bounds. */
function hasBounds({ upper_bound, method }: RunRecord, stage: RowStage): boolean {
  const isRealised = stage === 'execute' || stage === 'total';
  return upper_bound !== null && !(isRealised && method !== null);
}

function spentIn(record: RunRecord, stage: RowStage) {
  if (stage === 'total') return record;
  if (stage === 'execute') return null;
  return stage === 'plan' ? takenBy(record, stage) : record.stages[stage];
}
