import type { RecordImprovement, RunRecord } from '../records/record.js';

/** The best value of a record from an instant until the next step. */
export type CurveStep = RecordImprovement;

/** The value of the final schedule under the objective of its record; null if it is not feasible. */
export function finalValue({ objective, feasible, makespan, tardiness }: RunRecord): number | null {
  if (!feasible) return null;
  return objective === 'makespan' ? makespan : tardiness;
}

/** A key for the problem of a record: an instance under an objective. */
export function problemOf({ objective, instance }: RunRecord): string {
  return JSON.stringify([objective, instance]);
}

/**
 * The course of a record: the best value and the strongest bound so far at each improvement, in order of time. An
 * answer of a model counts with its original duration, even if it comes from a store. A record that ends without a
 * feasible schedule has no values, even if it had some on the way.
 *
 * @param refuted bounds above this value are refuted by a schedule and are ignored
 */
export function curveOf(record: RunRecord, refuted = Number.POSITIVE_INFINITY): CurveStep[] {
  const improvements = shifted(record);
  const seconds = Math.max(workedSeconds(record), improvements.at(-1)?.seconds ?? 0);
  const steps = [...improvements, { seconds, value: finalValue(record), lower_bound: null }];
  return monotone(
    steps.map(({ seconds, value, lower_bound }) => ({
      seconds,
      value: record.feasible ? value : null,
      lower_bound: lower_bound !== null && lower_bound > refuted ? null : lower_bound,
    })),
  );
}

/** Seconds that a record spends on its plan: planner, repair and search, without the validator. */
export function workedSeconds(record: RunRecord): number {
  const { stages, seconds } = record;
  const searched = stages.optimize?.seconds ?? seconds.optimize ?? 0;
  return secondsOfStage(record, 'plan') + secondsOfStage(record, 'repair') + searched;
}

/**
 * Seconds of a stage by the provider's clock, or by the local clock if that is longer. For agents that run concurrently
 * the record has one elapsed time of all stages; each stage gets its share of it.
 */
function secondsOfStage(record: RunRecord, stage: 'plan' | 'repair'): number {
  const { answer_seconds, answer_elapsed_seconds: elapsed, stages, seconds } = record;
  const overlap = answer_seconds && elapsed !== null ? Math.min(1, elapsed / answer_seconds) : 1;
  return Math.max(overlap * (stages[stage]?.seconds ?? 0), seconds[stage] ?? 0);
}

/** Keeps only steps that improve a value, and merges steps at the same instant. */
export function monotone(steps: readonly CurveStep[]): CurveStep[] {
  const kept: CurveStep[] = [];
  for (const { seconds, ...step } of steps.toSorted((a, b) => a.seconds - b.seconds)) {
    const last = kept.at(-1);
    const value = least(last?.value ?? null, step.value);
    const lower_bound = most(last?.lower_bound ?? null, step.lower_bound);
    if (value === (last?.value ?? null) && lower_bound === (last?.lower_bound ?? null)) continue;
    if (last?.seconds === seconds) kept.pop();
    kept.push({ seconds, value, lower_bound });
  }
  return kept;
}

/**
 * The primal gap of Berthold 2013 (doi:10.1016/j.orl.2013.08.007), 0 to 1: |value − reference| / max of both; 1 without
 * a value. A value better than the reference has no gap.
 */
export function primalGap(value: number | null, reference: number): number {
  if (value === null) return 1;
  return value <= reference ? 0 : (value - reference) / value;
}

/** The gap between a value and a bound, 0 to 1; 1 if either is missing. */
export function primalDualGap({ value, lower_bound }: CurveStep): number {
  return value === null || lower_bound === null ? 1 : primalGap(value, lower_bound);
}

/** The integral of a gap from 0 to an instant, in seconds. The gap is 1 until the first step. */
export function gapIntegral(
  steps: readonly CurveStep[],
  gapOf: (step: CurveStep) => number,
  until: number,
): number {
  let total = 0;
  let since = 0;
  let gap = 1;
  for (const step of steps) {
    if (step.seconds >= until) break;
    total += gap * (step.seconds - since);
    since = step.seconds;
    gap = gapOf(step);
  }
  return total + gap * (until - since);
}

/** Improvements at the times they would have without a store of answers. */
function shifted(record: RunRecord): CurveStep[] {
  const { improvements, stages, seconds } = record;
  const planned = seconds.plan ?? 0;
  const ofPlan = secondsOfStage(record, 'plan') - planned;
  const ofRepair = secondsOfStage(record, 'repair') - (seconds.repair ?? 0);
  return improvements.map((step) => {
    const isLater = stages.repair !== null && step.seconds > planned;
    return { ...step, seconds: step.seconds + ofPlan + (isLater ? ofRepair : 0) };
  });
}

function least(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

function most(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
