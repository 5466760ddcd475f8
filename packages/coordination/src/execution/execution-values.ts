import type { Budget } from '@alas-jssp/core';
import type { CoordinationEvent } from '../events/events.js';
import type { PlanCost } from '../model/cost.js';
import type { Action, PlanFile } from '../model/plan.js';
import type { ProblemFacts } from '../model/problem-schema.js';
import type { Change, PromiseChange } from '../repair/changes.js';
import type { Notice } from '../repair/notices.js';
import type { RepairPhase } from '../repair/repair.js';

/** The input of an execution run. Together with later messages it determines the whole run. */
export interface ExecutionInput {
  readonly problem: ProblemFacts;
  readonly plan: PlanFile;
  /** Events known in advance to the simulation but not to its actors: each occurs at its time. */
  readonly events: readonly CoordinationEvent[];
  /** The budget of each repair step: iterations, not seconds, so that equal logs give equal plans. */
  readonly budget: Budget;
}

/** The state of an execution between two moments. */
export interface ExecutionState {
  /** The current version of the plan, from 1. */
  readonly version: number;
  /** All actions that begin before this minute have begun; −1 before midnight. */
  readonly now: number;
  /** The minute up to which time advances without another message. */
  readonly until: number;
  /** Received events that have not taken effect yet. */
  readonly told: readonly CoordinationEvent[];
  /** Whether an action or an event is due before the next message. */
  readonly due: boolean;
  readonly over: boolean;
}

/** A message to an execution: advance time, report events of a minute, or end. */
export type ExecutionNews =
  | { readonly to: number }
  | {
      readonly events: readonly CoordinationEvent[];
      readonly at: number;
      /** The idempotency key: a repeated message with the same key takes effect once. */
      readonly key?: string;
      readonly by?: string;
    }
  | { readonly close: true };

/** The interval from one moment to the next. */
export interface AdvancedMoment {
  readonly from: number;
  readonly to: number;
  /** Actions that began at `from`, and actions that had ended by `to`. */
  readonly began: readonly Action[];
  readonly ended: readonly Action[];
  /** Events that became known at `to`. */
  readonly events: readonly CoordinationEvent[];
  readonly changed: boolean;
}

/** A notice with the idempotency key by which its sender detects repetition. */
export interface KeyedNotice extends Notice {
  readonly key: string;
}

/** A proposed repair: the next version, and its changes. */
export interface ExecutionProposal {
  readonly phase: RepairPhase;
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
