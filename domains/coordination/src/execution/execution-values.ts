import type { Budget } from 'alas-jssp/core';
import type { CoordinationEvent } from '../events/events.js';
import type { PlanCost } from '../model/cost.js';
import type { Action, PlanFile } from '../model/plan.js';
import type { ProblemFacts } from '../model/problem-schema.js';
import type { Change, PromiseChange } from '../repair/changes.js';
import type { Notice } from '../repair/notices.js';
import type { RepairPhase } from '../repair/repair.js';

/** The input of a run of an execution: all that its course depends on, besides what it is told later. */
export interface ExecutionInput {
  readonly problem: ProblemFacts;
  readonly plan: PlanFile;
  /** Events that are known beforehand to the simulation, and to nobody in it: each happens at its time. */
  readonly events: readonly CoordinationEvent[];
  /** The budget of each step of a repair: no seconds, so that equal logs give equal plans. */
  readonly budget: Budget;
}

/** The state of an execution between two moments. */
export interface ExecutionState {
  /** The version of the plan that is followed, from 1. */
  readonly version: number;
  /** The minute before which all that begins has begun; −1 before midnight. */
  readonly now: number;
  /** How far time goes before something else is said. */
  readonly until: number;
  /** Events that were told, and have yet to take effect. */
  readonly told: readonly CoordinationEvent[];
  /** Whether something is due before the next message. */
  readonly due: boolean;
  readonly over: boolean;
}

/** A message to an execution: how far time goes, what happened at a minute, or that it ends. */
export type ExecutionNews =
  | { readonly to: number }
  | {
      readonly events: readonly CoordinationEvent[];
      readonly at: number;
      /** The idempotency key: what is told twice with one key happens once. */
      readonly key?: string;
      readonly by?: string;
    }
  | { readonly close: true };

/** The time from one moment to the next. */
export interface AdvancedMoment {
  readonly from: number;
  readonly to: number;
  /** Actions that began at `from`, and those that had ended by `to`. */
  readonly began: readonly Action[];
  readonly ended: readonly Action[];
  /** Events that became known at `to`. */
  readonly events: readonly CoordinationEvent[];
  readonly changed: boolean;
}

/** A notice with the idempotency key by which whoever sends it knows it again. */
export interface KeyedNotice extends Notice {
  readonly key: string;
}

/** A repair that is proposed: the next version, and what it changes. */
export interface ExecutionProposal {
  readonly phase: RepairPhase;
  readonly plan: PlanFile;
  /** Root causes for which the version before cannot stay, by code and in words. */
  readonly because: readonly { readonly code: string; readonly message: string }[];
  readonly changes: readonly Change[];
  readonly edit_radius: number;
  readonly promises: readonly PromiseChange[];
  readonly notices: readonly KeyedNotice[];
  readonly cost_before: PlanCost;
  readonly cost: PlanCost;
}
