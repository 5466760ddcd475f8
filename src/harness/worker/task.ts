import type { Budget } from '../../core/stopping.js';
import type { Instance } from '../../jssp/instance.js';
import { type Candidate, isSchedule } from '../../jssp/plan.js';
import type { RepairPolicy } from '../../lcrp/policy.js';
import type { Phase } from '../../lcrp/task.js';
import type { Repairer, Variant } from '../../pipeline/blueprint/spec.js';
import type { Disruption, Execution } from '../../pipeline/handlers/execute-stage.js';
import type { PipelineResult, StageOutcomes } from '../../pipeline/pipeline.js';
import { isSyntheticPlanner } from '../../pipeline/planners/planners.js';
import { NOTHING_SPENT, type Spending } from '../../pipeline/spending.js';
import type { ValidationReport } from '../../validator/index.js';
import type { Workflow } from '../../workflow/index.js';
import { type DisruptionRecord, describeExecution } from '../records/disruption-record.js';
import { describeModel, spentOn, totalOf } from '../records/model-record.js';
import {
  isExecuted,
  measureQuality,
  measureStage,
  NO_QUALITY,
  planStageOnly,
  type RecordStages,
  type RunRecord,
} from '../records/record.js';
import type { TaskBounds } from '../run/sources.js';

/** One record to be made: a cell of the run matrix. */
export interface Cell {
  /** Name of the instance. */
  readonly instance: string;
  readonly suite: string;
  readonly jobs: number;
  readonly machines: number;
  readonly bounds: TaskBounds;
  readonly planner: string;
  readonly variant: Variant;
  /** Repair method under which the schedule is executed; null where it is not. */
  readonly method: string | null;
  readonly replicate: number;
  /** Seed of this cell alone, and those of its later stages. */
  readonly seed: number;
  readonly repairSeed: number;
  readonly optimizeSeed: number;
  readonly executeSeed: number;
  /** Of what happens while the schedule is executed. */
  readonly eventSeed: number;
}

/** Cells with all that it takes to make their records: what is sent to a worker thread. */
export interface Task {
  /** One, or one for each method that executes the same schedule. */
  readonly cells: readonly Cell[];
  /** Lies in shared memory. */
  readonly instance: Instance;
  /** What is done with it, built and checked once for all threads. */
  readonly workflow: Workflow;
  /** Whether infeasible plans are repaired. */
  readonly repairs: boolean;
  /** By whom, where the planner is a model. */
  readonly repairer: Repairer;
  /** Repairs of one plan at most. */
  readonly rounds: number;
  /** Of the optimize stage; null to leave the plan as it is. */
  readonly budget: Budget | null;
  /** What schedules are exposed to, and by which policy they are repaired; null to execute none. */
  readonly execute: TaskExecution | null;
  /** Where the judged schedule of each cell is saved; null to save none. */
  readonly files: readonly SavedFiles[] | null;
  /** Where the steps are logged; null for nowhere. */
  readonly log: TaskLog | null;
}

/** The log of a task, in an SQLite file that other tasks write to, too. */
export interface TaskLog {
  readonly file: string;
  readonly runId: string;
  /** Whether what the log has of the task is gone on with. */
  readonly resume: boolean;
}

/** The execute stage of a task. */
export interface TaskExecution {
  readonly disruption: Disruption;
  readonly policy: RepairPolicy;
  /** What the policy is called. */
  readonly policyName: string;
}

