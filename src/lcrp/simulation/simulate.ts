import { monotonicSeconds } from '@alas-jssp/core/clock';
import { type AppliedEvents, applyEvents } from '../../disruption/apply-events.js';
import type { DisruptionEvent } from '../../disruption/event.js';
import { totalWeightedTardiness } from '../../jssp/objectives.js';
import type { Schedule } from '../../jssp/schedule.js';
import { type ValidationReport, validate } from '../../validator/validate.js';
import { createRepairEngine } from '../engine.js';
import { type ExecutionVerdict, requireExecutable } from '../judge-repair.js';
import {
  type DeviationMetrics,
  deviationOf,
  type EditMetrics,
  measureRepair,
  type RepairMetrics,
} from '../metrics/metrics.js';
import type { PolicyChanges } from '../policy/policy.js';
import { PHASES, type Phase, type RepairMethod, type Times } from '../task.js';

/** A plan to execute, the events during the execution, and the method that repairs. */
export interface SimulateOptions {
  /** The plan: feasible, except that it may miss deadlines. */
  readonly schedule: Schedule;
  /** In any order; those of one instant take effect in the order given. */
  readonly events: readonly DisruptionEvent[];
  readonly method: RepairMethod;
  /** Changes to the default policy, or a whole one. */
  readonly policy?: PolicyChanges | undefined;
  /** The seed of every repair; default 0. */
  readonly seed?: number | undefined;
  /** Passed to the method; once aborted, the simulation is rejected with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** An instant at which events took effect, and the repair that followed. */
export interface SimulationStep {
  readonly now: number;
  readonly events: readonly DisruptionEvent[];
  /** Operations that were running and had to start again. */
  readonly lost: number;
  readonly metrics: RepairMetrics;
  readonly judgement: ExecutionVerdict;
  /** Duration of the repair, from the events to the result: the only number that differs between equal runs. */
  readonly seconds: number;
}

/** Sums over the repairs of an execution: an operation counts each time that it is affected. */
interface Totals {
  /** Their number, including those without an affected operation. */
  readonly repairs: number;
  readonly events: number;
  readonly lost: number;
  readonly affected: number;
  readonly evaluations: number;
  readonly seconds: number;
}

/** All edits of an execution: an operation counts each time that it is edited; the radius is the largest. */
export interface RepairTotals extends EditMetrics {
  /** The furthest phase that a repair reached; `status` if nothing was repaired. */
  readonly phase: Phase;
}

/** The realised schedule compared with the first plan, for planned operations that were not cancelled. */
interface RealisedDeviation extends DeviationMetrics {
  readonly makespan: { readonly planned: number; readonly realised: number };
  /** Growth of the makespan; null if the execution was not finished, or nothing was planned. */
  readonly degradation_percent: number | null;
  /** Total weighted tardiness of all jobs known at the respective time. */
  readonly tardiness: { readonly planned: number; readonly realised: number };
}

/** The course of an execution. */
export interface Simulation {
  /** False if the method left a schedule that cannot be executed: the execution ends there. */
  readonly finished: boolean;
  /** The realised schedule of the realised instance, or the one that could not be executed. */
  readonly schedule: Schedule;
  /** The validator's report on it. */
  readonly report: ValidationReport;
  readonly steps: readonly SimulationStep[];
  /** Events that came too late, in the order in which they were revealed. */
  readonly skipped: AppliedEvents['skipped'];
  /** Sums over all steps, and over their edits. */
  readonly totals: Totals;
  readonly repair: RepairTotals;
  /** The realised schedule compared with the first plan. */
  readonly outcome: RealisedDeviation;
}

/**
 * Executes a schedule in simulated time. Every event is revealed at its `at`; those of one instant take effect in their
 * order, and an engine repairs the schedule. After the last event the remaining schedule is executed unchanged.
 * Instants at which every event comes too late need no repair.
 *
 * All effects of events (downtimes, durations, releases, frozen starts) accumulate in the instance, so judging the
 * realised schedule by it also shows that the past was not changed.
 *
 * @throws InputError `infeasible_plan` if the plan cannot be executed; as `applyEvents` does for malformed events;
 *   `bad_policy`
 * @throws AlasError `bad_repair` if a method makes an infeasible schedule
 */
export async function simulate(options: SimulateOptions): Promise<Simulation> {
  const { schedule: plan, signal } = options;
  requireExecutable(plan);
  const engine = createRepairEngine(plan, options.policy ?? {}, { ...options, tooLate: 'skip' });
  const effect = { tooLate: 'skip', breakdownEstimate: engine.policy.estimates.breakdown } as const;
  const steps: SimulationStep[] = [];
  const skipped: AppliedEvents['skipped'][number][] = [];
  let planned: Times = plan;
  let finished = true;
  for (const [now, events] of byInstant(options.events)) {
    signal?.throwIfAborted();
    const tried = applyEvents(engine.schedule, events, now, effect);
    skipped.push(...tried.skipped);
    if (tried.events.length === 0) continue;
    const began = monotonicSeconds();
    const result = await engine.handle(events, now);
    const seconds = monotonicSeconds() - began;
    const { applied, judgement } = result;
    const lost = applied.lost.length;
    const metrics = measureRepair(result);
    steps.push({ now, events: applied.events, lost, metrics, judgement, seconds });
    planned = renumber(planned, applied);
    finished = judgement.executable;
    if (!finished) break;
  }
  return sumUp(plan, { steps, skipped, planned, finished, schedule: engine.schedule });
}

/** A completed execution, simulated or not. */
interface ExecutedPlan extends Pick<Simulation, 'steps' | 'skipped' | 'finished' | 'schedule'> {
  /** The times of the first plan in the numbers of the realised schedule. */
  readonly planned: Times;
}

/** The measures of an execution. */
export function sumUp(plan: Schedule, executed: ExecutedPlan): Simulation {
  const { steps, skipped, planned, finished, schedule } = executed;
  return {
    finished,
    schedule,
    report: validate(schedule.instance, schedule),
    steps,
    skipped,
    totals: sumSteps(steps),
    repair: sumEdits(steps),
    outcome: compareWithPlan(plan, planned, schedule, finished),
  };
}

/** Events by the time at which they are revealed, in increasing order. */
function byInstant(events: readonly DisruptionEvent[]): [number, DisruptionEvent[]][] {
  const instants = new Map<number, DisruptionEvent[]>();
  for (const event of events) {
    const others = instants.get(event.at);
    if (others === undefined) instants.set(event.at, [event]);
    else others.push(event);
  }
  return [...instants].sort(([a], [b]) => a - b);
}

/** The times of the first plan in the numbers of operations after events. */
export function renumber({ start, end }: Times, { oldOf }: AppliedEvents): Times {
  const carry = (times: Int32Array) => oldOf.map((op) => (op < 0 ? -1 : times[op]));
  return { start: carry(start), end: carry(end) };
}

/** Sums up the steps of an execution. */
function sumSteps(steps: readonly SimulationStep[]): Totals {
  const sum = (value: (step: SimulationStep) => number) =>
    steps.reduce((total, step) => total + value(step), 0);
  return {
    repairs: steps.length,
    events: sum(({ events }) => events.length),
    lost: sum(({ lost }) => lost),
    affected: sum(({ metrics }) => metrics.affected),
    evaluations: sum(({ metrics }) => metrics.evaluations),
    seconds: sum(({ seconds }) => seconds),
  };
}

/** Sums up the edits of the steps of an execution. */
function sumEdits(steps: readonly SimulationStep[]): RepairTotals {
  const sum = (key: Exclude<keyof EditMetrics, 'edit_radius'>) =>
    steps.reduce((total, { metrics }) => total + metrics[key], 0);
  return {
    phase: PHASES[Math.max(0, ...steps.map(({ metrics }) => PHASES.indexOf(metrics.phase)))],
    edited_operations: sum('edited_operations'),
    edited_jobs: sum('edited_jobs'),
    edited_machines: sum('edited_machines'),
    edit_radius: steps.reduce<number | null>(
      (most, { metrics: { edit_radius } }) =>
        most === null || edit_radius === null ? null : Math.max(most, edit_radius),
      0,
    ),
    start_changes: sum('start_changes'),
    rank_changes: sum('rank_changes'),
    reassigned: sum('reassigned'),
    shift_total: sum('shift_total'),
    wip_moves: sum('wip_moves'),
    wip_units: sum('wip_units'),
  };
}

/**
 * Compares the realised schedule with the first plan.
 *
 * @param planned the times of the plan in the numbers of the realised schedule
 * @param finished false if the execution was aborted: then makespans cannot be compared
 */
function compareWithPlan(
  plan: Schedule,
  planned: Times,
  realised: Schedule,
  finished: boolean,
): RealisedDeviation {
  const isMeasurable = finished && plan.makespan > 0;
  const growth = realised.makespan - plan.makespan;
  return {
    makespan: { planned: plan.makespan, realised: realised.makespan },
    degradation_percent: isMeasurable ? (100 * growth) / plan.makespan : null,
    tardiness: {
      planned: totalWeightedTardiness(plan),
      realised: totalWeightedTardiness(realised),
    },
    ...deviationOf(realised.instance, planned, realised, () => true),
  };
}
