import type { AlasError } from '@alas-jssp/core/errors';
import type { Budget } from '@alas-jssp/core/stopping';
import type { Handler } from '@alas-jssp/workflow';
import type { ProvenBound } from '../jssp/bounds.js';
import { instanceChecksum } from '../jssp/checksum.js';
import type { Instance } from '../jssp/instance.js';
import type { Objective } from '../jssp/objectives.js';
import type { Candidate } from '../jssp/plan.js';
import type { Planner, PlannerContext } from '../jssp/planner.js';
import type { PlanRepair } from '../lcrp/plan/repair-plan.js';
import type { Booking } from '../llm/account.js';
import type { ValidationReport } from '../validator/index.js';
import type { Repairer } from './blueprint/spec.js';
import type { SearchOutcome } from './handlers/optimize-stage.js';
import type { ModelPlanner, PromptReport } from './planners/llm-planner.js';
import type { ModelAccess } from './planners/model-access.js';
import type { PlannerProgress, ProgressWatch, WatchOptions } from './progress.js';
import type { Stopwatch } from './stopwatch.js';

/** The limits of the planner, including those of an external program. */
export interface PlannerLimits extends Pick<PlannerContext, 'seconds' | 'megabytes' | 'threads'> {
  /** Stops the planner, keeping its best plan. Default: the signal of all steps. */
  readonly planSignal?: AbortSignal | undefined;
  /** Receives each plan that is better than all before it, in case the planner never ends. */
  readonly onKept?: WatchOptions['onKept'];
  /** The work of a planner that was stopped, or that has planned in another variant: its progress and seconds. */
  readonly before?: (PlannerProgress & { readonly seconds: number }) | undefined;
  /** Receives the end of a planner that uses no model. */
  readonly onProposed?: ((end: PlanningEnd) => void) | undefined;
}

/** The end of planning: a plan or an error, with its progress and seconds. */
export interface PlanningEnd {
  readonly made: { readonly candidate: Candidate } | { readonly error: AlasError };
  readonly progress: PlannerProgress;
  readonly seconds: number;
}

/** The services of the steps of one run. */
export interface StepServices {
  /** The true instance. Steps exchange plans and schedules, never the instance. */
  readonly instance: Instance;
  readonly task: PipelineTask;
  readonly planner: Planner | ModelPlanner;
  readonly stopwatch: Stopwatch;
  readonly progress: ProgressWatch;
  readonly limits?: PlannerLimits | undefined;
  /** Whether a log must store the outputs of steps. */
  readonly logged: boolean;
  /**
   * Aborts planning and repairing; ends a search with its best result, unless the search has its own signal. Default:
   * the signal of the workflow's run.
   */
  readonly signal?: AbortSignal | undefined;
  readonly searchSignal?: AbortSignal | undefined;
  /** The model, if the planner uses one. */
  readonly model?: ModelAccess | undefined;
  /** Receives the plan of each round of repair, from 1, even a discarded one. */
  readonly onRound?: ((round: number, made: Candidate) => void) | undefined;
}

/** The handler of one step, before it is bound to a run. */
// biome-ignore lint/suspicious/noExplicitAny: each step knows the types of its own values
export interface PipelineStep<I = any, O = any> {
  /** `external` if a replay takes its output from the log, and a checker does not assume that it ends. */
  readonly kind: 'pure' | 'external';
  /** For a repair: the kinds of disruptions that it covers. */
  readonly covers?: readonly string[];
  /** Whether an external step can be repeated in this run with the same output. */
  isRepeatable?(services: StepServices): boolean;
  handle(services: StepServices): Handler<I, O>['run'];
}

/** A plan as delivered by its planner. */
export interface ProposedPlan {
  readonly candidate: Candidate;
  /** The usage of a model's answers, and its settings. */
  readonly usage?: Booking | undefined;
  readonly promptReport?: PromptReport | undefined;
  /** Intermediate plans and bounds; undefined if there were none. */
  readonly progress?: PlannerProgress | undefined;
}

/** The verdict on the plan of a stage. */
export interface StageVerdict {
  readonly valid: boolean;
  readonly makespan: number | null;
  /** For a feasible schedule under another objective than the makespan. */
  readonly value?: number | null | undefined;
  /** The stage that made the plan. */
  readonly stage: 'plan' | 'repair' | 'optimize';
  readonly report: ValidationReport;
}

