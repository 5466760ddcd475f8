import { InputError } from '@alas-jssp/core/errors';
import type { Comparison } from './compare.js';
import { type Limit, type Metric, type MetricName, measure, metrics } from './limits.js';
import type { RunRecord } from './record.js';
import { groupRecords } from './summary.js';

/** A record that contributes to a crossed limit. */
export interface OffendingRow {
  readonly record: RunRecord;
  /** Its value of the metric, and that of the baseline for relative limits. */
  readonly value: number | null;
  readonly baseline: number | null;
}

/** A limit that one planner (with one repair method) crosses on one suite. */
export interface Crossing {
  readonly limit: Limit;
  readonly suite: string;
  readonly planner: string;
  readonly variant: string;
  readonly method: string | null;
  /** The value of the metric; null if it could not be measured, which counts as crossed. */
  readonly value: number | null;
  /** The threshold of the metric; null if it could not be measured. */
  readonly threshold: number | null;
  /** The crossing in one line for people. */
  readonly message: string;
  /** The records that caused it, worst first. */
  readonly rows: readonly OffendingRow[];
}

/** A record of the run and its partner, if there is a baseline. */
interface PairedRecord {
  readonly run: RunRecord;
  readonly baseline: RunRecord | null;
}

/**
 * Checks a run against limits, separately for each planner and suite. Relative limits on gap, optimality and makespan
 * use the pairs in which both sides are feasible (`success` covers lost ones). A metric that cannot be measured counts
 * as crossed, so that a gate does not open for lack of results.
 *
 * @param comparison the run compared with its baseline; null if there is none
 * @throws InputError `no_baseline` if a limit is relative and there is no baseline
 */
export function crossedLimits(
  limits: readonly Limit[],
  records: readonly RunRecord[],
  comparison: Comparison | null,
): Crossing[] {
  const rows: readonly PairedRecord[] =
    comparison?.pairs ?? records.map((run) => ({ run, baseline: null }));
  const groups = groupRecords(rows.map((row) => ({ ...row.run, row }))).map((group) =>
    group.map(({ row }) => row),
  );
  requireBaseline(limits, comparison !== null);
  return limits.flatMap((limit) => groups.flatMap((group) => checkGroup(limit, group) ?? []));
}

/**
 * Refuses relative limits without a baseline.
 *
 * @throws InputError `no_baseline`
 */
export function requireBaseline(limits: readonly Limit[], given: boolean): void {
  const relative = limits.find(({ base }) => base !== 'zero');
  if (relative === undefined || given) return;
  throw new InputError(
    'no_baseline',
    `the limit '${relative.text}' is relative to a baseline, and there is none`,
    'name one with --baseline, or leave out the sign',
    {},
    relative.text,
  );
}

function checkGroup(limit: Limit, group: readonly PairedRecord[]): Crossing | null {
  const { metric, base } = limit;
  const rows =
    base !== 'zero' && metrics[metric].ofFeasible
      ? group.filter(({ run, baseline }) => run.feasible && baseline?.feasible)
      : group;
  const value = measure(
    metric,
    rows.map(({ run }) => run),
  );
  const before =
    base === 'zero'
      ? null
      : measure(
          metric,
          rows.flatMap((row) => row.baseline ?? []),
        );
  const threshold = thresholdOf(limit, before);
  if (value !== null && threshold !== null && !isBeyond(limit, value, threshold)) return null;
  const { suite, planner, variant, method } = group[0].run;
  const who = method === null ? planner : `${planner} with ${method}`;
  return {
    limit,
    suite,
    planner,
    variant,
    method,
    value,
    threshold,
    message: `${who} on ${suite}: ${describe(limit, value, threshold, before)}`,
    rows: value === null || threshold === null ? [] : offendingRows(limit, rows),
  };
}

function thresholdOf({ base, number }: Limit, before: number | null): number | null {
  if (base === 'zero') return number;
  if (before === null) return null;
  return base === 'baseline' ? before + number : before * (1 + number / 100);
}

function isBeyond({ side }: Limit, value: number, threshold: number): boolean {
  return side === '<' ? value < threshold : value > threshold;
}

/** The rows that caused a crossing. */
function offendingRows(limit: Limit, rows: readonly PairedRecord[]): OffendingRow[] {
  const metric: Metric = metrics[limit.metric];
  const direction = limit.side === '<' ? 1 : -1;
  return rows
    .map(({ run, baseline }) => ({
      record: run,
      value: metric.value(run),
      baseline: limit.base === 'zero' || baseline === null ? null : metric.value(baseline),
    }))
    .filter(({ value, baseline }) => {
      const threshold = rowThreshold(limit, metric, baseline);
      return value !== null && threshold !== null && isBeyond(limit, value, threshold);
    })
    .sort((a, b) => direction * (distance(a) - distance(b)));
}

/**
 * Threshold of one row: an absolute limit; the baseline if the limit allows some loss, because many small losses cross
 * it together; or the limit if it demands a gain. A row with a yes-or-no value is compared with the midpoint.
 */
function rowThreshold(limit: Limit, metric: Metric, baseline: number | null): number | null {
  const { base, side, number } = limit;
  if (base === 'zero') return metric.halfway ?? number;
  const demandsGain = side === '<' ? number > 0 : number < 0;
  return demandsGain ? (metric.halfway ?? thresholdOf(limit, baseline)) : baseline;
}

function distance({ value, baseline }: OffendingRow): number {
  return (value ?? 0) - (baseline ?? 0);
}

function describe(
  { metric, side, text }: Limit,
  value: number | null,
  threshold: number | null,
  before: number | null,
): string {
  if (value === null || threshold === null) {
    return `${metric} cannot be measured, no record has one to compare (${text})`;
  }
  const was = before === null ? '' : `, was ${amount(metric, before)}`;
  const beyond = `${side === '<' ? 'below' : 'above'} the limit of ${amount(metric, threshold)}`;
  return `${metric} is ${amount(metric, value)}${was}, ${beyond} (${text})`;
}

/** A number for people, with seven digits, so that a narrow crossing is visible. */
function amount(metric: MetricName, value: number): string {
  return `${Number(value.toPrecision(7))}${metrics[metric].unit}`;
}
