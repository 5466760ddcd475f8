import { isoTime } from '@alas-jssp/core/iso-time';
import type { TaskNode } from '../ir/workflow.js';
import type { EventType, Json, NewEntry } from '../log/entry.js';
import type { EncodedValue } from './encoded-value.js';
import type { Failure, Payloads } from './entries.js';
import { applyEntry } from './fold.js';
import type { CallAnswer, Faults, HandlerFacts, Host, HostAppend } from './host.js';
import type { BodyPlan, NodePlan, WorkflowPlan } from './plan.js';
import { codeOf } from './policies.js';
import { encodeState, type RunState } from './state.js';

/** A run in interpretation: the fold of its log, and the work in flight. */
export interface Run {
  readonly host: Host;
  readonly plan: WorkflowPlan;
  readonly state: RunState;
  readonly faults: Faults | undefined;
  /** Entries from one restore point to the next; undefined for none. */
  readonly snapshotEvery: number | undefined;
  /** Whether to stay when only messages can make progress. */
  readonly stay: boolean;
  /** Whether finished loop iterations are dropped as the run proceeds. */
  readonly forgetful: boolean;
  /** Outputs of nodes, by path: live values of this process, logged values of others. */
  readonly outputs: Map<string, EncodedValue>;
  /** Live inputs of effects, by path. */
  readonly inputs: Map<string, EncodedValue>;
  /** Steps that other steps with the same key wait for, by key. */
  readonly busyKeys: Map<string, Promise<void>>;
  /** Releases the key of a step, by path. */
  readonly holding: Map<string, () => void>;
  /** Free slots for tasks, and the tasks that wait for one. */
  readonly slots: { free: number; readonly waiting: (() => void)[] };
  /** Nodes that wait for messages. */
  readonly waiters: Set<Waiter>;
  /** Called for every late answer. */
  readonly listeners: Set<() => void>;
  /** Cancel the timers of deadlines. */
  readonly deadlines: (() => void)[];
  /** No deadline of a held effect passes before this, in milliseconds since 1970. */
  nextDeadline: number;
  /** Calls and pauses in flight: they end without a message. */
  active: number;
  /** The number of the last message that was processed. */
  seen: number;
  root: Scope;
  /**
   * The failure that interrupted the run from outside: a store that failed, a crash, a new owner.
   */
  broken: { readonly error: unknown } | undefined;
  /** The interpretation has ended. */
  over: boolean;
  /**
   * Called when the work in flight has ended; nothing begins until then. Undefined unless the run
   * is drained.
   */
  drained: (() => void) | undefined;
}

/** One execution of a body: the run itself, a branch, or an iteration of a loop. */
export interface Scope {
  /** Path of the scope; empty for the run itself. */
  readonly path: string;
  readonly plan: BodyPlan;
  readonly input: EncodedValue;
  readonly children: Set<Scope>;
  /** Called for each step in flight when the scope is stopped. */
  readonly stops: Set<(failure: Failure) => void>;
  stopped: Failure | undefined;
}

/** A node that waits for a message. */
export interface Waiter {
  /** Checks whether the message has arrived. */
  look(): void;
  /** Gives up the wait: nothing else is in flight. */
  leave(): void;
}

/** One execution of a task, with all its attempts. */
export interface Step {
  readonly run: Run;
  readonly scope: Scope;
  readonly plan: NodePlan;
  readonly task: TaskNode;
  readonly path: string;
  /** The name of the handler. */
  readonly name: string;
  readonly facts: HandlerFacts;
  input: EncodedValue;
  /** Entries that are ready but need not be in the log before a pure handler has run. */
  unwritten: NewEntry[];
}

/** The end of a node or a body, as its surroundings see it. */
export type Outcome =
  | { readonly status: 'done'; readonly output: EncodedValue }
  | { readonly status: 'caught'; readonly handler: string }
  | { readonly status: 'failed'; readonly failure: Failure }
  /** The body returns to a node of its own. */
  | { readonly status: 'back'; readonly to: string; readonly failure: Failure }
  | { readonly status: 'waiting' };

/** The end of a call: `stopped` if the answer is no longer awaited. */
export type Ended = CallAnswer | { readonly status: 'stopped'; readonly failure: Failure };

/** A new execution of a body. */
export function newScope(path: string, plan: BodyPlan, input: EncodedValue): Scope {
  return { path, plan, input, children: new Set(), stops: new Set(), stopped: undefined };
}

/** Adds a scope to another, so that it is stopped with it. */
export function enterScope(parent: Scope, child: Scope): void {
  parent.children.add(child);
  if (parent.stopped !== undefined) stopScope(child, parent.stopped);
}

/** Stops a scope and all scopes within it: steps in flight are aborted, and none begins. */
export function stopScope(scope: Scope, failure: Failure): void {
  if (scope.stopped !== undefined) return;
  scope.stopped = failure;
  for (const stop of [...scope.stops]) stop(failure);
  for (const child of scope.children) stopScope(child, failure);
}

/** The path of a node of a scope. */
export function nodePath(scope: Pick<Scope, 'path'>, id: string): string {
  return scope.path === '' ? id : `${scope.path}/${id}`;
}

/** An entry that is ready to be appended. */
export function makeEntry<T extends keyof Payloads>(
  run: Run,
  nodeId: string,
  eventType: T,
  payload: Payloads[T],
): NewEntry {
  return anyEntry(run, nodeId, eventType, payload as unknown as Json);
}

/** An entry of any type, such as handlers write. */
export function anyEntry(
  { host: { runId, now } }: Pick<Run, 'host'>,
  nodeId: string,
  eventType: EventType,
  payload: Json,
): NewEntry {
  const correlationId = nodeId === '' ? runId : nodeId;
  return { runId, ts: isoTime(now()), nodeId, eventType, payload, correlationId };
}

/** Append errors caused by the entries themselves: the run continues. */
const FAULTS_OF_VALUES: readonly string[] = ['not_json', 'too_large', 'claimed'];

/** Appends entries in one transaction and applies them to the state. */
export function append(run: Run, entries: readonly NewEntry[], options?: HostAppend): void {
  if (run.broken !== undefined) throw run.broken.error;
  const { state, host, snapshotEvery } = run;
  try {
    for (const entry of host.append(entries, options)) applyEntry(state, entry);
    const since = state.versions - 1 - state.restorePoint;
    if (snapshotEvery === undefined || since < snapshotEvery || state.end !== undefined) return;
    const point = makeEntry(run, '', 'Snapshot', { state: encodeState(state) });
    for (const entry of host.append([point])) applyEntry(state, entry);
  } catch (error) {
    if (!FAULTS_OF_VALUES.includes(codeOf(error))) run.broken ??= { error };
    throw error;
  }
}

/** Appends one entry. */
export function write<T extends keyof Payloads>(
  run: Run,
  nodeId: string,
  eventType: T,
  payload: Payloads[T],
  options?: HostAppend,
): void {
  append(run, [makeEntry(run, nodeId, eventType, payload)], options);
}
