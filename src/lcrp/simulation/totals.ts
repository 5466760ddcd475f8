import { totalWeightedTardiness } from '../../jssp/objectives.js';
import type { Schedule } from '../../jssp/schedule.js';
import {
  type DeviationMetrics,
  deviationOf,
  type EditMetrics,
  type RepairMetrics,
} from '../metrics/metrics.js';
import { PHASES, type Phase, type Times } from '../task.js';

/** Sums over the repairs of an execution: what is affected counts each time that it is. */
export interface Totals {
  /** Their number, also of those without an affected operation. */
  readonly repairs: number;
  readonly events: number;
  readonly lost: number;
  readonly affected: number;
  readonly evaluations: number;
  readonly seconds: number;
}

/** All edits of an execution: what is edited counts each time that it is; the radius is the largest. */
export interface RepairTotals extends EditMetrics {
  /** The furthest phase that a repair reached; `status` if nothing was repaired. */
  readonly phase: Phase;
}

/** The realised schedule beside the first plan: of the operations that were planned and not cancelled. */
export interface RealisedDeviation extends DeviationMetrics {
  readonly makespan: { readonly planned: number; readonly realised: number };
  /** Growth of the makespan; null if the execution was not finished, or nothing was planned. */
  readonly degradation_percent: number | null;
  /** Total weighted tardiness, each of all the jobs known then. */
  readonly tardiness: { readonly planned: number; readonly realised: number };
}

/** The part of a step that counts in the sums. */
interface Step {
  readonly events: { readonly length: number };
  readonly lost: number;
  readonly metrics: RepairMetrics;
  readonly seconds: number;
}

/** Adds up the steps of an execution. */
export function sumSteps(steps: readonly Step[]): Totals {
  const sum = (value: (step: Step) => number) =>
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

/** Adds up what the steps of an execution edited. */
export function sumEdits(steps: readonly Pick<Step, 'metrics'>[]): RepairTotals {
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
    shift_total: sum('shift_total'),
    wip_moves: sum('wip_moves'),
    wip_units: sum('wip_units'),
  };
}

/**
 * Compares the realised schedule with the first plan.
 *
 * @param planned the times of the plan in the numbers of the realised schedule
 * @param finished false if the execution was given up: then no makespan can be compared
 */
export function compareWithPlan(
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
