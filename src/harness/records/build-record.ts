import { isDeepStrictEqual } from 'node:util';
import { totalWeightedTardiness } from '../../jssp/objectives.js';
import { type Candidate, isSchedule } from '../../jssp/plan.js';
import type { RepairTotals } from '../../lcrp/simulation/simulate.js';
import { addBookings, type Booking, NO_BOOKING } from '../../llm/account.js';
import type { Usage } from '../../llm/usage.js';
import type { Execution } from '../../pipeline/handlers/execute-stage.js';
import type { PipelineResult } from '../../pipeline/pipeline.js';
import type { PromptReport } from '../../pipeline/planners/llm-planner.js';
import type { PlannerProgress } from '../../pipeline/progress.js';
import type { StageOutcomes } from '../../pipeline/stage-outcomes.js';
import type { RoundNote } from '../../pipeline/step-values.js';
import type { ValidationReport } from '../../validator/index.js';
import type { Cell } from '../worker/task.js';
import type { AttributionRecord } from './attribution-record.js';
import { describeExecution } from './disruption-record.js';
import { describeAsking, describeModel } from './model-record.js';
import { claimedBound, describeProgram, improvementsOf, recordValue } from './progress-record.js';
import {
  costOfTime,
  isExecuted,
  measureQuality,
  measureStage,
  NO_EDITS,
  NO_PLAN_REPAIR,
  NO_QUALITY,
  planStageOnly,
  type RecordBounds,
  type RecordCost,
  type RecordHead,
  type RecordStages,
  type RunRecord,
} from './record.js';

/** The outcome of a record; the rest follows from the head and the bounds. */
type RecordOutcome = Omit<
  RunRecord,
  keyof RecordHead | keyof RecordBounds | keyof typeof NO_QUALITY | 'schema' | 'feasible'
>;

/**
 * The record of a cell whose pipeline finished.
 *
 * @param execution under the method of the cell, if there was one
 * @param policy name of the policy of the execution
 * @param attribution facts about plan and final schedule, if the run measures them
 */
export function recordOf(
  cell: Cell,
  result: PipelineResult,
  execution?: Execution | undefined,
  policy = '',
  attribution: AttributionRecord | null = null,
): RunRecord {
  const simulation = execution?.simulation ?? null;
  const { total, ...seconds } = result.seconds;
  const execute = execution?.seconds ?? null;
  const { status, error, verdict } =
    execution === undefined
      ? result
      : {
          status: statusOf(execution),
          error: execution.error,
          verdict: simulation?.report ?? null,
        };
  return completeRecord(cell, {
    status,
    makespan: status === 'ok' && verdict !== null ? verdict.makespan : null,
    tardiness: execution === undefined ? result.tardiness : realisedTardiness(simulation),
    claimed_makespan: claimOf(result.plan),
    ...claimedBound(cell, result.progress),
    ...faultsOf(verdictOnPlan(result)),
    improvements: improvementsOf(cell, result.progress),
    stages: stagesOf(result, cell.bounds),
    repair: repairOf(result.stages, simulation?.repair ?? null),
    disruption: simulation && describeExecution(simulation, policy),
    attribution,
    llm: describeModel(result),
    process: describeProgram(result.progress),
    ...costOfAll(result.usage ?? {}),
    ...costOfProgram(result.progress),
    seconds: { ...seconds, execute, total: total + (execute ?? 0) },
    error,
  });
}

/**
 * The record of a cell without a result: its instance could not be loaded, or its worker thread died.
 *
 * @param total seconds until the loss
 * @param asked usage of models until then; null if the planner uses none
 */
export function lostRecord(
  cell: Cell,
  error: string,
  total: number,
  asked: { readonly report: PromptReport; readonly usage: Booking } | null = null,
): RunRecord {
  return completeRecord(cell, {
    status: 'error',
    makespan: null,
    tardiness: null,
    claimed_makespan: null,
    claimed_lower_bound: null,
    contradiction: null,
    ...faultsOf(null),
    improvements: [],
    stages: planStageOnly(null),
    repair: null,
    disruption: null,
    attribution: null,
    llm: asked && describeAsking(asked.report, asked.usage),
    process: null,
    ...costOfAll({ plan: asked?.usage }),
    seconds: { plan: null, validate: null, repair: null, optimize: null, execute: null, total },
    error,
  });
}

/** Fills in what follows from the makespan, in the order in which records are written. */
function completeRecord(
  { bounds: { proof: _, ...known }, seeds: __, specification: ___, objective, ...head }: Cell,
  outcome: RecordOutcome,
): RunRecord {
  const { status, makespan, tardiness, claimed_makespan, claimed_lower_bound, ...rest } = outcome;
  const bounds = strongestBounds(known, outcome.stages);
  const value = recordValue({ objective, makespan, tardiness });
  const quality = isExecuted(outcome) ? NO_QUALITY : { ...measureQuality(value, bounds), makespan };
  return {
    schema: 'alas-jssp/record@1',
    ...head,
    objective,
    status,
    feasible: status === 'ok',
    makespan,
    tardiness,
    claimed_makespan,
    claimed_lower_bound,
    ...bounds,
    ...quality,
    ...rest,
  };
}

