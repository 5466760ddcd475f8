import type { Json, LogEntry } from '@alas-jssp/workflow';
import type { BlobRef } from '../blobs/blob.js';
import type { RunMessage } from '../run/protocol.js';

/** The input of the workflow of a shop: what `readyShop` of alas-jssp readied. Plain JSON. */
export interface ShopStart {
  readonly workflow: Json;
  readonly input: Json;
  readonly seed: number;
  /** Name and version of what started it. */
  readonly software: string;
  /**
   * Events of a history after which the shop continues in a new one. Default: when the server
   * suggests it.
   */
  readonly historyEvents?: number | undefined;
  /** Of a shop that continues in a new history: its state. */
  readonly carried?: CarriedShop | undefined;
}

/** A shop between two histories. */
export interface CarriedShop {
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** The state of the interpreter, without finished iterations. */
  readonly state: Json;
  /** Number of entries so far; all of them are in the segments. */
  readonly versions: number;
  readonly segments: readonly LogSegment[];
  /** Messages that are not in the log yet, and the number of the last one. */
  readonly inbox: readonly ShopMessage[];
  readonly posted: number;
  /** Keys of the last messages that had one, with their numbers. */
  readonly keys: readonly (readonly [key: string, id: number])[];
  readonly facts: ShopFacts;
  /** Whether the server knows the search attributes. */
  readonly searchable: boolean;
  readonly timetable: readonly TimetableRow[];
}

/** Entries of the log of a shop, in JSON lines, outside of its history. */
export interface LogSegment {
  /** Versions of the first entry, and of the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly blob: BlobRef;
}

/** A message to a shop, of a kind that the log of a run knows: `signal`, `approve`, `deny`, `cancel`. */
export interface ShopMessage {
  readonly id: number;
  readonly ts: string;
  readonly kind: string;
  readonly data: Json;
}

/** A message to a shop as the update `post` carries it. */
export interface KeyedMessage extends RunMessage {
  /** Set by senders that may send it twice, not knowing whether it arrived. */
  readonly key?: string | undefined;
}

/** The state of a shop for clients other than ours: the answer to the query `status`. */
export interface ShopFacts {
  /** The followed version, from 1; 0 before the plan was judged. */
  readonly version: number;
  /** The time of the last instant. */
  readonly now: number;
  readonly makespan: number | null;
  /** Total weighted tardiness, Σ wⱼTⱼ, in units of time; 0 for jobs without due dates. */
  readonly lateness: number | null;
  /** `command`, the name of an approval such as `version-3`, or null while it is at work or has ended. */
  readonly waitsFor: string | null;
  /** Entries of its log. */
  readonly entries: number;
  /** The end of the run, once it has come. */
  readonly end: string | null;
  /** The reason why it is stuck although there is a worker; null if it is not. */
  readonly problem: string | null;
  /** The start of the SHA-256 of the operation starts of the followed version. */
  readonly sha256: string | null;
}

/** An operation in the timetable of a shop: job and step from 0; machine −1 where it was cancelled. */
export type TimetableRow = readonly [
  job: number,
  step: number,
  machine: number,
  start: number,
  end: number,
];

/** A part of the log of a shop: the answer to the query `entries`. */
export interface LogPage {
  /** Entries in order, without gaps; perhaps none, if they are in segments. */
  readonly entries: readonly LogEntry[];
  /** Segments with the entries before those, from the requested one. */
  readonly segments: readonly LogSegment[];
  /** Number of entries of the log so far. */
  readonly all: number;
}

/** The request to a worker for a step of a shop. */
export interface ShopStep {
  /** The id of the run, and of the first of its histories. */
  readonly runId: string;
  readonly chain: string;
  readonly handler: string;
  readonly path: string;
  readonly attempt: number;
  readonly seed: number;
  readonly input: Json;
  readonly params: Readonly<Record<string, Json>>;
  readonly repair?: Json | undefined;
  readonly feedback: readonly Json[];
  /** The followed version, and its checksum, which the worker's memory must match. */
  readonly version: number;
  readonly sha256: string | null;
  /** Only for a worker that reported that it is cold. It is not in the history. */
  readonly log?: StepLog | undefined;
}

/**
 * The data with which a worker reproduces a shop: its input and the entries that made its versions.
 */
interface StepLog {
  readonly input: Json;
  readonly segments: readonly LogSegment[];
  readonly entries: readonly LogEntry[];
}

/** The answer of a worker. */
export type ShopStepAnswer =
  /** It does not know the shop: ask again, with its log. */
  | { readonly status: 'cold' }
  /** It reproduces another version from the log than the followed one: other workers may not. */
  | { readonly status: 'damaged'; readonly problem: string }
  | {
      readonly status: 'value';
      readonly output: Json;
      readonly own: readonly OwnEntry[];
      readonly version?: MadeVersion | undefined;
    }
  | {
      readonly status: 'error';
      readonly error: { readonly code: string; readonly message: string };
      readonly own: readonly OwnEntry[];
    };

/** An entry that a handler wrote itself. */
export type OwnEntry = readonly [eventType: LogEntry['eventType'], payload: Json];

/** A followed version, for lists and queries. */
export interface MadeVersion {
  readonly makespan: number;
  readonly lateness: number;
  readonly sha256: string;
  /** Rows of the timetable that differ from the version before; null for a shop that is too large. */
  readonly rows: readonly TimetableRow[] | null;
  /** Whether the server knows the search attributes, as far as the worker knows. */
  readonly searchable: boolean;
}

/**
 * The activities of a worker that shops call, as local ones: their inputs are not in the history.
 */
export interface ShopActivities {
  /** Makes a step. Throws only retryable errors, such as a server that does not answer. */
  alasShopStep(step: ShopStep): Promise<ShopStepAnswer>;
  /** Stores entries outside of the history, and extends the retention of earlier segments. */
  alasShopKeep(
    entries: readonly LogEntry[],
    segments: readonly LogSegment[],
  ): Promise<readonly LogSegment[]>;
}
