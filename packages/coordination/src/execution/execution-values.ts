import type { Budget } from '@alas-jssp/core';
import type {
  PlanBase,
  PlanCommand,
  PlanInput,
  PlanInstant,
  PlanProposal,
} from '@alas-jssp/living-plan';
import type { CoordinationEvent } from '../events/events.js';
import type { PlanCost } from '../model/cost.js';
import type { Action, CoordinationPlan, PlanFile } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import type { ProblemFacts } from '../model/problem-schema.js';
import type { Change, PromiseChange } from '../repair/changes.js';
import type { Notice } from '../repair/notices.js';
import type { RepairPhase } from '../repair/repair.js';
import type { ExecutionTeam, TeamPlanning } from './team-repair.js';

/** The input of an execution run. Together with later messages it determines the whole run. */
export interface ExecutionInput extends PlanInput {
  readonly problem: ProblemFacts;
  readonly plan: PlanFile;
  /** Events known in advance to the simulation but not to its actors: each occurs at its time. */
  readonly events: readonly CoordinationEvent[];
  /** The budget of each repair step: iterations, not seconds, so that equal logs give equal plans. */
  readonly budget: Budget;
  /** The team that plans again after events; absent if code repairs the plan. */
  readonly team?: ExecutionTeam | undefined;
}

/** An instant of an execution: the next minute at which an action begins or ends or an event becomes known. */
export interface ExecutionInstant extends PlanInstant {
  /** The minute before; actions that began at it, and actions that have ended by `now`. */
  readonly from: number;
  readonly began: readonly Action[];
  readonly ended: readonly Action[];
}

/** A command to an execution: advance to a minute, where events become known. */
export type ExecutionCommand = Extract<PlanCommand, { events: unknown }>;

/** A notice with the idempotency key by which its sender detects repetition. */
export interface KeyedNotice extends Notice {
  readonly key: string;
}

/** A proposed repair: the next version, and its changes. */
export interface ExecutionProposal extends PlanProposal {
  /** The step of the repair; `team` if a team planned the rest. */
  readonly phase: RepairPhase | 'team';
  /** How the team made it; absent for repairs. */
  readonly team?: TeamPlanning | undefined;
  readonly plan: PlanFile;
  /** Root causes that make the previous version invalid, by code and in words. */
  readonly because: readonly { readonly code: string; readonly message: string }[];
  readonly changes: readonly Change[];
  readonly edit_radius: number;
  readonly promises: readonly PromiseChange[];
  readonly notices: readonly KeyedNotice[];
  readonly cost_before: PlanCost;
  readonly cost: PlanCost;
}

/** A version of the plan, with the problem as of its creation. */
export interface ExecutionVersion {
  readonly problem: Problem;
  readonly plan: CoordinationPlan;
}

/** The types of executions as living plans. The effect of an instant is the changed problem with the plan before. */
export interface ExecutionKind {
  readonly Input: ExecutionInput;
  readonly Base: PlanBase<ExecutionKind>;
  readonly Plan: ExecutionVersion;
  readonly Instant: ExecutionInstant;
  readonly Effect: ExecutionVersion;
  readonly Proposal: ExecutionProposal;
  readonly Figures: object;
  readonly Notes: null;
}