/**
 * The verdict on the plan before any repair; if it was not validated then, the last verdict if the plan is unchanged.
 */
function verdictOnPlan({ stages, plan, candidate, verdict }: PipelineResult) {
  return stages.plan ?? (isDeepStrictEqual(candidate, plan) ? verdict : null);
}

/** The violations of the planner's plan and their root causes; null if there was no plan to validate. */
function faultsOf(plan: ValidationReport | null): Pick<RunRecord, 'violations' | 'root_causes'> {
  if (plan === null) return { violations: null, root_causes: null };
  const causes: Record<string, number> = {};
  for (const { root } of plan.groups) causes[root.code] = (causes[root.code] ?? 0) + 1;
  return { violations: countByCode(plan.counts), root_causes: causes };
}

/**
 * The total weighted tardiness of the executed schedule; null if no job has a due date, or if the execution was
 * abandoned.
 */
function realisedTardiness(simulation: Execution['simulation']): number | null {
  if (simulation === null || simulation.schedule.instance.due === null) return null;
  return simulation.report.valid ? totalWeightedTardiness(simulation.schedule) : null;
}

/** An execution that was abandoned, or that misses a deadline, is a failure. */
function statusOf({ simulation }: Execution): RunRecord['status'] {
  if (simulation === null) return 'error';
  return simulation.report.valid ? 'ok' : 'infeasible';
}

function stagesOf(
  { stages: { plan, repair, optimize }, usage, seconds, progress }: PipelineResult,
  bounds: RecordBounds,
): RecordStages {
  const asked = { plan: usage?.plan, repair: usage?.repair, optimize: undefined };
  const measure = ({ valid, makespan }: ValidationReport, stage: keyof RecordStages) =>
    measureStage(valid ? makespan : null, bounds, costOf(asked[stage], seconds[stage]));
  return {
    ...planStageOnly(plan && { ...measure(plan, 'plan'), ...costOfProgram(progress) }),
    repair: repair && measure(repair.verdict, 'repair'),
    optimize: optimize && {
      ...measure(optimize.verdict, 'optimize'),
      status: optimize.status,
      lower_bound: optimize.lowerBound.value,
      iterations: optimize.iterations,
    },
  };
}

function repairOf({ repair }: StageOutcomes, edits: RepairTotals | null): RunRecord['repair'] {
  if (repair === null && edits === null) return null;
  const ofPlan = repair === null ? NO_PLAN_REPAIR : planRepairOf(repair);
  return { phase: 'plan', ...ofPlan, ...(edits ?? NO_EDITS) };
}

function planRepairOf(repair: NonNullable<StageOutcomes['repair']>) {
  const { asked, history, seedCoverage, keptOrder, dropped, corrected, inserted } = repair;
  return {
    seed_coverage: seedCoverage,
    kept_order: keptOrder,
    by: asked?.by ?? 'lcrp',
    asked: asked ? [...asked.verdicts] : null,
    dropped: countByCode(dropped),
    corrected: countByCode({ ...corrected }),
    inserted,
    rounds: history?.map(roundOf) ?? null,
  };
}

function roundOf({ by, violations, edited, radius }: RoundNote) {
  return {
    by,
    violations_before: violations.before,
    violations_after: violations.after,
    edited_operations: edited,
    edit_radius: radius,
  };
}

/** Cost of a stage. For a model it is the time of the answers, which a resumed run knows too. */
function costOf(usage: Usage | undefined, seconds: number | null): RecordCost {
  if (usage === undefined || usage.answers === 0) return costOfTime(seconds);
  return { tokens: usage.tokens, cost_usd: usage.usd, seconds: usage.seconds };
}

/** Cost of all answers of a task, with their time by the provider's clock. */
function costOfAll({ plan = NO_BOOKING, repair = NO_BOOKING }) {
  const { answers, tokens, usd, seconds, elapsed } = addBookings(plan, repair);
  const answer_seconds = answers === 0 ? null : seconds;
  const answer_elapsed_seconds = answers === 0 ? null : elapsed;
  return { tokens, cost_usd: usd, answer_seconds, answer_elapsed_seconds };
}

/** Cost of the models that a program asks: tokens, as it reports them, at an unknown price. */
function costOfProgram({
  process,
}: PlannerProgress): Partial<Pick<RecordCost, 'tokens' | 'cost_usd'>> {
  if (process?.tokens === undefined) return {};
  return { tokens: { ...process.tokens, estimated: false }, cost_usd: null };
}

/** The stronger of the known bounds and those that the search proved. */
function strongestBounds(known: RecordBounds, { optimize }: RecordStages): RecordBounds {
  if (!optimize?.feasible || optimize.lower_bound <= known.lower_bound) return known;
  return { ...known, lower_bound: optimize.lower_bound, lower_bound_source: 'own' };
}

/** The makespan that a plan states, if it is a number; a schedule has only start times. */
function claimOf(candidate: Candidate | null): number | null {
  if (candidate === null || isSchedule(candidate)) return null;
  const { makespan } = candidate;
  return typeof makespan === 'number' && Number.isFinite(makespan) ? makespan : null;
}

function countByCode(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
