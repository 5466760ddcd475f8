import type { MessagePort } from 'node:worker_threads';
import type { Budget } from '../core/stopping.js';
import type { Instance } from '../jssp/instance.js';
import { type Candidate, isSchedule } from '../jssp/plan.js';
import type { PipelineResult, StageOutcomes } from '../pipeline/pipeline.js';
import type { ValidationReport } from '../validator/index.js';
import {
  measureQuality,
  measureStage,
  planStageOnly,
  type RecordStages,
  type RunRecord,
} from './record.js';
import type { TaskBounds } from './sources.js';

/** One record to be made: a cell of the run matrix. */
export interface Cell {
  /** Name of the instance. */
  readonly instance: string;
  readonly suite: string;
  readonly jobs: number;
  readonly machines: number;
  readonly bounds: TaskBounds;
  readonly planner: string;
  readonly variant: string;
  readonly replicate: number;
  /** Seed of this cell alone, and those of its later stages. */
  readonly seed: number;
  readonly repairSeed: number;
  readonly optimizeSeed: number;
}

/** A cell with all that it takes to make its record: what is sent to a worker thread. */
export interface Task {
  readonly cell: Cell;
  /** Lies in shared memory. */
  readonly instance: Instance;
  /** Whether infeasible plans are repaired. */
  readonly repairs: boolean;
  /** Of the optimize stage; null to leave the plan as it is. */
  readonly budget: Budget | null;
  /** File for the judged schedule; null to save none. */
  readonly schedulePath: string | null;
  /** Whatever comes in here ends the search with its best so far. */
  readonly interrupts: MessagePort;
}

/** What a record says about its outcome; the rest follows from the cell. */
type Outcome = Pick<
  RunRecord,
  | 'status'
  | 'makespan'
  | 'claimed_makespan'
  | 'violations'
  | 'stages'
  | 'repair'
  | 'seconds'
  | 'error'
>;

/** The record of a cell whose pipeline ran to its end. */
export function recordOf(cell: Cell, result: PipelineResult): RunRecord {
  const { status, plan, verdict, stages, seconds, error } = result;
  return completeRecord(cell, {
    status,
    makespan: status === 'ok' && verdict !== null ? verdict.makespan : null,
    claimed_makespan: claimOf(plan),
    violations: verdict === null ? null : countByCode(verdict.counts),
    stages: stagesOf(stages, cell.bounds),
    repair: repairOf(stages),
    seconds,
    error,
  });
}

/**
 * The record of a cell that has no result: its instance could not be loaded, or it was lost with
 * its worker thread.
 *
 * @param total seconds until it was lost
 */
export function lostRecord(cell: Cell, error: string, total: number): RunRecord {
  return completeRecord(cell, {
    status: 'error',
    makespan: null,
    claimed_makespan: null,
    violations: null,
    stages: planStageOnly(null),
    repair: null,
    seconds: { plan: null, validate: null, repair: null, optimize: null, total },
    error,
  });
}

/** Fills in what follows from cell and makespan, in the order in which records are written. */
function completeRecord(cell: Cell, outcome: Outcome): RunRecord {
  const bounds = strongestBounds(cell.bounds, outcome.stages);
  const known = { lower_bound: bounds.lower, upper_bound: bounds.upper };
  const quality = measureQuality(outcome.makespan, known);
  return {
    schema: 'alas-jssp/record@1',
    instance: cell.instance,
    suite: cell.suite,
    jobs: cell.jobs,
    machines: cell.machines,
    planner: cell.planner,
    variant: cell.variant,
    replicate: cell.replicate,
    seed: cell.seed,
    status: outcome.status,
    feasible: outcome.status === 'ok',
    makespan: outcome.makespan,
    claimed_makespan: outcome.claimed_makespan,
    lower_bound: bounds.lower,
    lower_bound_source: bounds.source,
    upper_bound: bounds.upper,
    gap_percent: quality.gap_percent,
    optimality_percent: quality.optimality_percent,
    proven_optimal: quality.proven_optimal,
    violations: outcome.violations,
    stages: outcome.stages,
    repair: outcome.repair,
    // No planner so far asks a model.
    tokens: { input: 0, output: 0 },
    cost_usd: 0,
    seconds: outcome.seconds,
    error: outcome.error,
  };
}

function stagesOf(
  { plan, repair, optimize }: StageOutcomes,
  { lower, upper }: TaskBounds,
): RecordStages {
  const bounds = { lower_bound: lower, upper_bound: upper };
  const measure = ({ valid, makespan }: ValidationReport) =>
    measureStage(valid ? makespan : null, bounds);
  return {
    ...planStageOnly(plan && measure(plan)),
    repair: repair && measure(repair.verdict),
    optimize: optimize && {
      ...measure(optimize.verdict),
      status: optimize.status,
      lower_bound: optimize.lowerBound.value,
      iterations: optimize.iterations,
    },
  };
}

function repairOf({ plan, repair }: StageOutcomes): RunRecord['repair'] {
  if (plan === null || repair === null) return null;
  return {
    phase: 'plan',
    violations: countByCode(plan.counts),
    seed_coverage: repair.seedCoverage,
    kept_order: repair.keptOrder,
    dropped: countByCode(repair.dropped),
    corrected: countByCode({ ...repair.corrected }),
    inserted: repair.inserted,
  };
}

/** What the search proved counts as much as what was known before it. */
function strongestBounds(known: TaskBounds, { optimize }: RecordStages): TaskBounds {
  if (optimize === null || !optimize.feasible || optimize.lower_bound <= known.lower) return known;
  return { ...known, lower: optimize.lower_bound, source: 'own' };
}

/** The makespan a plan states, if it is a number; a schedule only has start times. */
function claimOf(candidate: Candidate | null): number | null {
  if (candidate === null || isSchedule(candidate)) return null;
  const { makespan } = candidate;
  return typeof makespan === 'number' && Number.isFinite(makespan) ? makespan : null;
}

function countByCode(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
