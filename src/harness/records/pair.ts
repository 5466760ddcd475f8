import { recordValue } from './progress-record.js';
import {
  isExecuted,
  measureQuality,
  measureStage,
  NO_QUALITY,
  type RecordStages,
  type RunRecord,
} from './record.js';

/**
 * Verdict on a record compared with its partner in the baseline; `incomparable` if neither is feasible, or if one
 * claims to beat a proven bound.
 */
export type PairVerdict = 'better' | 'worse' | 'same' | 'incomparable';

/** A record and its partner in the baseline: same instance, variant, method and replicate. */
export interface Pair {
  /** Both are measured against the bounds of the run, so that gaps are comparable. */
  readonly run: RunRecord;
  readonly baseline: RunRecord;
  readonly verdict: PairVerdict;
  /** Change of the objective in percent of the baseline's; null if it is undefined. */
  readonly change_percent: number | null;
  /** The reason for the verdict, in words. */
  readonly reason: string;
}

/** Compares a record with its partner in the baseline, using the bounds of the run. */
export function pairRecords(run: RunRecord, partner: RunRecord): Pair {
  const measured = remeasure(run, run);
  const baseline = remeasure(partner, run);
  const refuted = [
    ...(measured.feasible === run.feasible ? [] : [describe(run)]),
    ...(baseline.feasible === partner.feasible ? [] : [`${describe(partner)} before`]),
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
 * A record measured again with other bounds; a makespan below a proven bound is not a success. Executed schedules have
 * no bounds.
 */
function remeasure(record: RunRecord, bounds: RunRecord): RunRecord {
  const { lower_bound, lower_bound_source, upper_bound } = bounds;
  const isFree = isExecuted(record);
  const before = recordValue(record);
  const value = isFree ? before : unlessRefuted(before, lower_bound);
  const isRefuted = value !== before;
  const failure = isRefuted
    ? { status: 'infeasible' as const, feasible: false, makespan: null, tardiness: null }
    : {};
  const { makespan: _, ...quality } = isFree
    ? { makespan: null, ...NO_QUALITY }
    : measureQuality(value, bounds);
  // Stages have only makespans, and these bounds may be of another objective.
  const { stages: made } = record;
  const stages = record.objective === 'makespan' ? remeasureStages(made, bounds) : made;
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
  const [now, before] = [recordValue(run), recordValue(baseline)];
  if (now !== null && before !== null) {
    const difference = now - before;
    const change = difference === 0 ? 0 : (100 * difference) / before;
    const change_percent = Number.isFinite(change) ? change : null;
    const reason = `${describe(run)}, was ${before}`;
    return { verdict: verdictOf(difference), change_percent, reason };
  }
  const reason = `${describe(run)}, was ${describe(baseline)}`;
  if (now !== null) return { verdict: 'better', change_percent: null, reason };
  const verdict = before !== null ? 'worse' : 'incomparable';
  return { verdict, change_percent: null, reason };
}

function verdictOf(difference: number): PairVerdict {
  if (difference === 0) return 'same';
  return difference < 0 ? 'better' : 'worse';
}

function describe(record: RunRecord): string {
  const words = record.objective === 'makespan' ? 'makespan' : 'tardiness';
  return record.status === 'ok' ? `${words} ${recordValue(record)}` : record.status;
}
