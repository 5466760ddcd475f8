import type { Candidate } from '../jssp/plan.js';
import type { Planner } from '../jssp/planner.js';
import type { Schedule } from '../jssp/schedule.js';
import type { PlanRepair } from '../lcrp/plan/repair-plan.js';
import type { ValidationReport } from '../validator/index.js';
import type { Repairer } from './blueprint/spec.js';
import type { SearchOutcome } from './handlers/optimize-stage.js';
import type { Told } from './planners/llm-planner.js';
import type { ModelAccess } from './planners/model-access.js';
import type { Spending } from './spending.js';
import type { Stopwatch } from './stopwatch.js';

/** What the steps of the pipeline work with. */
export interface PipelineServices {
  readonly planner: Planner;
  readonly stopwatch: Stopwatch;
  /** Whether there is a log that has to hold what the steps give. */
  readonly logged: boolean;
  /** Aborts planning and repairing; ends a search with its best so far, unless that has its own. */
  readonly signal?: AbortSignal | undefined;
  readonly searchSignal?: AbortSignal | undefined;
  /** The model, where the planner is one. */
  readonly model?: ModelAccess | undefined;
}

/** The values that the steps hand on. */
export interface Proposed {
  readonly candidate: Candidate;
  /** What the answers of a model took, and how it was asked. */
  readonly spent?: Spending | undefined;
  readonly told?: Told | undefined;
}
export interface Verdict {
  readonly valid: boolean;
  readonly makespan: number | null;
  /** Whose work was judged. */
  readonly stage: 'plan' | 'repair' | 'optimize';
  readonly report: ValidationReport;
}
export interface Repaired {
  readonly candidate: Candidate;
  readonly feasible: boolean;
  readonly details: RepairDetails;
}
export type Revalidated = Repaired & Verdict;
export interface Found extends SearchOutcome {
  readonly candidate: Schedule;
}
export interface PipelineOutcome {
  readonly status: 'ok' | 'infeasible' | 'error';
  readonly makespan: number | null;
  readonly error: string | null;
}

/** What the repair did: what it says of the plan is of the first round, the rest of the last. */
export interface RepairDetails extends Omit<PlanRepair, 'schedule' | 'rebuilt'> {
  readonly rounds: number;
  /** Only of a repair that is ours to the end. */
  readonly rebuilt?: PlanRepair['rebuilt'] | undefined;
  /** If the model was asked: what it made of it. What is said of the plan is of the best one then. */
  readonly asked?: AskedRepair | undefined;
}

/** What became of a plan whose repair was left to its model. */
export interface AskedRepair {
  /** Whose repair the last round was. */
  readonly by: Repairer;
  /** What the validator says of the plans of the model, in the order of the rounds. */
  readonly rounds: readonly { readonly violations: number; readonly makespan: number | null }[];
  /** What the answers took. */
  readonly spent: Spending;
  /** SHA-256 of the texts that prompts are made of. */
  readonly promptHash: string;
}
