import { monotonicSeconds } from '@alas-jssp/core/clock';
import { InputError } from '@alas-jssp/core/errors';
import type { ProvenBound } from '../jssp/bounds.js';
import type { Instance } from '../jssp/instance.js';
import { type Objective, objectiveOf, objectiveValue } from '../jssp/objectives.js';
import { asSchedule, type Candidate, isSchedule } from '../jssp/plan.js';
import type { ProcessReport } from '../jssp/planner.js';
import { createSchedule } from '../jssp/schedule.js';
import { validate } from '../validator/index.js';
import type { StageSeconds } from './stopwatch.js';

/** The best values at an instant, in seconds since the call of the planner. */
export interface ProgressPoint {
  readonly seconds: number;
  /** Of a schedule that the validator accepts; null if the point has only a bound. */
  readonly value: number | null;
  /** As the planner claims it, or as the search proves it; null if there is none. */
  readonly lowerBound: number | null;
}

/** The progress of a planner: better plans and bounds in order. */
export interface PlannerProgress {
  readonly points: readonly ProgressPoint[];
  /** The strongest lower bound that the planner claims, without proof; null if it claims none. */
  readonly claimedLowerBound: number | null;
  /** The program of an external planner. */
  readonly process: ProcessReport | null;
}

/** The best plan of a planner so far, by its start times, and the progress up to it. */
export interface KeptPlan {
  readonly start: Int32Array;
  readonly progress: PlannerProgress;
}

/** Settings of a {@link ProgressWatch}. */
export interface WatchOptions {
  readonly bound?: ProvenBound | undefined;
  /** Default: that of the instance. */
  readonly objective?: Objective | undefined;
  /** Receives each plan that is better than all before it, and each bound after it. */
  readonly onKept?: ((kept: KeptPlan) => void) | undefined;
  /** The progress of a planner that was stopped before, if its plan is kept. */
  readonly before?: PlannerProgress | undefined;
}

/** Receives the plans and bounds of a planner while it works. */
export interface ProgressWatch {
  /** Starts the planner's clock. */
  begin(): void;
  /** Validates a plan, and keeps it if it is feasible and better than those before. */
  onPlan(candidate: Candidate): void;
  /** @throws InputError `bad_bound` if the number cannot be a bound */
  onLowerBound(value: number): void;
  onProcess(report: ProcessReport): void;
  /** The best feasible plan so far; null if there is none. */
  best(): Candidate | null;
  /** The final plan: the returned one, or the best of all if the last delivered one was returned. */
  choose(returned: Candidate): Candidate;
  read(): PlannerProgress;
}

/** Bounds computed with fractions may be slightly above the integer that they represent. */
const ROUNDING = 1e-6;

/** Watches the progress of a planner on an instance. */
export function watchProgress(
  instance: Instance,
  { bound, objective = objectiveOf(instance), onKept, before }: WatchOptions = {},
): ProgressWatch {
  const points: ProgressPoint[] = [...(before?.points ?? [])];
  let began = monotonicSeconds();
  let claimed: number | null = before?.claimedLowerBound ?? null;
  let last: Candidate | null = null;
  let process: ProcessReport | null = before?.process ?? null;
  let best: { readonly candidate: Candidate; readonly value: number } | null = null;
  const read = () => ({ points: [...points], claimedLowerBound: claimed, process });
  const report = () => {
    if (best === null || onKept === undefined) return;
    onKept({ start: asSchedule(instance, best.candidate).start, progress: read() });
  };
  return {
    begin() {
      began = monotonicSeconds();
    },
    onPlan(candidate) {
      const seconds = monotonicSeconds() - began;
      last = candidate;
      const kept = copyOf(candidate, instance);
      const { valid, makespan } = validate(instance, kept, { bound });
      if (!valid || makespan === null) return;
      const value =
        objective === 'makespan' ? makespan : objectiveValue(asSchedule(instance, kept), objective);
      if (value >= (best?.value ?? Number.POSITIVE_INFINITY)) return;
      best = { candidate: kept, value };
      points.push({ seconds, value, lowerBound: claimed });
      report();
    },
    onLowerBound(value) {
      const seconds = monotonicSeconds() - began;
      const bound = wholeBound(value);
      if (bound <= (claimed ?? 0)) return;
      claimed = bound;
      points.push({ seconds, value: null, lowerBound: bound });
      report();
    },
    onProcess(report) {
      process = report;
    },
    best: () => best?.candidate ?? null,
    choose: (returned) => (returned === last ? (best?.candidate ?? returned) : returned),
    read,
  };
}

/** A copy, because planners continue to change delivered plans. */
function copyOf(candidate: Candidate, instance: Instance): Candidate {
  if (isSchedule(candidate)) return createSchedule(instance, candidate.start.slice());
  const { entries, makespan } = candidate;
  return { entries: entries.map((entry) => ({ ...entry })), makespan };
}

function wholeBound(value: unknown): number {
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) {
    return Math.max(0, Math.ceil(value - ROUNDING));
  }
  throw new InputError(
    'bad_bound',
    `the planner states ${String(value)} as a lower bound`,
    'state a number that is a time of a schedule: below 2^53',
    {},
    value,
  );
}

/** The parts of a stage's output that give points: its verdict, and the progress of a search. */
interface StageOutput {
  readonly valid?: boolean | undefined;
  readonly makespan?: number | null | undefined;
  /** For another objective than the makespan. */
  readonly value?: number | null | undefined;
  readonly points?: readonly ProgressPoint[] | undefined;
}

/**
 * Points of the plan, of its repair, and of the search that the last check accepts. Validation does not count as time.
 */
export function stagePoints(
  outputOf: (step: string) => unknown,
  { plan, repair }: Pick<StageSeconds, 'plan' | 'repair'>,
): ProgressPoint[] {
  const output = (step: string) => outputOf(step) as StageOutput | undefined;
  const judged = (step: string, seconds: number): ProgressPoint[] => {
    const { valid, makespan = null, value = makespan } = output(step) ?? {};
    return valid ? [{ seconds, value, lowerBound: null }] : [];
  };
  const repaired = (plan ?? 0) + (repair ?? 0);
  const searched = output('finalCheck')?.valid ? (output('optimize')?.points ?? []) : [];
  return [
    ...judged('validate', plan ?? 0),
    ...judged('repair', repaired),
    ...searched.map((point) => ({ ...point, seconds: point.seconds + repaired })),
    ...(output('optimize') === undefined ? judged('finalCheck', repaired) : []),
  ];
}

/**
 * The points with an improvement over all before.
 *
 * @param ceiling the value of a known feasible schedule: bounds above it are omitted
 */
export function improvingPoints(
  points: readonly ProgressPoint[],
  ceiling = Number.POSITIVE_INFINITY,
): ProgressPoint[] {
  let value: number | null = null;
  let lowerBound: number | null = null;
  const better: ProgressPoint[] = [];
  for (const point of points) {
    const isLower = point.value !== null && (value === null || point.value < value);
    const isCredible = point.lowerBound !== null && point.lowerBound <= ceiling;
    const isHigher = isCredible && (point.lowerBound ?? 0) > (lowerBound ?? -1);
    if (isLower) value = point.value;
    if (isHigher) lowerBound = point.lowerBound;
    if (isLower || isHigher) better.push({ seconds: point.seconds, value, lowerBound });
  }
  return better;
}
