import {
  improvingPoints,
  type PlannerProgress,
  type ProgressPoint,
} from '../../pipeline/progress.js';
import type { Cell } from '../worker/task.js';
import type { RunRecord } from './record.js';

/** The lower bound that the planner claims, and the schedule that refutes it, if one is known. */
export function claimedBound(
  { bounds }: Cell,
  { points, claimedLowerBound: claimed }: PlannerProgress,
): Pick<RunRecord, 'claimed_lower_bound' | 'contradiction'> {
  const own = leastValue(points);
  const known = Math.min(own, bounds.upper_bound ?? Number.POSITIVE_INFINITY);
  if (claimed === null || claimed <= known) {
    return { claimed_lower_bound: claimed, contradiction: null };
  }
  const whose = known === own ? 'this task has made' : 'the literature has';
  const contradiction = `the planner states a lower bound of ${claimed}, but ${whose} a schedule of ${known}`;
  return { claimed_lower_bound: claimed, contradiction };
}

/** The improvements up to the final schedule; refuted bounds are omitted. */
export function improvementsOf(
  { bounds }: Cell,
  { points }: PlannerProgress,
): RunRecord['improvements'] {
  const known = Math.min(leastValue(points), bounds.upper_bound ?? Number.POSITIVE_INFINITY);
  return improvingPoints(points, known).map(({ seconds, value, lowerBound }) => {
    return { seconds, value, lower_bound: lowerBound };
  });
}

/** The external program that made the plan; null if none did. */
export function describeProgram({ process }: PlannerProgress): RunRecord['process'] {
  if (process === null) return null;
  const { exitCode, signal, peakMegabytes, stderr } = process;
  return { exit_code: exitCode, signal, peak_megabytes: peakMegabytes, stderr };
}

/** The value of the best feasible schedule; Infinity if there is none. */
function leastValue(points: readonly ProgressPoint[]): number {
  const values = points.map(({ value }) => value ?? Number.POSITIVE_INFINITY);
  return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
}

/** The value of a record under its objective; null without a feasible schedule. */
export function recordValue({
  objective,
  makespan,
  tardiness,
}: Pick<RunRecord, 'objective' | 'makespan' | 'tardiness'>): number | null {
  return objective === 'makespan' ? makespan : tardiness;
}
