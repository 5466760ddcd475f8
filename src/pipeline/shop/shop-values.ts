import type { Json } from '@alas-jssp/workflow';
import type { Instance } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';
import type { RefusalReason } from '../../jssp/sentences/english.js';
import type { OpenPolicy } from '../../lcrp/policy/policy.js';
import type { LostPin } from '../../lcrp/task.js';
import type { InstanceReference } from '../step-values.js';
import type { ShopPace } from './pace.js';
import type { RepairRow } from './row-names.js';

/** An event in the log, in the format of files, with `"Job1"` and `"Machine0"`. */
export type LoggedEvent = { readonly [key: string]: Json };

/** The input of the run of a shop. Its course depends only on this and on later commands. */
export interface ShopInput {
  /** The instance; `content` is in the format of files, and absent if readers of the log can find the instance. */
  readonly instance: InstanceReference & { readonly content?: Json | undefined };
  /** The plan: one start for each operation. */
  readonly start: readonly number[];
  readonly seed: number;
  /** The whole policy; its `methods` are tried in their order. */
  readonly policy: OpenPolicy;
  /** The name that approves every version in advance; null for none. */
  readonly approvedBy: string | null;
  /** Events given in advance, by the time at which they become known. */
  readonly events: readonly LoggedEvent[];
  /** Whether the shop receives commands after these events. */
  readonly live: boolean;
  /** The clock of a shop in real time, which starts at the first entry of its log. */
  readonly clock?: ShopPace | undefined;
  /** The request that opened it, in a shop with several callers. */
  readonly opened?: CommandMeta | undefined;
}

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

/** The state of a shop between two instants. */
export interface ShopState {
  /** The version that is followed, from 1. */
  readonly version: number;
  readonly now: number;
  /** The numbers of past and remaining instants of the events given in advance. */
  readonly taken: number;
  readonly left: number;
  readonly live: boolean;
  readonly over: boolean;
}

/** A command to a live shop. */
export type ShopCommand =
  | ({
      readonly events: readonly LoggedEvent[];
      /** The repair row; default: the policy of the shop. Messages of other programs may contain any text. */
      readonly row?: string | undefined;
      readonly now: number;
    } & CommandMeta)
  | ({ readonly undo: number; readonly now: number } & CommandMeta)
  | ({ readonly propose: ProposedStarts; readonly now: number } & CommandMeta)
  | ({
      /** The version that the report created. */
      readonly withdraw: number;
      /** Events to report in its place. */
      readonly instead?: readonly LoggedEvent[] | undefined;
      readonly now: number;
    } & CommandMeta)
  | ({ readonly close: true } & CommandMeta);

/** Manually proposed starts of operations of a version. */
interface ProposedStarts {
  /** The version that numbers the operations. */
  readonly version: number;
  readonly operations: readonly number[];
  readonly starts: readonly number[];
}

/** A report that was withdrawn. */
export interface WithdrawnReport {
  /** The version that it created. */
  readonly version: number;
  readonly events: readonly LoggedEvent[];
}

/** An instant of a shop: the applied command or events, their effect, and the operations that are now irreversible. */
export interface ShopInstant {
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
   * The original time of the command, if its proposals were recomputed later: until `now` the floor has executed
   * the plan without a repair.
   */
  readonly reportedAt?: number | undefined;
  /** Operations of the followed version that have started since the last instant: irreversible. */
  readonly started: readonly number[];
  /** Operations that were running and must start again. */
  readonly lost: number;
  /** Whether a new version is needed. */
  readonly changed: boolean;
  /** The repair row, if the report chose another one than `shop`. */
  readonly row?: Exclude<RepairRow, 'shop'> | undefined;
  /** The version to restore. */
  readonly undo?: number | undefined;
  readonly propose?: ProposedStarts | undefined;
  /** The withdrawn report, if the events correct one. */
  readonly withdraws?: WithdrawnReport | undefined;
}

/** The input of a repair attempt: an instant and the number of failed methods. */
export interface RepairAttempt {
  readonly instant: ShopInstant;
  readonly tried?: number | undefined;
  /** How many proposals were recomputed because they were outdated when approved. */
  readonly renewed?: number | undefined;
  /** Whether the plan is only delayed as needed, after a declined proposal or if no method kept a limit. */
  readonly declined?: boolean | undefined;
}

/** A proposal: the next version as a patch of the current one. */
export interface ShopProposal {
  /** The number of the proposed version, with the number of the proposal from the second one on: `3.2`. */
  readonly label: string;
  readonly method: string;
  readonly phase: string;
  /** Operations whose starts differ from the plan, in the numbers of the proposed version. */
  readonly operations: readonly number[];
  readonly starts: readonly number[];
  /** The number of these that had a start before. */
  readonly moved: number;
  readonly makespan: { readonly before: number; readonly after: number };
  readonly evaluations: number;
  /** Pins that it does not keep, and why; absent if it keeps all. */
  readonly lostPins?: readonly LostPin[] | undefined;
  /** The number of operations that an undo could not restore. */
  readonly kept?: number | undefined;
}

/** The result of a repair attempt: a committed version, or a rolled-back proposal. */
export type Settlement =
  | {
      readonly settled: true;
      readonly version: number;
      readonly method: string;
      readonly makespan: number;
      /** The first 16 hex digits of the SHA-256 of all starts; a restore compares it. */
      readonly sha256: string;
      readonly by: string | null;
      /** The time from which it is followed, if later than the instant. */
      readonly now?: number | undefined;
    }
  | ({
      readonly settled: boolean;
      readonly instant: ShopInstant;
      readonly tried: number;
      readonly method: string;
      readonly renewed?: number | undefined;
      readonly declined?: boolean | undefined;
    } & RefusalReason);

/** A version of the schedule of a shop. */
export interface ShopVersion {
  readonly version: number;
  /** The time from which it is followed. */
  readonly now: number;
  readonly schedule: Schedule;
}

/** Finds an instance that a log references without its content. */
export type FindInstance = (reference: InstanceReference) => Instance;
