import type { RunRecord } from '../records/record.js';
import { groupBy } from '../statistics/descriptive.js';
import { secondsToTarget, wholePercent } from './anytime.js';
import {
  byPlanner,
  type EvaluatedPlanner,
  type MeasuredRecord,
  type MeasuredRecords,
  measureRecords,
  plannerOf,
} from './measured-records.js';

/** The share of instances on which a planner is within a ratio of the best, from this ratio until the next. */
export interface ProfilePoint {
  readonly ratio: number;
  readonly percent: number;
}

/** The performance profile of one planner in one variant. */
export interface PlannerProfile extends Omit<EvaluatedPlanner, 'synthetic'> {
  /** Share of instances on which it is the best or ties: the profile at ratio 1. */
  readonly best_percent: number;
  /** Share of instances that it solves: the end of the profile. */
  readonly solved_percent: number;
  /** Ascending in ratio and percent; empty if it solves no instance. */
  readonly points: readonly ProfilePoint[];
}

/** Performance profiles of planners on the instances for which all of them have records. */
export interface PerformanceProfile {
  /** `value` of the final schedule, or `seconds` until a schedule is within `target_percent` of the best known. */
  readonly measure: 'value' | 'seconds';
  readonly target_percent: number | null;
  /** Number of compared instances, and of instances for which some planner has no record. */
  readonly instances: number;
  readonly instances_left_out: number;
  /** Without synthetic planners, which set no standard. */
  readonly planners: readonly PlannerProfile[];
}

/** Choice of the measure of a profile. */
export interface ProfileOptions {
  /** Default `value`. */
  readonly measure?: PerformanceProfile['measure'] | undefined;
  /** For `seconds`: percent above the best known value; default 1. */
  readonly target?: number | undefined;
}

/** Seconds below which all times count as equal, because clocks are not more precise. */
const RESOLUTION_SECONDS = 0.001;

/**
 * Performance profiles (Dolan and Moré 2002, doi:10.1007/s101070100263): for each planner the share of instances on
 * which its result is within a ratio of the best compared planner. A replicate counts as its share of the instance. An
 * unsolved instance has an infinite ratio and stays in the denominator.
 */
export function performanceProfile(
  records: readonly RunRecord[],
  options: ProfileOptions = {},
): PerformanceProfile {
  return profileOf(measureRecords(records), options);
}

/** Like {@link performanceProfile}, for records that are already measured. */
export function profileOf(
  { measured }: Pick<MeasuredRecords, 'measured'>,
  { measure = 'value', target = 1 }: ProfileOptions = {},
): PerformanceProfile {
  const own = measured.filter(({ record }) => !record.synthetic);
  const groups = byPlanner(own).map((group) => groupBy(group, ({ problem }) => problem));
  const problems = [...new Set(own.map(({ problem }) => problem))];
  const shared = problems.filter((problem) => groups.every((group) => group.has(problem)));
  const performanceOf = (one: MeasuredRecord) =>
    measure === 'value'
      ? (one.value ?? Number.POSITIVE_INFINITY)
      : Math.max(RESOLUTION_SECONDS, secondsToTarget(one, target));
  const best = new Map(
    shared.map((problem) => {
      const all = groups.flatMap((group) => group.get(problem) ?? []);
      return [problem, Math.min(...all.map(performanceOf))];
    }),
  );
  return {
    measure,
    target_percent: measure === 'seconds' ? target : null,
    instances: shared.length,
    instances_left_out: problems.length - shared.length,
    planners: groups.map((group) => {
      const some = [...group.values()].flat();
      const ratios = shared.map((problem) =>
        (group.get(problem) ?? []).map((one) =>
          ratioOf(performanceOf(one), best.get(problem) ?? 0),
        ),
      );
      const { planner, variant, objective } = plannerOf(some);
      return { planner, variant, objective, ...stepsOf(ratios) };
    }),
  };
}

/** The ratio of a value to the best one; if the best is 0, the ratio of any other value is infinite. */
function ratioOf(performance: number, best: number): number {
  if (!Number.isFinite(performance)) return Number.POSITIVE_INFINITY;
  if (performance === best) return 1;
  return best === 0 ? Number.POSITIVE_INFINITY : performance / best;
}

/** The cumulative share of ratios; replicates of an instance share its weight. */
function stepsOf(
  ratios: readonly (readonly number[])[],
): Pick<PlannerProfile, 'best_percent' | 'solved_percent' | 'points'> {
  const weighted = ratios
    .flatMap((some) => some.map((ratio) => ({ ratio, weight: 1 / (some.length * ratios.length) })))
    .filter(({ ratio }) => Number.isFinite(ratio))
    .sort((a, b) => a.ratio - b.ratio);
  const points: ProfilePoint[] = [];
  let share = 0;
  for (const { ratio, weight } of weighted) {
    share += weight;
    if (points.at(-1)?.ratio === ratio) points.pop();
    points.push({ ratio, percent: wholePercent(share) });
  }
  return { best_percent: profileAt(points, 1), solved_percent: wholePercent(share), points };
}

/** The profile at a ratio, in percent. */
export function profileAt(points: readonly ProfilePoint[], ratio: number): number {
  return points.findLast((point) => point.ratio <= ratio)?.percent ?? 0;
}