/** A planner's verdict on its own plan. */
export interface SelfVerdict {
  readonly valid: boolean;
  /** The faults that it names, in its words. */
  readonly errors: readonly string[];
  readonly usage: Booking;
}

/** A plan to repair, its violations, and the results of the rounds before. */
export interface RepairInput {
  readonly candidate: Candidate;
  /** Undefined for a blind repair. */
  readonly report?: ValidationReport | undefined;
  readonly details?: RepairDetails | undefined;
}

/** A plan after a repair. */
export interface RepairedPlan {
  readonly candidate: Candidate;
  /** Whether the repairer claims that the plan violates no rule. */
  readonly feasible: boolean;
  readonly details: RepairDetails;
}

/** A repaired plan with the verdict on it. */
export type RepairRound = RepairedPlan & StageVerdict;

/** The end of a search: a new schedule, or its unchanged input. */
export interface SearchedPlan extends SearchOutcome {
  readonly candidate: Candidate;
  /** For a search from an unvalidated plan: `plan` if that is kept. */
  readonly stage?: 'plan' | 'optimize' | undefined;
}

/** The end of a pipeline: a feasible schedule, an infeasible plan, or no plan at all. */
export type PipelineStatus = 'ok' | 'infeasible' | 'error';

/** The output of the whole workflow. */
export interface PipelineOutcome {
  readonly status: PipelineStatus;
  readonly makespan: number | null;
  readonly error: string | null;
}

/** The work of the repair: facts about the plan are from the first round, the rest from the last. */
export interface RepairDetails extends Omit<PlanRepair, 'schedule' | 'rebuilt'> {
  /** Number of rounds so far. */
  readonly rounds: number;
  /** Only if the protocol made the last repair. */
  readonly rebuilt?: PlanRepair['rebuilt'] | undefined;
  /** The notes of all rounds; undefined in logs without them. */
  readonly history?: readonly RoundNote[] | undefined;
  /** The repair by the model, if it was used. Facts about the plan are then those of its best one. */
  readonly asked?: AskedRepair | undefined;
}

/** A round of repair: violations before and after it, and its changes. */
export interface RoundNote {
  readonly by: Repairer;
  /** Violations; `before` is null if the plan was not validated. */
  readonly violations: { readonly before: number | null; readonly after: number };
  /** Operations that differ from the plan before the round. */
  readonly edited: number;
  /**
   * Hops from the operations of violations to the farthest edited one, along jobs and the queues of the plan; null if
   * one is unreachable, or if there were no violations.
   */
  readonly radius: number | null;
}

/** The rounds of a plan that its model repaired. */
export interface AskedRepair {
  /** The repairer of the last round. */
  readonly by: Repairer;
  /** The verdicts on the plans of the model, in the order of the rounds. */
  readonly verdicts: readonly { readonly violations: number; readonly makespan: number | null }[];
  /** The usage of the answers. */
  readonly usage: Booking;
  /** SHA-256 of the texts that prompts are made of. */
  readonly promptHash: string;
}

/** Everything that the outcome of a run depends on, besides its workflow and instance. */
export interface PipelineTask {
  /** The name of the planner. */
  readonly planner: string;
  readonly seed: number;
  readonly objective: Objective;
  /** Number of the plan for this instance, from 0. */
  readonly replicate: number;
  /** Null without a repair, or without a search. */
  readonly repairSeed: number | null;
  readonly optimizeSeed: number | null;
  readonly budget: Budget | null;
  readonly bound: ProvenBound | null;
}

/** A reference from a log to an instance, without its content. */
export interface InstanceReference {
  readonly name: string;
  /** Checksum of its numbers, see {@link instanceChecksum}. */
  readonly sha256: string;
}

/** A task as the input of its workflow, in its logged form. */
export interface LoggedTask extends PipelineTask {
  readonly instance: InstanceReference;
}

/** Names an instance and its numbers. */
export function referTo(instance: Instance): InstanceReference {
  return { name: instance.name, sha256: instanceChecksum(instance) };
}
