import type { RefusalReason } from '@alas-jssp/core/errors';
import type { Json } from '@alas-jssp/workflow';

/** An event in the log, encoded by its adapter. */
export type LoggedEvent = { readonly [key: string]: Json };

/** The metadata of a command in the log: its caller and its idempotency key. */
export interface CommandMeta {
  readonly by?: string | undefined;
  /** The role of the caller. */
  readonly role?: string | undefined;
  /** The idempotency key: a repeated key means the same request. */
  readonly key?: string | undefined;
  /** A digest of the request, which detects another request with the same key. */
  readonly digest?: string | undefined;
}

/** A command to a live plan. `Proposed` is the form of a change that the caller proposes. */
export type PlanCommand<Proposed extends object = object> =
  | ({
      readonly events: readonly LoggedEvent[];
      /** The repair row; default: the policy of the plan. Messages of other programs may contain any text. */
      readonly row?: string | undefined;
      readonly now: number;
    } & CommandMeta)
  | ({ readonly undo: number; readonly now: number } & CommandMeta)
  | ({ readonly propose: Proposed; readonly now: number } & CommandMeta)
  | ({
      /** The version that the report created. */
      readonly withdraw: number;
      /** Events to report in its place. */
      readonly instead?: readonly LoggedEvent[] | undefined;
      readonly now: number;
    } & CommandMeta)
  | ({ readonly close: true } & CommandMeta);

/** The members of the input of a run that every kind of plan has. */
export interface PlanInput {
  /** The name that approves every version in advance; null or absent for none. */
  readonly approvedBy?: string | null | undefined;
  /** Whether the plan receives commands after the events given in advance. */
  readonly live: boolean;
}

/** The state of a plan between two instants. */
export interface PlanState {
  /** The version that is followed, from 1. */
  readonly version: number;
  readonly now: number;
  /** The numbers of past and remaining instants of the events given in advance. */
  readonly taken: number;
  readonly left: number;
  readonly live: boolean;
  readonly over: boolean;
  /** The rest of a command that takes more than one instant; absent if there is none. */
  readonly rest?: PlanCommand | undefined;
}

/** A report that was withdrawn. */
export interface WithdrawnReport {
  /** The version that it created. */
  readonly version: number;
  readonly events: readonly LoggedEvent[];
}

/** An instant of a plan: the applied command or events, and their effect. */
export interface PlanInstant {
  readonly kind: 'events' | 'undo' | 'propose' | 'close' | 'nothing';
  /** The version that was followed before. */
  readonly version: number;
  readonly now: number;
  /** The complete events that took effect, in order. */
  readonly events: readonly LoggedEvent[];
  /** The events without effect, and why. */
  readonly skipped: readonly ({ readonly event: Json } & RefusalReason)[];
  /** The caller of the command; null for events given in advance. */
  readonly by: string | null;
  /** The metadata of the command, if it had any. */
  readonly role?: string | undefined;
  readonly key?: string | undefined;
  readonly digest?: string | undefined;
  /**
   * The original time of the command, if its proposals were recomputed later: until `now` the plan was executed
   * without a repair.
   */
  readonly reportedAt?: number | undefined;
  /** Whether a new version is needed. */
  readonly changed: boolean;
  /** The repair row, if the report chose another one than the policy of the plan. */
  readonly row?: string | undefined;
  /** The version to restore. */
  readonly undo?: number | undefined;
  /** The withdrawn report, if the events correct one. */
  readonly withdraws?: WithdrawnReport | undefined;
  /** The rest of its command, for the next instant. */
  readonly rest?: PlanCommand | undefined;
}

/** A proposal: the next version as a patch of the current one. */
export interface PlanProposal {
  /** The number of the proposed version, with the number of the proposal from the second one on: `3.2`. */
  readonly label: string;
  readonly method: string;
  /** The parts of the plan that change; a proposal that changes none needs no approval. */
  readonly operations?: readonly number[] | undefined;
}

/** The types of one kind of plan, as its adapter names them. */
export interface PlanKind {
  readonly Input: PlanInput;
  /** The initial state, decoded from the input. */
  readonly Base: PlanBase<PlanKind>;
  /** The contents of a version in memory. */
  readonly Plan: object;
  readonly Instant: PlanInstant;
  /** The effect of an instant on the version before it. */
  readonly Effect: object;
  readonly Proposal: PlanProposal;
  /** The figures of a version that the log holds with its commit. */
  readonly Figures: object;
  /** The notes that its stories keep of the instants. */
  readonly Notes: unknown;
}

/** A version of a plan. */
export type PlanVersion<K extends PlanKind> = K['Plan'] & {
  readonly version: number;
  /** The time from which it is followed. */
  readonly now: number;
};

/** The initial state of a plan. */
export interface PlanBase<K extends PlanKind> {
  readonly input: K['Input'];
  /** Version 1. */
  readonly first: PlanVersion<K>;
  /** The number of instants of the events given in advance. */
  readonly given: () => number;
  /** Whether proposals wait for approvals. */
  readonly asks: boolean;
  /** Whether a command whose time has passed by its turn applies at the time by then. */
  readonly isClocked: boolean;
}

/** The input of a repair attempt: an instant and the number of failed methods. */
export interface RepairAttempt<I extends PlanInstant = PlanInstant> {
  readonly instant: I;
  readonly tried?: number | undefined;
  /** How many proposals were recomputed because they were outdated when approved. */
  readonly renewed?: number | undefined;
  /** Whether the plan is only delayed as needed, after a declined proposal or if no method kept a limit. */
  readonly declined?: boolean | undefined;
}

/** A committed version, as the log holds it. */
export interface CommittedVersion {
  readonly settled: true;
  readonly version: number;
  readonly method: string;
  /** A digest of the version; a restore compares it. */
  readonly sha256: string;
  readonly by: string | null;
  /** The time from which it is followed, if later than the instant. */
  readonly now?: number | undefined;
}

/** The result of a repair attempt: a committed version, or a rolled-back proposal. */
export type Settlement<I extends PlanInstant = PlanInstant, Figures extends object = object> =
  | (CommittedVersion & Figures)
  | ({
      readonly settled: boolean;
      readonly instant: I;
      readonly tried: number;
      readonly method: string;
      readonly renewed?: number | undefined;
      readonly declined?: boolean | undefined;
    } & RefusalReason);
