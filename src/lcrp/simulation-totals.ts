import { totalWeightedTardiness } from '../jssp/objectives.js';
import type { Schedule } from '../jssp/schedule.js';
import type { RepairMetrics } from './metrics/metrics.js';
import { type SequenceDeviation, sequenceDeviation } from './metrics/sequence-deviation.js';
import { type StartDeviation, startDeviation } from './metrics/start-deviation.js';
import type { Phase } from './task.js';
import type { Times } from './times.js';

/** Sums over the repairs of an execution: what is edited counts each time that it is. */
export interface Totals {
  readonly repairs: number;
  readonly events: number;
  readonly lost: number;
  readonly affected: number;
  readonly edited: number;
  readonly starts: number;
  readonly ranks: number;
  readonly jobs: number;
  readonly machines: number;
  /** The largest edit radius; null if one was out of reach. */
  readonly radius: number | null;
  /** The furthest phase that a repair reached; `status` if nothing was repaired. */
  readonly phase: Phase;
  /** Units of time by which starts were moved, … */
  readonly deviation: number;
  /** … the operations moved earlier among them, and their units. */
  readonly earlier: number;
  readonly earlierUnits: number;
  readonly evaluations: number;
  readonly seconds: number;
}

/** What became of a plan: of the operations that were planned and not cancelled. */
export interface Outcome {
  readonly starts: Omit<StartDeviation, 'changed'>;
  readonly sequences: Omit<SequenceDeviation, 'moved'>;
  /** Operations with another start, and with another place in the queue of their machine. */
  readonly edited: { readonly starts: number; readonly ranks: number };
  readonly makespan: { readonly planned: number; readonly realised: number };
  /** Total weighted tardiness, each of all the jobs known then. */
  readonly tardiness: { readonly planned: number; readonly realised: number };
}

/** What {@link sumSteps} needs to know of a step. */
interface Step {
  readonly events: { readonly length: number };
  readonly lost: number;
  readonly metrics: RepairMetrics;
  readonly seconds: number;
}

/** All phases, in the order of the protocol. */
export const PHASES = [
  'status',
  'compensation',
  'reordering',
  'growth',
  'recompute',
] as const satisfies readonly Phase[];

/** Adds up the steps of an execution. */
export function sumSteps(steps: readonly Step[]): Totals {
  const sum = (value: (step: Step) => number) =>
    steps.reduce((total, step) => total + value(step), 0);
  return {
    repairs: steps.length,
    events: sum(({ events }) => events.length),
    lost: sum(({ lost }) => lost),
    affected: sum(({ metrics }) => metrics.affected),
    edited: sum(({ metrics }) => metrics.edited.operations),
    starts: sum(({ metrics }) => metrics.edited.starts),
    ranks: sum(({ metrics }) => metrics.edited.ranks),
    jobs: sum(({ metrics }) => metrics.edited.jobs),
    machines: sum(({ metrics }) => metrics.edited.machines),
    radius: steps.reduce<number | null>(
      (most, { metrics: { edited } }) =>
        most === null || edited.radius === null ? null : Math.max(most, edited.radius),
      0,
    ),
    phase: PHASES[Math.max(0, ...steps.map(({ metrics }) => PHASES.indexOf(metrics.phase)))],
    deviation: sum(({ metrics }) => metrics.starts.sum),
    earlier: sum(({ metrics }) => metrics.starts.earlier),
    earlierUnits: sum(({ metrics }) => metrics.starts.earlierUnits),
    evaluations: sum(({ metrics }) => metrics.evaluations),
    seconds: sum(({ seconds }) => seconds),
  };
}

/**
 * Compares what was realised with the first plan.
 *
 * @param planned the times of the plan in the numbers of the realised schedule
 */
export function compareWithPlan(plan: Schedule, planned: Times, realised: Schedule): Outcome {
  const all = () => true;
  const { changed, ...starts } = startDeviation(planned, realised, all);
  const { moved, ...sequences } = sequenceDeviation(realised.instance, planned, realised, all);
  return {
    starts,
    sequences,
    edited: { starts: changed.length, ranks: moved.length },
    makespan: { planned: plan.makespan, realised: realised.makespan },
    tardiness: {
      planned: totalWeightedTardiness(plan),
      realised: totalWeightedTardiness(realised),
    },
  };
}
