import { isUnjudged } from '../../pipeline/blueprint/spec.js';
import { measureQuality, type RunRecord } from '../records/record.js';
import { resultAfter, takenBy } from '../records/stage-summary.js';

/** Subject of a row: a stage of the pipeline, or all of them together. */
export type RowStage = 'plan' | 'repair' | 'optimize' | 'execute' | 'total';

/** State of a record after a stage. */
type Reached = Pick<RunRecord, 'feasible' | 'makespan'>;

const NOTHING: Reached = { feasible: false, makespan: null };

/** State of a record after a stage, or after all of them; null for a plan that was not judged. */
function reachedAfter(record: RunRecord, stage: RowStage): Reached | null {
  if (stage === 'execute' || stage === 'total') return record;
  const isBelieved = stage !== 'optimize' && isUnjudged(record.variant);
  return resultAfter(record, stage) ?? (isBelieved ? null : NOTHING);
}

/** The stages that the records of a planner in a variant went through, in order. */
export function reachedStages(records: readonly RunRecord[]): Exclude<RowStage, 'total'>[] {
  const ran = (stage: keyof RunRecord['stages']) =>
    records.some(({ stages }) => stages[stage] !== null);
  // A plan that the search keeps as it is, unjudged, is judged after that stage.
  const unjudged = records.some(({ variant }) => isUnjudged(variant));
  const stages: Exclude<RowStage, 'total'>[] = [];
  if (!unjudged || ran('plan')) stages.push('plan');
  if (ran('repair')) stages.push('repair');
  if (unjudged || ran('optimize')) stages.push('optimize');
  if (records.some(({ method }) => method !== null)) stages.push('execute');
  return stages;
}

/** The stages that took something, and all together: everybody plans. */
export function spendingStages(records: readonly RunRecord[]): RowStage[] {
  return [...new Set<RowStage>(['plan', ...reachedStages(records), 'total'])];
}

/** A quantity that is measured of records for the row of a stage. */
export interface Measure {
  /** Name of the measure; stable. */
  readonly key: string;
  /** Whether more of it is better. */
  readonly wants: 'more' | 'less';
  /** Null where there is nothing to measure. */
  readonly valueOf: (record: RunRecord, stage: RowStage) => number | null;
}

/** 100 for a feasible schedule, 0 for none: the mean is the success rate. */
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

/** The same, where what has no feasible schedule has 0: all variants are measured on all instances. */
export const optimalityOrZeroMeasure: Measure = {
  key: 'optimality_or_zero_percent',
  wants: 'more',
  valueOf: (record, stage) => {
    const isFailed = reachedAfter(record, stage)?.feasible === false;
    return isFailed && hasBounds(record, stage) ? 0 : optimalityOf(record, stage);
  },
};

/**
 * Seconds. For stages in which a model was asked, those that its answers took when they were given: also
 * where they were read from a store, and without waiting for limits.
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
    // A part that is known by no clock but the wall's is not added to those of the provider.
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

/** Realised schedules are not measured against bounds. */
function hasBounds({ upper_bound, method }: RunRecord, stage: RowStage): boolean {
  const isRealised = stage === 'execute' || stage === 'total';
  return upper_bound !== null && !(isRealised && method !== null);
}

function spentIn(record: RunRecord, stage: RowStage) {
  if (stage === 'total') return record;
  if (stage === 'execute') return null;
  return stage === 'plan' ? takenBy(record, stage) : record.stages[stage];
}
