import type { RunRecord } from '../records/record.js';
import { type AnytimeOptions, type AnytimeReport, anytimeOf } from './anytime.js';
import { type BestKnown, bestKnown } from './best-known.js';
import { measureRecords } from './measured-records.js';
import { type PerformanceProfile, profileOf } from './performance-profile.js';
import { type PlannerTests, plannerTestsOf } from './planner-tests.js';

/** All statistics of records that need no choice of what is asked of them. */
export interface Evaluation {
  readonly anytime: AnytimeReport;
  /** By the value in the end, and by the time to a target. */
  readonly profiles: readonly PerformanceProfile[];
  /** Differences between planners in the end, and on the way. */
  readonly tests: readonly PlannerTests[];
  /** The best schedule of each instance. */
  readonly best: readonly BestKnown[];
}

/** Settings of all statistics; {@link AnytimeOptions}, of which the smallest target above 0 is that of the profile. */
export interface EvaluationOptions extends AnytimeOptions {}

/** Percent above the best known value to which a profile of times is, without other targets. */
const PROFILE_TARGET = 1;

/** Makes all statistics of records, which are measured once. */
export function evaluate(
  records: readonly RunRecord[],
  options: EvaluationOptions = {},
): Evaluation {
  const measured = measureRecords(records);
  const made = anytimeOf(measured, options);
  const { horizon_seconds: horizon, targets_percent } = made;
  const targets = targets_percent.filter((percent) => percent > 0);
  const target = targets.length === 0 ? PROFILE_TARGET : Math.min(...targets);
  const { seed } = options;
  return {
    anytime: made,
    profiles: [profileOf(measured), profileOf(measured, { measure: 'seconds', target })],
    tests: [
      plannerTestsOf(measured, { seed }),
      plannerTestsOf(measured, { measure: 'primal_integral_seconds', horizon, seed }),
    ],
    best: bestKnown(records),
  };
}
