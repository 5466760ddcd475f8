import type { Budget } from '../core/stopping.js';
import type { ProvenBound } from '../jssp/bounds.js';
import { instanceChecksum } from '../jssp/checksum.js';
import type { Instance } from '../jssp/instance.js';
import type { Candidate } from '../jssp/plan.js';
import type { Planner } from '../jssp/planner.js';
import type { Schedule } from '../jssp/schedule.js';
import type { PlanRepair } from '../lcrp/plan/repair-plan.js';
import type { Usage } from '../llm/usage.js';
import type { ValidationReport } from '../validator/index.js';
import type { Handler } from '../workflow/index.js';
import type { Repairer } from './blueprint/spec.js';
import type { SearchOutcome } from './handlers/optimize-stage.js';
import type { ModelPlanner, PromptReport } from './planners/llm-planner.js';
import type { ModelAccess } from './planners/question.js';
import type { Stopwatch } from './stopwatch.js';

/** Everything the steps of one run work with. */
export interface StepServices {
  /** The true instance. Steps hand on plans and schedules, never the instance. */
  readonly instance: Instance;
  readonly task: PipelineTask;
  readonly planner: Planner | ModelPlanner;
  readonly stopwatch: Stopwatch;
  /** Whether there is a log that has to hold what the steps give. */
  readonly logged: boolean;
  /**
   * Aborts planning and repairing; ends a search with its best so far, unless that has its own. Default:
   * the signal of the workflow's run.
   */
  readonly signal?: AbortSignal | undefined;
  readonly searchSignal?: AbortSignal | undefined;
  /** The model, where the planner is one. */
  readonly model?: ModelAccess | undefined;
}

/** The handler of one step, before it is given a run. */
// biome-ignore lint/suspicious/noExplicitAny: each step knows the types of its own values
export interface PipelineStep<I = any, O = any> {
  /** `external` if a replay takes its output from the log, and a checker does not trust it to end. */
  readonly kind: 'pure' | 'external';
  /** Of a repair: the kinds of disruptions that it can deal with. */
  readonly covers?: readonly string[];
  /** Whether an external step can be made again in this run all the same, with the same output. */
  isRepeatable?(services: StepServices): boolean;
  handle(services: StepServices): Handler<I, O>['run'];
}

/** A plan as its planner handed it over. */
export interface ProposedPlan {
  readonly candidate: Candidate;
  /** The usage of the answers of a model, and how it was asked. */
  readonly usage?: Usage | undefined;
  readonly promptReport?: PromptReport | undefined;
}

/** The judgement on the plan of a stage. */
export interface StageVerdict {
  readonly valid: boolean;
  readonly makespan: number | null;
  /** Whose work was judged. */
  readonly stage: 'plan' | 'repair' | 'optimize';
  readonly report: ValidationReport;
}

/** A plan to be repaired, what is wrong with it, and what the rounds before did. */
export interface RepairInput {
  readonly candidate: Candidate;
  readonly report: ValidationReport;
  readonly details?: RepairDetails | undefined;
}

/** A plan as a repairer left it. */
export interface RepairedPlan {
  readonly candidate: Candidate;
  /** Whether the repairer says that it breaks no rule. */
  readonly feasible: boolean;
  readonly details: RepairDetails;
}

/** A repaired plan with the verdict on it. */
export type RepairRound = RepairedPlan & StageVerdict;

/** A schedule that the search ended with. */
export interface SearchedPlan extends SearchOutcome {
  readonly candidate: Schedule;
}

/** The end of a pipeline: a feasible schedule, an infeasible plan, or no plan at all. */
export type PipelineStatus = 'ok' | 'infeasible' | 'error';

/** The output of the whole workflow. */
export interface PipelineOutcome {
  readonly status: PipelineStatus;
  readonly makespan: number | null;
  readonly error: string | null;
}

/** The work of the repair: what it says of the plan is of the first round, the rest of the last. */
export interface RepairDetails extends Omit<PlanRepair, 'schedule' | 'rebuilt'> {
  readonly rounds: number;
  /** Only of a repair that is ours to the end. */
  readonly rebuilt?: PlanRepair['rebuilt'] | undefined;
  /** If the model was asked: what it made of it. What is said of the plan is of the best one then. */
  readonly asked?: AskedRepair | undefined;
}

/** The way of a plan whose repair was left to its model. */
export interface AskedRepair {
  /** Whose repair the last round was. */
  readonly by: Repairer;
  /** The verdicts on the plans of the model, in the order of the rounds. */
  readonly rounds: readonly { readonly violations: number; readonly makespan: number | null }[];
  /** The usage of the answers. */
  readonly usage: Usage;
  /** SHA-256 of the texts that prompts are made of. */
  readonly promptHash: string;
}

/** All that the outcome of a run depends on, besides its workflow and its instance. */
export interface PipelineTask {
  /** The name of the planner. */
  readonly planner: string;
  readonly seed: number;
  /** Which of the plans for this instance this is to be, from 0. */
  readonly replicate: number;
  /** Null if nothing is repaired, or nothing is optimized. */
  readonly repairSeed: number | null;
  readonly optimizeSeed: number | null;
  readonly budget: Budget | null;
  readonly bound: ProvenBound | null;
}

/** The reference of a log to an instance: its content is not in it. */
export interface InstanceReference {
  readonly name: string;
  /** Checksum of its numbers, see {@link instanceChecksum}. */
  readonly sha256: string;
}

/** A task as the input of its workflow: as its log has it. */
export interface LoggedTask extends PipelineTask {
  readonly instance: InstanceReference;
}

/** Names an instance and its numbers. */
export function referTo(instance: Instance): InstanceReference {
  return { name: instance.name, sha256: instanceChecksum(instance) };
}
