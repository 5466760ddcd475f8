import type { AlasError } from '@alas-jssp/core/errors';
import type { JsonSchema, RepairSpec, TaskNode } from '../ir/workflow.js';
import type { Json, LogEntry, NewEntry } from '../log/entry.js';
import type { AppendOptions, Claim, InboxMessage } from '../log/tables.js';
import type { EncodedValue } from './encoded-value.js';
import type { Failure, Payloads } from './entries.js';
import type { RunState } from './state.js';

/** A value, or a promise of it. */
export type Maybe<T> = T | Promise<T>;

/**
 * The environment of the interpreter: time, calls of handlers, messages, entries of the log, and
 * the hash for keys. All input of a run comes through it, so that the same interpreter runs in one
 * process, in a simulation and inside a durable engine.
 */
export interface Host {
  readonly runId: string;
  /** The time, in milliseconds since 1970. */
  now(): number;
  /** Calls back at a moment, once and never synchronously; the returned function cancels it. */
  at(moment: number, ring: () => void): () => void;
  /** The SHA-256 (hex) of a text, from which the keys of effects are made. */
  digest(text: string): string;
  /**
   * Appends entries in one transaction; when it returns they are durable.
   *
   * @throws any error that prevents the append and interrupts the run. `not_json` and `too_large`
   *   are faults of the values, and `claimed` means that another run has the key
   */
  append(entries: readonly NewEntry[], options?: HostAppend): readonly LogEntry[];
  /** Calls a registered function. Throws only errors that interrupt the run. */
  call(call: Call): Calling;
  /** The facts about the handler of a task. */
  handlerOf(task: TaskNode): HandlerFacts;
  /** Decodes the logged input or output of a task. */
  decode(task: TaskNode, part: 'input' | 'output', json: Json): EncodedValue;
  /** The input of a task with an effect, as the log stores it. */
  encodeInput(task: TaskNode, input: EncodedValue): Maybe<Json>;
  /** Violations of a schema; undefined if this host checks no values. */
  readonly check?: ((schema: JsonSchema, value: Json) => readonly string[]) | undefined;
  /**
   * The claim on a key of scope `resource`, and the output if it is committed. A host that keeps
   * claims and log in different places makes the claim at once and returns it; it may wait until
   * `wanted.until`. The result is `unanswered` if the owner of the key is unknown by then, or if
   * the step was stopped meanwhile: the host then ensures that the run has no claim.
   */
  claimOf(key: string, wanted: WantedClaim): Maybe<GivenClaim | 'unanswered' | undefined>;
  /**
   * Steps of other runs that received the output of a completed step of this run and were not
   * undone. Undefined where a completed run is never undone.
   */
  usersOf?(key: string, nodeId: string): readonly string[];
  /** Messages to the run with numbers above `after`. */
  messages(after: number): readonly InboxMessage[];
  /** Sends the run a message: a late answer, for its present owner. */
  post(kind: 'answer', data: Json): void;
  /** Alerts people to an end that needs them, before it is logged: perhaps more than once. */
  alert(end: Payloads['EndRun']): Maybe<void>;
}

/** Changes in addition to entries, except for those that belong to the host. */
export type HostAppend = Pick<AppendOptions, 'claim' | 'dropClaims' | 'commitClaims'>;

/** A claim, and the output of the effect if it is committed. */
export type GivenClaim = Claim & { readonly output?: Json };

/** The claim that a step wants on a key, and until when it can wait: in milliseconds since 1970. */
export interface WantedClaim extends Pick<Claim, 'nodeId' | 'handler' | 'inputHash'> {
  readonly until: number;
  /**
   * Registers a function that is called when the step is stopped and no longer wants the key;
   * returns the removal.
   */
  onStop(stop: () => void): () => void;
}

/** The facts about a handler that decide how it is called. */
export interface HandlerFacts {
  /** A pure handler that was killed leaves nothing behind. */
  readonly pure: boolean;
  /** Whether a validator judges outputs and inputs. */
  readonly outputValidator: boolean;
  readonly inputValidator: boolean;
}

/** The subject of a call: a node, and the attempt at it. */
interface CallOf<Kind extends string> {
  readonly kind: Kind;
  readonly task: TaskNode;
  readonly path: string;
  /** From 1. */
  readonly attempt: number;
}

/** Writes a handler's own entry. */
type OwnLog = (eventType: NewEntry['eventType'], payload: Json) => void;

/** A call of a registered function. */
export type Call =
  | (CallOf<'handler'> & {
      readonly input: EncodedValue;
      /** The seed of the run. */
      readonly seed: number;
      readonly feedback: readonly Json[];
      readonly repair: RepairSpec | undefined;
      key(): string;
      readonly log: OwnLog;
    })
  | (CallOf<'compensator'> & {
      readonly name: string;
      readonly key: string;
      readonly seed: number;
      readonly input: EncodedValue;
      /** Undefined if it is unknown: no attempt was answered. */
      readonly output: EncodedValue | undefined;
      readonly externalRef: string | undefined;
      readonly log: OwnLog;
    })
  | Judging<'outputValidator'>
  | Judging<'inputValidator'>;

/** A value for a validator. */
type Judging<Kind extends string> = CallOf<Kind> & {
  readonly value: Json;
  /** Of an output: the input of the step. */
  readonly input?: EncodedValue | undefined;
  readonly committed: Readonly<Record<string, Json>>;
};

/** A call in progress. */
export interface Calling {
  readonly answer: Maybe<CallAnswer>;
  /** Aborts the handler, which may answer all the same. */
  abort(failure: Failure): void;
}

/** An answer. */
export type CallAnswer =
  | {
      readonly status: 'value';
      readonly value: EncodedValue;
      /** The external name of the effect. */
      externalRef?(): string | undefined;
    }
  | { readonly status: 'error'; readonly error: unknown }
  | LostAnswer;

/** No process is known to work on it any more: the handler may have acted or not. */
export interface LostAnswer {
  readonly status: 'lost';
  /**
   * Whether the called process has certainly ended; otherwise it may still act, and answer by a
   * message `answer`.
   */
  readonly gone: boolean;
}

/** Whether a value is a promise. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
}

/** A fault that affects an attempt. */
export interface Fault {
  readonly rule: { readonly label: string } & (
    | { readonly kind: 'failure'; readonly code: string }
    | { readonly kind: 'slow'; readonly seconds: number }
    | { readonly kind: 'crash'; readonly when: 'before' | 'after' }
    | { readonly kind: 'timeout' | 'wrong-output' | 'violation' }
  );
  /** The error with which a run is interrupted. */
  crash(): AlasError;
  /** A wrong output in place of the right one. */
  spoil(output: Json): Maybe<Json>;
}

/** The faults of a run. */
export interface Faults {
  /**
   * The first rule that affects an attempt. A crash affects it once: the restarted attempt passes.
   */
  find(state: RunState, nodeId: string, attempt: number): Fault | undefined;
}
