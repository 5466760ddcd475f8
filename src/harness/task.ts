import type { Instance } from '../jssp/instance.js';
import { type Candidate, isSchedule } from '../jssp/plan.js';
import type { PipelineResult } from '../pipeline/pipeline.js';
import { measureQuality, type RunRecord } from './record.js';

/** What is known about the optimal makespan of an instance. */
export interface TaskBounds {
  readonly lower: number;
  readonly source: RunRecord['lower_bound_source'];
  /** The argument that proves the lower bound, in words. */
  readonly proof: string;
  /** Best known makespan; null if there is none. */
  readonly upper: number | null;
}

/** One record to be made: what is sent to a worker thread. */
export interface Task {
  /** Lies in shared memory. */
  readonly instance: Instance;
  readonly suite: string;
  readonly bounds: TaskBounds;
  readonly planner: string;
  readonly variant: string;
  readonly replicate: number;
  /** Seed of this task alone. */
  readonly seed: number;
  /** File for the judged schedule; null to save none. */
  readonly schedulePath: string | null;
}

/** What a record says about its outcome; the rest follows from the task. */
type Outcome = Pick<
  RunRecord,
  'status' | 'makespan' | 'claimed_makespan' | 'violations' | 'seconds' | 'error'
>;

/** The record of a task whose pipeline ran to its end. */
export function recordOf(task: Task, result: PipelineResult): RunRecord {
  const { status, candidate, verdict, seconds, error } = result;
  return completeRecord(task, {
    status,
    makespan: status === 'ok' && verdict !== null ? verdict.makespan : null,
    claimed_makespan: claimOf(candidate),
    violations: verdict === null ? null : countByCode(verdict.counts),
    seconds,
    error,
  });
}

/**
 * The record of a task that was lost with its worker thread.
 *
 * @param total seconds from sending the task to losing it
 */
export function lostRecord(task: Task, error: string, total: number): RunRecord {
  return completeRecord(task, {
    status: 'error',
    makespan: null,
    claimed_makespan: null,
    violations: null,
    seconds: { plan: null, validate: null, repair: null, optimize: null, total },
    error,
  });
}

/** Fills in what follows from task and makespan, in the order in which records are written. */
function completeRecord(task: Task, outcome: Outcome): RunRecord {
  const { instance, bounds } = task;
  const known = { lower_bound: bounds.lower, upper_bound: bounds.upper };
  const quality = measureQuality(outcome.makespan, known);
  return {
    schema: 'alas-jssp/record@1',
    instance: instance.name,
    suite: task.suite,
    jobs: instance.jobs,
    machines: instance.machines,
    planner: task.planner,
    variant: task.variant,
    replicate: task.replicate,
    seed: task.seed,
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
    // No planner so far asks a model, and no variant repairs.
    repair: null,
    tokens: { input: 0, output: 0 },
    cost_usd: 0,
    seconds: outcome.seconds,
    error: outcome.error,
  };
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
