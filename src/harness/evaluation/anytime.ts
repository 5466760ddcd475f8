import type { RunRecord } from '../records/record.js';
import { clusterBootstrap } from '../statistics/bootstrap.js';
import { mean } from '../statistics/descriptive.js';
import { gapIntegral, primalDualGap, primalGap } from './curve.js';
import {
  byPlanner,
  type EvaluatedPlanner,
  type LeftOut,
  type MeasuredRecord,
  type MeasuredRecords,
  meansByProblem,
  measureRecords,
  onSuite,
  plannerOf,
  suitesOfTable,
  weightsOf,
} from './measured-records.js';

/** Time until a schedule is within a given percentage of the best known value. */
export interface TimeToTarget {
  readonly percent: number;
  /** Share of the records that reach the target by the horizon; every instance has the same weight. */
  readonly reached_percent: number;
  /** Seconds by which half of all records reach the target; null if fewer ever do. */
  readonly median_seconds: number | null;
}

/** The mean primal gap from an instant until the next point. */
export interface GapPoint {
  readonly seconds: number;
  readonly gap_percent: number;
}

/**
 * The quality of a planner over time, on one suite or on all. Means are over instances; each instance counts with the
 * mean of its replicates.
 */
export interface AnytimeRow extends EvaluatedPlanner {
  /** Null: all suites together. */
  readonly suite: string | null;
  readonly records: number;
  readonly instances: number;
  /** Number of records that end with a feasible schedule. */
  readonly solved: number;
  /** Mean primal integral and its 95 % interval; null if there is no variation. */
  readonly primal_integral_seconds: number;
  readonly low: number | null;
  readonly high: number | null;
  /** The same in percent of the horizon: the mean primal gap over time. */
  readonly mean_gap_percent: number;
  /** Mean primal gap at the horizon; a failure counts as 100. */
  readonly final_gap_percent: number;
  /** Mean primal-dual integral; null if no record has a bound stated by its planner or search. */
  readonly primal_dual_integral_seconds: number | null;
  /** Mean of (reference − bound) / reference at the horizon, over the records that have a bound; null if none has. */
  readonly bound_gap_percent: number | null;
  /** Number of records with a bound, and of those with an unchecked bound that the planner claims. */
  readonly bounded: number;
  readonly claimed: number;
  /** In the order of `targets_percent`. */
  readonly targets: readonly TimeToTarget[];
  /** Mean primal gap over time, from 0 to the horizon: at most {@link MOST_POINTS} steps. */
  readonly curve: readonly GapPoint[];
}

/** Anytime measures of records. */
export interface AnytimeReport {
  /** Measures cover 0 to this instant; a record that ended earlier keeps its last value. */
  readonly horizon_seconds: number;
  readonly targets_percent: readonly number[];
  readonly left_out: LeftOut;
  /** By suite, then all suites together if there are several. */
  readonly rows: readonly AnytimeRow[];
}

/** Settings of anytime measures. */
export interface AnytimeOptions {
  /** Default: the longest working time of any record. */
  readonly horizon?: number | undefined;
  /** Percent above the best known value. Default: {@link TARGETS_PERCENT}. */
  readonly targets?: readonly number[] | undefined;
  /** Seed of the intervals; default 0. */
  readonly seed?: number | undefined;
}

/** Targets of the time to target by default, in percent above the best known value. */
export const TARGETS_PERCENT: readonly number[] = [10, 5, 1, 0];

/**
 * Primal integral and primal-dual integral (Berthold 2013, doi:10.1016/j.orl.2013.08.007), time to target and mean gap
 * over time of each planner in each variant, on each suite and on all. `docs/reference/statistics.md` has the formulae.
 */
export function anytime(
  records: readonly RunRecord[],
  options: AnytimeOptions = {},
): AnytimeReport {
  return anytimeOf(measureRecords(records), options);
}

/** Like {@link anytime}, for records that are already measured. */
export function anytimeOf(
  { measured, left_out }: MeasuredRecords,
  { horizon, targets = TARGETS_PERCENT, seed = 0 }: AnytimeOptions = {},
): AnytimeReport {
  const until = horizon ?? longest(measured);
  const rows = suitesOfTable(measured).flatMap((suite) =>
    byPlanner(onSuite(measured, suite)).map(
      (group): AnytimeRow => ({
        ...plannerOf(group),
        suite,
        ...measureGroup(group, until, targets, seed),
      }),
    ),
  );
  return { horizon_seconds: until, targets_percent: targets, left_out, rows };
}

/** The longest working time of any record; 0 if there are no records. */
export function longest(measured: readonly MeasuredRecord[]): number {
  return measured.reduce((most, { seconds }) => Math.max(most, seconds), 0);
}

/** The primal integral of a record, in seconds. */
export function primalIntegral({ steps, reference }: MeasuredRecord, until: number): number {
  return gapIntegral(steps, ({ value }) => primalGap(value, reference), until);
}

