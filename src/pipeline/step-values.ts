import type { Budget } from '../core/stopping.js';
import type { ProvenBound } from '../jssp/bounds.js';
import { instanceChecksum } from '../jssp/checksum.js';
import type { Instance } from '../jssp/instance.js';
import type { Objective } from '../jssp/objectives.js';
import type { Candidate } from '../jssp/plan.js';
import type { Planner, PlannerContext } from '../jssp/planner.js';
import type { PlanRepair } from '../lcrp/plan/repair-plan.js';
import type { Booking } from '../llm/bookings.js';
import type { ValidationReport } from '../validator/index.js';
import type { Handler } from '../workflow/index.js';
import type { Repairer } from './blueprint/spec.js';
import type { SearchOutcome } from './handlers/optimize-stage.js';
import type { ModelPlanner, PromptReport } from './planners/llm-planner.js';
import type { ModelAccess } from './planners/question.js';
import type { PlannerProgress, ProgressWatch, WatchOptions } from './progress.js';
import type { Stopwatch } from './stopwatch.js';

/** The limits of the planner, including those of an external program. */
export interface PlannerLimits extends Pick<PlannerContext, 'seconds' | 'megabytes' | 'threads'> {
  /** Stops it: the best that it handed over until then goes on. Default: the signal of all steps. */
  readonly planSignal?: AbortSignal | undefined;
  /** Receives each plan that is better than all before it, in case the planner never ends. */
  readonly onKept?: WatchOptions['onKept'];
  /** The work of a planner that was ended: its progress, and the seconds that it took. */
  readonly before?: (PlannerProgress & { readonly seconds: number }) | undefined;
}

/** Everything the steps of one run work with. */
export interface StepServices {
  /** The true instance. Steps hand on plans and schedules, never the instance. */
  readonly instance: Instance;
  readonly task: PipelineTask;
  readonly planner: Planner | ModelPlanner;
  readonly stopwatch: Stopwatch;
  readonly progress: ProgressWatch;
  readonly limits?: PlannerLimits | undefined;
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
  /** Receives the plan of each round of repair, from 1, even a discarded one. */
  readonly onRound?: ((round: number, made: Candidate) => void) | undefined;
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
  readonly usage?: Booking | undefined;
  readonly promptReport?: PromptReport | undefined;
  /** Better plans and bounds on the way to it; undefined if there were none. */
  readonly progress?: PlannerProgress | undefined;
}

/** The judgement on the plan of a stage. */
export interface StageVerdict {
  readonly valid: boolean;
  readonly makespan: number | null;
  /** Of a feasible schedule, under another objective than the makespan. */
  readonly value?: number | null | undefined;
  /** Whose work was judged. */
  readonly stage: 'plan' | 'repair' | 'optimize';
  readonly report: ValidationReport;
}

/** A plan as its own planner judges it. */
export interface SelfVerdict {
  readonly valid: boolean;
  /** The faults that it names, in its words. */
  readonly errors: readonly string[];
  readonly usage: Booking;
}

/** A plan to be repaired, what is wrong with it, and what the rounds before did. */
export interface RepairInput {
  readonly candidate: Candidate;
  /** Undefined if the plan is repaired blindly. */
  readonly report?: ValidationReport | undefined;
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

/** The end of a search: a schedule of its own, or what it was given and believes. */
export interface SearchedPlan extends SearchOutcome {
  readonly candidate: Candidate;
  /** Where a search believes what it is given: `plan` if that is kept. */
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

/** The work of the repair: what it says of the plan is of the first round, the rest of the last. */
export interface RepairDetails extends Omit<PlanRepair, 'schedule' | 'rebuilt'> {
  readonly rounds: number;
  /** Only of a repair that is ours to the end. */
  readonly rebuilt?: PlanRepair['rebuilt'] | undefined;
  /** The rounds one by one; undefined in logs that do not have them. */
  readonly history?: readonly RoundNote[] | undefined;
  /** If the model was asked: what it made of it. What is said of the plan is of the best one then. */
  readonly asked?: AskedRepair | undefined;
}

/** A round of repair: what was wrong before it and after it, and what it changed. */
export interface RoundNote {
  readonly by: Repairer;
  /** Violations; before it null if the plan was not judged. */
  readonly violations: { readonly before: number | null; readonly after: number };
  /** Operations of which the round says something else than the plan before it. */
  readonly edited: number;
  /**
   * Hops from the operations that the validator found fault with to the farthest edited one, along jobs and
   * the queues of the plan; null if one is out of reach, or no operation was found fault with.
   */
  readonly radius: number | null;
}

/** The rounds of a plan that its model repaired. */
export interface AskedRepair {
  /** Whose repair the last round was. */
  readonly by: Repairer;
  /** The verdicts on the plans of the model, in the order of the rounds. */
  readonly rounds: readonly { readonly violations: number; readonly makespan: number | null }[];
  /** The usage of the answers. */
  readonly usage: Booking;
  /** SHA-256 of the texts that prompts are made of. */
  readonly promptHash: string;
}

/** All that the outcome of a run depends on, besides its workflow and its instance. */
export interface PipelineTask {
  /** The name of the planner. */
  readonly planner: string;
  readonly seed: number;
  readonly objective: Objective;
  /** Number of the plan for this instance, from 0. */
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
