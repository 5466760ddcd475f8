import type { Instance } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';
import type { RefusalReason } from '../../jssp/sentences/english.js';
import type { OpenPolicy } from '../../lcrp/policy/policy.js';
import type { LostPin } from '../../lcrp/task.js';
import type { Json } from '../../workflow/index.js';
import type { InstanceReference } from '../step-values.js';
import type { ShopPace } from './pace.js';
import type { RepairRow } from './row-names.js';

/** An event as the log has it: in the form of files, with `"Job1"` and `"Machine0"`. */
export type LoggedEvent = { readonly [key: string]: Json };

/** The input of a run of a shop: all that its course depends on, besides what it is told later. */
export interface ShopInput {
  /** The shop, and its content in the form of files unless whoever reads the log can find it. */
  readonly instance: InstanceReference & { readonly content?: Json | undefined };
  /** The plan: one start for each operation. */
  readonly start: readonly number[];
  readonly seed: number;
  /** The whole policy; its `methods` are tried in their order. */
  readonly policy: OpenPolicy;
  /** Who approves everything beforehand; null if nobody does. */
  readonly approvedBy: string | null;
  /** Events that are known beforehand, by the time at which they become known. */
  readonly events: readonly LoggedEvent[];
  /** Whether messages follow when these have happened. */
  readonly live: boolean;
  /** Of a shop whose time passes by itself, from the first entry of its log on. */
  readonly clock?: ShopPace | undefined;
  /** Who opened it, of a shop that many may tell something. */
  readonly opened?: TellerNote | undefined;
}

/** Who tells a shop something, as its log keeps it. */
export interface TellerNote {
  readonly by?: string | undefined;
  /** The role in which they do. */
  readonly role?: string | undefined;
  /** The idempotency key: what has the same key is the same request. */
  readonly key?: string | undefined;
  /** A digest of the request with that key, which tells it from another one. */
  readonly asked?: string | undefined;
}

/** The state of a shop between two instants. */
export interface ShopState {
  /** The version that is followed, from 1. */
  readonly version: number;
  readonly now: number;
  /** Instants of the events given beforehand that have come, and those that are left. */
  readonly taken: number;
  readonly left: number;
  readonly live: boolean;
  readonly over: boolean;
}

/** A message to a living shop: one of these, as {@link readNews} reads it. */
export type ShopNews =
  | ({
      readonly events: readonly LoggedEvent[];
      /** The row to repair by; default: the policy of the shop. Messages of other programs may have any text. */
      readonly row?: string | undefined;
      readonly now: number;
    } & TellerNote)
  | ({ readonly undo: number; readonly now: number } & TellerNote)
  | ({ readonly propose: ProposedStarts; readonly now: number } & TellerNote)
  | ({
      /** The version that the report made. */
      readonly withdraw: number;
      /** Events to report in its place. */
      readonly instead?: readonly LoggedEvent[] | undefined;
      readonly now: number;
    } & TellerNote)
  | ({ readonly close: true } & TellerNote);

/** Starts that somebody wishes for operations of a version. */
interface ProposedStarts {
  /** The version in whose numbers the operations are. */
  readonly version: number;
  readonly operations: readonly number[];
  readonly starts: readonly number[];
}

/** A report that was withdrawn. */
export interface WithdrawnReport {
  /** The version that it made. */
  readonly version: number;
  readonly events: readonly LoggedEvent[];
}

/** An instant of a shop: what happened, what of it counts, and what can no longer be changed. */
export interface Happening {
  readonly kind: 'events' | 'undo' | 'propose' | 'close' | 'nothing';
  /** The version that was followed. */
  readonly version: number;
  readonly now: number;
  /** Events that took effect, complete, in the order in which they did. */
  readonly events: readonly LoggedEvent[];
  /** Those that did not, and why. */
  readonly skipped: readonly ({ readonly event: Json } & RefusalReason)[];
  /** Who told of it; null for events given beforehand. */
  readonly by: string | null;
  /** The role in which they did, their idempotency key and the digest of their request, if they gave any. */
  readonly role?: string | undefined;
  readonly key?: string | undefined;
  readonly asked?: string | undefined;
  /**
   * When it was told of, if the proposals for it were made anew since: until `now` the floor has gone on as well
   * as it could without a repair.
   */
  readonly toldAt?: number | undefined;
  /** Operations of the version followed that have started since the instant before: irreversible. */
  readonly started: readonly number[];
  /** Operations that were running and must start again. */
  readonly lost: number;
  /** Whether a new version is due. */
  readonly changed: boolean;
  /** The row to repair by, where the report chose another one than the policy of the shop. */
  readonly row?: Exclude<RepairRow, 'shop'> | undefined;
  /** The version to go back to. */
  readonly undo?: number | undefined;
  readonly propose?: ProposedStarts | undefined;
  /** Of events that correct a report: that report, which counts no longer. */
  readonly withdraws?: WithdrawnReport | undefined;
}

/** A turn of trying: an instant, and how many methods were tried in vain. */
export interface Trying {
  readonly happened: Happening;
  readonly tried?: number | undefined;
  /** How often a proposal was made anew, since its time had passed when it was approved. */
  readonly renewed?: number | undefined;
  /** Whether the plan goes on as it can: a proposal was declined, or no method kept a limit. */
  readonly declined?: boolean | undefined;
}

/** A proposal: the version to come as a patch of the one before. */
export interface ShopProposal {
  /** The number that the version would have, and from the second proposal on which one it is: `3.2`. */
  readonly label: string;
  readonly method: string;
  readonly phase: string;
  /** Operations, in the numbers of the version to come, whose starts are not the planned ones. */
  readonly operations: readonly number[];
  readonly starts: readonly number[];
  /** Of these, those that had a start before. */
  readonly moved: number;
  readonly makespan: { readonly before: number; readonly after: number };
  readonly evaluations: number;
  /** Pins that it does not keep, and why; absent if it keeps all. */
  readonly lostPins?: readonly LostPin[] | undefined;
  /** Of an undoing: operations that could not go back to where they were. */
  readonly kept?: number | undefined;
}

/** A committed version, or a proposal that was rolled back. */
export type Settlement =
  | {
      readonly settled: true;
      readonly version: number;
      readonly method: string;
      readonly makespan: number;
      /** Start of the SHA-256 of all starts: restoring compares it. */
      readonly sha256: string;
      readonly by: string | null;
      /** The time at which it came to be followed, if that is later than the instant. */
      readonly now?: number | undefined;
    }
  | ({
      readonly settled: boolean;
      readonly happened: Happening;
      readonly tried: number;
      readonly method: string;
      readonly renewed?: number | undefined;
      readonly declined?: boolean | undefined;
    } & RefusalReason);

/** A version of the schedule of a shop. */
export interface ShopVersion {
  readonly version: number;
  /** The time at which it came to be followed. */
  readonly now: number;
  readonly schedule: Schedule;
}

/** Finds an instance that a log names and does not hold. */
export type FindInstance = (reference: InstanceReference) => Instance;