function measureGroup(
  group: readonly MeasuredRecord[],
  until: number,
  targets: readonly number[],
  seed: number,
): Omit<AnytimeRow, keyof EvaluatedPlanner | 'suite'> {
  const integrals = [...meansByProblem(group, (one) => primalIntegral(one, until)).values()];
  const integral = mean(integrals) ?? 0;
  const interval = clusterBootstrap(
    integrals.map((value) => [value]),
    { seed },
  );
  const bounded = group.filter(hasBound);
  const dual = (one: MeasuredRecord) => gapIntegral(one.steps, primalDualGap, until);
  return {
    records: group.length,
    instances: integrals.length,
    solved: group.filter(({ value }) => value !== null).length,
    primal_integral_seconds: integral,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    mean_gap_percent: until === 0 ? 100 : (100 * integral) / until,
    final_gap_percent: 100 * weighted(group, (one) => gapAt(one, until)),
    primal_dual_integral_seconds: bounded.length === 0 ? null : weighted(group, dual),
    bound_gap_percent: bounded.length === 0 ? null : 100 * weighted(bounded, boundGap(until)),
    bounded: bounded.length,
    claimed: bounded.filter(({ record }) => record.claimed_lower_bound !== null).length,
    targets: targets.map((percent) => timeToTarget(group, percent, until)),
    curve: thinned(meanGapCurve(group, until)),
  };
}

/** The gap between the reference and the bound of a record at an instant; 1 before the first bound. */
function boundGap(moment: number): (one: MeasuredRecord) => number {
  return ({ steps, reference }) => {
    const bound = steps.findLast(({ seconds }) => seconds <= moment)?.lower_bound ?? null;
    return bound === null ? 1 : primalGap(reference, bound);
  };
}

function hasBound({ steps }: MeasuredRecord): boolean {
  return steps.some(({ lower_bound }) => lower_bound !== null);
}

/** Mean over problems of the means over replicates. */
function weighted(
  group: readonly MeasuredRecord[],
  quantity: (one: MeasuredRecord) => number,
): number {
  return mean([...meansByProblem(group, quantity).values()]) ?? 0;
}

function gapAt({ steps, reference }: MeasuredRecord, moment: number): number {
  return primalGap(steps.findLast(({ seconds }) => seconds <= moment)?.value ?? null, reference);
}

/** The first instant with a value within a percentage of the reference; infinite if there is none by the horizon. */
export function secondsToTarget(
  { steps, reference }: MeasuredRecord,
  percent: number,
  until = Number.POSITIVE_INFINITY,
): number {
  const limit = reference * (1 + percent / 100);
  const step = steps.find(({ value }) => value !== null && value <= limit);
  return step === undefined || step.seconds > until ? Number.POSITIVE_INFINITY : step.seconds;
}

/** A sum of weights in percent, without rounding errors such as those of thirds. */
export function wholePercent(share: number): number {
  return Math.round(1e11 * share) / 1e9;
}

function timeToTarget(
  group: readonly MeasuredRecord[],
  percent: number,
  until: number,
): TimeToTarget {
  const weights = weightsOf(group);
  const times = group
    .map((one) => ({ at: secondsToTarget(one, percent, until), weight: weights.get(one) ?? 0 }))
    .filter(({ at }) => Number.isFinite(at))
    .sort((a, b) => a.at - b.at);
  let share = 0;
  let median: number | null = null;
  for (const { at, weight } of times) {
    share += weight;
    // Weights such as thirds do not add up exactly.
    if (median === null && share >= 0.5 - 1e-9) median = at;
  }
  return { percent, reached_percent: wholePercent(share), median_seconds: median };
}

/** The exact mean primal gap of records over time: one point for each instant at which it changes. */
function meanGapCurve(group: readonly MeasuredRecord[], until: number): GapPoint[] {
  const weights = weightsOf(group);
  const changes = group.flatMap((one) => {
    let gap = 1;
    return one.steps.flatMap(({ seconds, value }) => {
      const before = gap;
      gap = primalGap(value, one.reference);
      const change = (gap - before) * (weights.get(one) ?? 0);
      return seconds > until || change === 0 ? [] : [{ seconds, change }];
    });
  });
  const points: GapPoint[] = [{ seconds: 0, gap_percent: 100 }];
  let gap = 1;
  for (const { seconds, change } of changes.sort((a, b) => a.seconds - b.seconds)) {
    // Rounding may leave a sum slightly below 0.
    gap = Math.max(0, gap + change);
    if (points.at(-1)?.seconds === seconds) points.pop();
    points.push({ seconds, gap_percent: 100 * gap });
  }
  return points;
}

/** Maximum number of steps of a curve. */
const MOST_POINTS = 300;

/** Drops steps that are closest to their predecessor on a logarithmic scale, down to a limit. */
function thinned(points: readonly GapPoint[]): readonly GapPoint[] {
  if (points.length <= MOST_POINTS) return points;
  const [first, second] = [points[0], points[1]];
  const last = points[points.length - 1];
  const start = Math.log(Math.max(second.seconds, 1e-6));
  const width = (Math.log(Math.max(last.seconds, 1e-6)) - start) / (MOST_POINTS - 2) || 1;
  const cell = ({ seconds }: GapPoint) =>
    Math.floor((Math.log(Math.max(seconds, 1e-6)) - start) / width);
  // The last step of each time cell is the value of the curve at the end of the cell.
  return points.filter(
    (point, k) => point === first || point === last || cell(point) !== cell(points[k + 1]),
  );
}
