import {
  isExecuted,
  measureQuality,
  measureStage,
  NO_QUALITY,
  type RecordStages,
  type RunRecord,
} from './record.js';

/**
 * Verdict on a record beside the same one of the baseline; `incomparable` if neither has a feasible
 * schedule, or one claims to beat a proven bound.
 */
export type PairVerdict = 'better' | 'worse' | 'same' | 'incomparable';

/** A record and the one of the baseline for the same instance, variant, method and replicate. */
export interface Pair {
  /** Both are measured anew against the bounds that the run knows, so that gaps compare. */
  readonly run: RunRecord;
  readonly baseline: RunRecord;
  readonly verdict: PairVerdict;
  /** Change of the makespan in percent of the baseline's, null where there is none to speak of. */
  readonly change_percent: number | null;
  /** The reason for the verdict, in words. */
  readonly reason: string;
}

/** Sets a record beside its partner of the baseline, by the bounds that the run knows. */
export function pairRecords(run: RunRecord, partner: RunRecord): Pair {
  const measured = remeasure(run, run);
  const baseline = remeasure(partner, run);
  const refuted = [
    ...(measured.makespan === run.makespan ? [] : [`makespan ${run.makespan}`]),
    ...(baseline.makespan === partner.makespan ? [] : [`makespan ${partner.makespan} before`]),
  ];
  const judged =
    refuted.length === 0
      ? judgePair(measured, baseline)
      : {
          verdict: 'incomparable' as const,
          change_percent: null,
          reason: `${refuted.join(' and ')} contradicts the lower bound ${run.lower_bound}`,
        };
  return { run: measured, baseline, ...judged };
}

/**
 * A record as the bounds say; a makespan below a proven bound is no success. What was realised under
 * disruptions has no bounds.
 */
function remeasure(record: RunRecord, bounds: RunRecord): RunRecord {
  const { lower_bound, lower_bound_source, upper_bound } = bounds;
  const isFree = isExecuted(record);
  const makespan = isFree ? record.makespan : unlessRefuted(record.makespan, lower_bound);
  const isRefuted = makespan !== record.makespan;
  const failure = isRefuted ? { status: 'infeasible' as const, feasible: false } : {};
  const quality = isFree ? { makespan, ...NO_QUALITY } : measureQuality(makespan, bounds);
  const stages = remeasureStages(record.stages, bounds);
  const known = { lower_bound, lower_bound_source, upper_bound };
  return { ...record, ...known, ...quality, ...failure, stages };
}

function remeasureStages(
  { plan, repair, optimize }: RecordStages,
  bounds: RunRecord,
): RecordStages {
  const measure = ({ makespan, tokens, cost_usd, seconds }: NonNullable<RecordStages['plan']>) =>
    measureStage(unlessRefuted(makespan, bounds.lower_bound), bounds, {
      tokens,
      cost_usd,
      seconds,
    });
  return {
    plan: plan && measure(plan),
    repair: repair && measure(repair),
    optimize: optimize && { ...optimize, ...measure(optimize) },
  };
}

function unlessRefuted(makespan: number | null, bound: number): number | null {
  return makespan !== null && makespan < bound ? null : makespan;
}

function judgePair(run: RunRecord, baseline: RunRecord): Omit<Pair, 'run' | 'baseline'> {
  if (run.makespan !== null && baseline.makespan !== null) {
    const difference = run.makespan - baseline.makespan;
    const change = difference === 0 ? 0 : (100 * difference) / baseline.makespan;
    const change_percent = Number.isFinite(change) ? change : null;
    const reason = `makespan ${run.makespan}, was ${baseline.makespan}`;
    return { verdict: verdictOf(difference), change_percent, reason };
  }
  const reason = `${describe(run)}, was ${describe(baseline)}`;
  if (run.makespan !== null) return { verdict: 'better', change_percent: null, reason };
  const verdict = baseline.makespan !== null ? 'worse' : 'incomparable';
  return { verdict, change_percent: null, reason };
}

function verdictOf(difference: number): PairVerdict {
  if (difference === 0) return 'same';
  return difference < 0 ? 'better' : 'worse';
}

function describe({ status, makespan }: RunRecord): string {
  return status === 'ok' ? `makespan ${makespan}` : status;
}
