import type { RunRecord } from '../records/record.js';
import { type AnytimeOptions, type AnytimeReport, anytimeOf } from './anytime.js';
import { type BestKnown, bestKnown } from './best-known.js';
import { measureRecords } from './measured-records.js';
import { type PerformanceProfile, profileOf } from './performance-profile.js';
import { type PlannerTestOptions, type PlannerTests, plannerTestsOf } from './planner-tests.js';

/** All statistics of records that need no further choice of settings. */
export interface Evaluation {
  readonly anytime: AnytimeReport;
  /** By the final value, and by the time to a target. */
  readonly profiles: readonly PerformanceProfile[];
  /** Differences between planners, at the end and over time. */
  readonly tests: readonly PlannerTests[];
  /** The best schedule of each instance. */
  readonly best: readonly BestKnown[];
}

/** Settings of all statistics; the profile uses the smallest target above 0 of {@link AnytimeOptions}. */
export interface EvaluationOptions extends AnytimeOptions, Pick<PlannerTestOptions, 'family'> {}

/** Default target of the time profile, in percent above the best known value. */
const PROFILE_TARGET = 1;

/** Computes all statistics of records; the records are measured once. */
export function evaluate(
  records: readonly RunRecord[],
  options: EvaluationOptions = {},
): Evaluation {
  const measured = measureRecords(records);
  const made = anytimeOf(measured, options);
  const { horizon_seconds: horizon, targets_percent } = made;
  const targets = targets_percent.filter((percent) => percent > 0);
  const target = targets.length === 0 ? PROFILE_TARGET : Math.min(...targets);
  const { seed, family } = options;
  return {
    anytime: made,
    profiles: [profileOf(measured), profileOf(measured, { measure: 'seconds', target })],
    tests: [
      plannerTestsOf(measured, { seed, family }),
      plannerTestsOf(measured, { measure: 'primal_integral_seconds', horizon, seed, family }),
    ],
    best: bestKnown(records),
  };
}
