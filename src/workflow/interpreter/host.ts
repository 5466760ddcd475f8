import type { AlasError } from '../../core/errors.js';
import type { JsonSchema, RepairSpec, TaskNode } from '../ir/workflow.js';
import type { Json, LogEntry, NewEntry } from '../log/entry.js';
import type { AppendOptions, Claim, InboxMessage } from '../log/tables.js';
import type { Datum } from './datum.js';
import type { Failure, Payloads } from './entries.js';
import type { RunState } from './state.js';

/** A value that is there, or will be. */
export type Maybe<T> = T | Promise<T>;

/**
 * The world as the interpreter sees it: time, calls of handlers, messages, entries of the log, and
 * what keys are made of. All that happens to a run comes in through it, so that the same interpreter
 * runs in one process, in a simulation and inside a durable engine.
 */
export interface Host {
  readonly runId: string;
  /** The time, in milliseconds since 1970. */
  now(): number;
  /** Calls back at a moment, once and never at once; the function that it gives calls it off. */
  at(moment: number, ring: () => void): () => void;
  /** The SHA-256 (hex) of a text, of which the keys of effects are made. */
  digest(text: string): string;
  /**
   * Appends entries in one transaction; when it returns they are durable.
   *
   * @throws whatever keeps them out of the log: the run breaks off with it. `not_json` and
   *   `too_large` are faults of the values, and `claimed` says that another run has the key
   */
  append(entries: readonly NewEntry[], options?: HostAppend): readonly LogEntry[];
  /** Calls something that is registered. Throws only what breaks the run off. */
  call(call: Call): Calling;
  /** The facts about the handler of a task. */
  handlerOf(task: TaskNode): HandlerFacts;
  /** Makes a value of what the log holds of the input or the output of a task. */
  decode(task: TaskNode, part: 'input' | 'output', json: Json): Datum;
  /** The input of a task with an effect, as the log holds it. */
  encodeInput(task: TaskNode, input: Datum): Maybe<Json>;
  /** Violations of a schema; undefined if values are not checked here. */
  readonly check?: ((schema: JsonSchema, value: Json) => readonly string[]) | undefined;
  /**
   * The claim on a key of scope `resource`, and the output if it is committed. A host that keeps claims
   * and log in different places makes the claim then and there, and gives it; it may wait for that
   * until the moment `wanted.until`. It is `unanswered` if nobody has said by then whose it is, or if the
   * step was stopped meanwhile: the host sees to it that the run has no claim then.
   */
  claimOf(key: string, wanted: WantedClaim): Maybe<GivenClaim | 'unanswered' | undefined>;
  /**
   * Steps of other runs that were given the effect of a step of this run, which had completed, and that were
   * not undone. Undefined where a run that has completed is never undone.
   */
  usersOf?(key: string, nodeId: string): readonly string[];
  /** Messages to the run with numbers above `after`. */
  messages(after: number): readonly InboxMessage[];
  /** Sends the run a message: a late answer, for whoever has it now. */
  post(kind: 'answer', data: Json): void;
  /** Tells people of an end that needs them, before it is in the log: perhaps more than once. */
  alert(end: Payloads['EndRun']): Maybe<void>;
}

/** Changes beside entries, but for those that are the host's own. */
export type HostAppend = Pick<AppendOptions, 'claim' | 'dropClaims' | 'commitClaims'>;

/** A claim, and the output of the effect if it is committed. */
export type GivenClaim = Claim & { readonly output?: Json };

/** The claim that a step wants on a key, for as long as it can wait: in milliseconds since 1970. */
export interface WantedClaim extends Pick<Claim, 'nodeId' | 'handler' | 'inputHash'> {
  readonly until: number;
  /** Has a function called when the step is stopped and wants the key no more; gives one that takes this back. */
  onStop(stop: () => void): () => void;
}

/** The facts about a handler that decide how it is called. */
export interface HandlerFacts {
  /** A pure handler that was killed leaves nothing behind. */
  readonly pure: boolean;
  /** Whether outputs and inputs are judged by a validator. */
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

/** Writes an entry of a handler's own. */
type OwnLog = (eventType: NewEntry['eventType'], payload: Json) => void;

/** Something that is to be called. */
export type Call =
  | (CallOf<'handler'> & {
      readonly input: Datum;
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
      readonly input: Datum;
      /** Undefined if it is not known: no attempt was answered. */
      readonly output: Datum | undefined;
      readonly externalRef: string | undefined;
      readonly log: OwnLog;
    })
  | Judging<'outputValidator'>
  | Judging<'inputValidator'>;

/** A value that is to be judged. */
type Judging<Kind extends string> = CallOf<Kind> & {
  readonly value: Json;
  readonly committed: Readonly<Record<string, Json>>;
};

/** A call that was made. */
export interface Calling {
  readonly answer: Maybe<CallAnswer>;
  /** Tells the handler to stop; it may answer all the same. */
  abort(failure: Failure): void;
}

/** An answer. */
export type CallAnswer =
  | {
      readonly status: 'value';
      readonly value: Datum;
      /** The name that the outside gives the effect. */
      externalRef?(): string | undefined;
    }
  | { readonly status: 'error'; readonly error: unknown }
  | LostAnswer;

/** Nobody is known to be at work on it any more: it may have acted or not. */
export interface LostAnswer {
  readonly status: 'lost';
  /** Whether whoever was called has ended for sure; else it may still act, and answer by a message `answer`. */
  readonly gone: boolean;
}

/** Whether a value is one to come. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
}

/** A fault that hits an attempt. */
export interface Fault {
  readonly rule: { readonly label: string } & (
    | { readonly kind: 'failure'; readonly code: string }
    | { readonly kind: 'slow'; readonly seconds: number }
    | { readonly kind: 'crash'; readonly when: 'before' | 'after' }
    | { readonly kind: 'timeout' | 'wrong-output' | 'violation' }
  );
  /** The error that a run breaks off with. */
  crash(): AlasError;
  /** A wrong output in place of the right one. */
  spoil(output: Json): Maybe<Json>;
}

/** The faults of a run. */
export interface Faults {
  /** The first rule that hits an attempt. A crash hits it once: after a restart it gets through. */
  find(state: RunState, nodeId: string, attempt: number): Fault | undefined;
}