/** Files for the judged schedule and, if it was executed, the instance that it was realised in. */
export interface SavedFiles {
  readonly schedule: string;
  readonly instance: string;
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
  | 'disruption'
  | 'llm'
  | 'tokens'
  | 'cost_usd'
  | 'seconds'
  | 'error'
>;

/**
 * The record of a cell whose pipeline ran to its end.
 *
 * @param execution under the method of the cell, if there was one
 * @param policy name of the policy of the execution
 */
export function recordOf(
  cell: Cell,
  result: PipelineResult,
  execution?: Execution | undefined,
  policy = '',
): RunRecord {
  const { plan, stages } = result;
  const { total, ...seconds } = result.seconds;
  const executing = execution?.seconds ?? null;
  const disruption = execution?.simulation ? describeExecution(execution.simulation, policy) : null;
  const verdict = execution === undefined ? result.verdict : (execution.simulation?.report ?? null);
  const status = execution === undefined ? result.status : statusOf(execution);
  return completeRecord(cell, {
    status,
    makespan: status === 'ok' && verdict !== null ? verdict.makespan : null,
    claimed_makespan: claimOf(plan),
    violations: verdict === null ? null : countByCode(verdict.counts),
    stages: stagesOf(result, cell.bounds),
    repair: repairOf(stages, disruption, execution?.simulation?.totals.phase),
    disruption,
    llm: describeModel(result),
    ...totalOf(result.spent),
    seconds: {
      ...seconds,
      execute: executing,
      total: total + (executing ?? 0),
    },
    error: execution === undefined ? result.error : execution.error,
  });
}

/** A plan that was given up on the way, or that misses a deadline in the end, is a failure. */
function statusOf({ simulation }: Execution): RunRecord['status'] {
  if (simulation === null) return 'error';
  return simulation.report.valid ? 'ok' : 'infeasible';
}

/**
 * The record of a cell that has no result: its instance could not be loaded, or it was lost with
 * its worker thread.
 *
 * @param total seconds until it was lost
 * @param spent on answers of models until then
 */
export function lostRecord(
  cell: Cell,
  error: string,
  total: number,
  spent: Spending = NOTHING_SPENT,
): RunRecord {
  return completeRecord(cell, {
    status: 'error',
    makespan: null,
    claimed_makespan: null,
    violations: null,
    stages: planStageOnly(null),
    repair: null,
    disruption: null,
    llm: null,
    ...totalOf({ plan: spent, repair: NOTHING_SPENT }),
    seconds: { plan: null, validate: null, repair: null, optimize: null, execute: null, total },
    error,
  });
}

/** Fills in what follows from cell and makespan, in the order in which records are written. */
function completeRecord(cell: Cell, outcome: Outcome): RunRecord {
  const bounds = strongestBounds(cell.bounds, outcome.stages);
  const known = { lower_bound: bounds.lower, upper_bound: bounds.upper };
  const quality = isExecuted(outcome) ? NO_QUALITY : measureQuality(outcome.makespan, known);
  return {
    schema: 'alas-jssp/record@1',
    instance: cell.instance,
    suite: cell.suite,
    jobs: cell.jobs,
    machines: cell.machines,
    planner: cell.planner,
    synthetic: isSyntheticPlanner(cell.planner),
    variant: cell.variant,
    method: cell.method,
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
    disruption: outcome.disruption,
    llm: outcome.llm,
    tokens: outcome.tokens,
    cost_usd: outcome.cost_usd,
    seconds: outcome.seconds,
    error: outcome.error,
  };
}

function stagesOf(
  { stages: { plan, repair, optimize }, spent, seconds }: PipelineResult,
  { lower, upper }: TaskBounds,
): RecordStages {
  const bounds = { lower_bound: lower, upper_bound: upper };
  const asked = { plan: spent?.plan, repair: spent?.repair, optimize: undefined };
  const measure = ({ valid, makespan }: ValidationReport, stage: keyof RecordStages) =>
    measureStage(valid ? makespan : null, bounds, spentOn(asked[stage], seconds[stage]));
  return {
    ...planStageOnly(plan && measure(plan, 'plan')),
    repair: repair && measure(repair.verdict, 'repair'),
    optimize: optimize && {
      ...measure(optimize.verdict, 'optimize'),
      status: optimize.status,
      lower_bound: optimize.lowerBound.value,
      iterations: optimize.iterations,
    },
  };
}

function repairOf(
  { plan, repair }: StageOutcomes,
  execution: DisruptionRecord | null,
  phase: Phase | undefined,
): RunRecord['repair'] {
  const wasRepaired = plan !== null && repair !== null;
  if (!wasRepaired && execution === null) return null;
  const { edited, start_deviation, earlier } = execution?.totals ?? {};
  return {
    phase: phase ?? 'plan',
    violations: wasRepaired ? countByCode(plan.counts) : null,
    seed_coverage: repair?.seedCoverage ?? null,
    kept_order: repair?.keptOrder ?? null,
    by: repair === null ? null : (repair.asked?.by ?? 'lcrp'),
    asked: repair?.asked?.rounds.map((round) => ({ ...round })) ?? null,
    dropped: repair && countByCode(repair.dropped),
    corrected: repair && countByCode({ ...repair.corrected }),
    inserted: repair?.inserted ?? null,
    edited_operations: edited?.operations ?? null,
    edited_jobs: edited?.jobs ?? null,
    edited_machines: edited?.machines ?? null,
    edit_radius: edited?.radius ?? null,
    shift_total: start_deviation ?? null,
    wip_moves: earlier ?? null,
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
