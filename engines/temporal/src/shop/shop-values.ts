import type { Json, LogEntry } from 'alas-jssp/workflow';
import type { BlobRef } from '../blobs/blob.js';
import type { RunMessage } from '../run/protocol.js';

/** The input of the workflow of a shop: what `readyShop` of alas-jssp readied. Plain JSON. */
export interface ShopStart {
  readonly workflow: Json;
  readonly input: Json;
  readonly seed: number;
  /** Name and version of what started it. */
  readonly software: string;
  /** Events of a history after which the shop goes on in a new one. Default: when the server suggests it. */
  readonly historyEvents?: number | undefined;
  /** Of a shop that goes on in a new history: how far it is. */
  readonly carried?: CarriedShop | undefined;
}

/** A shop between two histories. */
export interface CarriedShop {
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** The state of the interpreter, without turns that are over. */
  readonly state: Json;
  /** Entries so far; all of them stand in the segments. */
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
  /** Of whoever may send it twice, not knowing whether it arrived. */
  readonly key?: string | undefined;
}

/** The state of a shop for those who have no client of ours: the answer to the query `status`. */
export interface ShopFacts {
  /** The version that is followed, from 1; 0 before the plan was judged. */
  readonly version: number;
  /** The time of the last instant. */
  readonly now: number;
  readonly makespan: number | null;
  /** Total weighted tardiness, Σ wⱼTⱼ, in units of time; 0 for jobs without due dates. */
  readonly lateness: number | null;
  /** `news`, the name of an approval such as `version-3`, or null while it is at work or has ended. */
  readonly waitsFor: string | null;
  /** Entries of its log. */
  readonly entries: number;
  /** The end of the run, once it has come. */
  readonly end: string | null;
  /** In words, why it does not go on though a worker is there; null where it does. */
  readonly problem: string | null;
  /** The start of the SHA-256 of the starts of the version that is followed. */
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
  /** Entries in order, without gaps; perhaps none, where they stand in segments. */
  readonly entries: readonly LogEntry[];
  /** Segments that hold entries before those, from the one that was asked for. */
  readonly segments: readonly LogSegment[];
  /** Entries of the log so far. */
  readonly all: number;
}

/** A step of a shop, as a worker is asked for it. */
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
  /** The version that is followed, and its checksum: what a worker remembers must be that. */
  readonly version: number;
  readonly sha256: string | null;
  /** Only for a worker that said that it is cold. It does not stand in the history. */
  readonly log?: StepLog | undefined;
}

/** All that a worker must know of a shop: its input and the entries that made its versions. */
interface StepLog {
  readonly input: Json;
  readonly segments: readonly LogSegment[];
  readonly entries: readonly LogEntry[];
}

/** The answer of a worker. */
export type ShopStepAnswer =
  /** It does not know the shop: ask again, with its log. */
  | { readonly status: 'cold' }
  /** It makes another version of the log than the one that is followed: other workers may not. */
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

/** A version that came to be followed, for lists and queries. */
export interface MadeVersion {
  readonly makespan: number;
  readonly lateness: number;
  readonly sha256: string;
  /** Rows of the timetable that differ from the version before; null for a shop that is too large. */
  readonly rows: readonly TimetableRow[] | null;
  /** Whether the server knows the search attributes, as far as the worker knows. */
  readonly searchable: boolean;
}

/** The activities of a worker that shops call, as local ones: their inputs do not stand in the history. */
export interface ShopActivities {
  /** Makes a step. Throws only what is to be tried again, such as a server that does not answer. */
  alasShopStep(step: ShopStep): Promise<ShopStepAnswer>;
  /** Keeps entries outside of the history, and the segments before them for another while. */
  alasShopKeep(
    entries: readonly LogEntry[],
    segments: readonly LogSegment[],
  ): Promise<readonly LogSegment[]>;
}
