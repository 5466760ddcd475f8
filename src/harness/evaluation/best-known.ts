import { isExecuted, type RecordIdentity, type RunRecord } from '../records/record.js';
import { groupBy, present } from '../statistics/descriptive.js';
import { finalValue, problemOf, workedSeconds } from './curve.js';

/** The best schedule of an instance in all records, with the instance's bounds. */
export interface BestKnown extends RecordIdentity, Pick<RunRecord, 'suite' | 'objective'> {
  /** Number of records of the instance, and of those with a feasible schedule. */
  readonly records: number;
  readonly feasible: number;
  /** Null if no record is feasible; `planner`, `variant` and `replicate` are then those of the first record. */
  readonly value: number | null;
  /** Seconds until this value was found. */
  readonly seconds: number | null;
  /** Other planners that reached the same value. */
  readonly also: readonly string[];
  /** The strongest proven bound of all records, and the best value in the literature. */
  readonly lower_bound: number;
  readonly upper_bound: number | null;
  /** (value − upper bound) / upper bound. */
  readonly gap_percent: number | null;
  /** `optimal`: it meets the lower bound. `new`: it is below the upper bound. */
  readonly standing: 'optimal' | 'new' | 'equal' | 'worse' | 'unmeasured' | 'none';
  /** Bounds that planners claim and that the best schedule of the records or of the literature refutes. */
  readonly refuted: readonly RefutedBound[];
}

/** A lower bound that a planner claims and a schedule refutes. */
export interface RefutedBound extends RecordIdentity {
  readonly claimed_lower_bound: number;
  /** Value of the schedule that refutes it. */
  readonly value: number;
}

/**
 * The best schedule of every instance in these records: the first one with the smallest value, in the order of the
 * records. Synthetic plans and schedules executed under disruptions are skipped.
 */
export function bestKnown(records: readonly RunRecord[]): BestKnown[] {
  const planned = records.filter(
    (record) => !record.synthetic && !isExecuted(record) && record.method === null,
  );
  return [...groupBy(planned, problemOf).values()].map(bestOf);
}

function bestOf(records: readonly RunRecord[]): BestKnown {
  const solved = records.filter((record) => finalValue(record) !== null);
  const value = solved.length === 0 ? null : Math.min(...present(solved.map(finalValue)));
  const equal = solved.filter((record) => finalValue(record) === value);
  const best = equal[0] ?? records[0];
  const { suite, objective } = best;
  const lower_bound = Math.max(...records.map((record) => record.lower_bound));
  const upper_bound = present(records.map((record) => record.upper_bound)).sort((a, b) => a - b)[0];
  const others = new Set(
    equal.map(({ planner }) => planner).filter((name) => name !== best.planner),
  );
  return {
    suite,
    ...identityOf(best),
    objective,
    records: records.length,
    feasible: solved.length,
    value,
    seconds: value === null ? null : workedSeconds(best),
    also: [...others],
    lower_bound,
    upper_bound: upper_bound ?? null,
    gap_percent:
      value === null || !upper_bound ? null : (100 * (value - upper_bound)) / upper_bound,
    standing: standingOf(value, lower_bound, upper_bound ?? null),
    refuted: refutedBounds(
      records,
      Math.min(value ?? Number.POSITIVE_INFINITY, upper_bound ?? Number.POSITIVE_INFINITY),
    ),
  };
}

function standingOf(
  value: number | null,
  lower: number,
  upper: number | null,
): BestKnown['standing'] {
  if (value === null) return 'none';
  if (value === lower) return 'optimal';
  if (upper === null) return 'unmeasured';
  if (value === upper) return 'equal';
  return value < upper ? 'new' : 'worse';
}

function refutedBounds(records: readonly RunRecord[], value: number): RefutedBound[] {
  return records.flatMap((record) => {
    const { claimed_lower_bound } = record;
    if (claimed_lower_bound === null || claimed_lower_bound <= value) return [];
    return [{ ...identityOf(record), claimed_lower_bound, value }];
  });
}

function identityOf({ instance, planner, variant, method, replicate }: RunRecord): RecordIdentity {
  return { instance, planner, variant, method, replicate };
}
