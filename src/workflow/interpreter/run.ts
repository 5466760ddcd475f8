import { isoTime } from '../../core/iso-time.js';
import type { TaskNode } from '../ir/workflow.js';
import type { EventType, Json, NewEntry } from '../log/entry.js';
import type { Datum } from './datum.js';
import type { Failure, Payloads } from './entries.js';
import { applyEntry } from './fold.js';
import type { CallAnswer, Faults, HandlerFacts, Host, HostAppend } from './host.js';
import type { BodyPlan, NodePlan, WorkflowPlan } from './plan.js';
import { codeOf } from './policies.js';
import { encodeState, type RunState } from './state.js';

/** A run while it is interpreted: the fold of its log, and what is in flight. */
export interface Run {
  readonly host: Host;
  readonly plan: WorkflowPlan;
  readonly state: RunState;
  readonly faults: Faults | undefined;
  /** Entries from one restore point to the next; none are written without it. */
  readonly snapshotEvery: number | undefined;
  /** Whether to stay when nothing but messages can bring the run on. */
  readonly stay: boolean;
  /** Whether turns of loops that are over are forgotten as the run goes on. */
  readonly forgetful: boolean;
  /** Outputs of nodes, by path: those of this process as they are, the others from the log. */
  readonly outputs: Map<string, Datum>;
  /** Inputs of effects as their handlers were given them, by path. */
  readonly inputs: Map<string, Datum>;
  /** Steps that other steps with the same key wait for, by key. */
  readonly busyKeys: Map<string, Promise<void>>;
  /** Gives the key of a step free, by path. */
  readonly holding: Map<string, () => void>;
  /** Tasks that may still begin, and those that wait for that. */
  readonly slots: { free: number; readonly waiting: (() => void)[] };
  /** Nodes that wait for messages. */
  readonly waiters: Set<Waiter>;
  /** Told of every late answer. */
  readonly listeners: Set<() => void>;
  /** Calls off the timers of deadlines. */
  readonly deadlines: (() => void)[];
  /** No deadline of a held effect passes before this, in milliseconds since 1970. */
  nextDeadline: number;
  /** Calls and pauses in flight: they come to an end without a message. */
  active: number;
  /** The number of the last message that was looked at. */
  seen: number;
  root: Scope;
  /** The failure that broke the run off from outside: a store that failed, a crash, a new owner. */
  broken: { readonly error: unknown } | undefined;
  /** Nobody interprets it any longer. */
  over: boolean;
  /** Called when what is in flight has ended; until then nothing begins. Undefined unless it is drained. */
  drained: (() => void) | undefined;
}

/** One execution of a body: the run itself, a branch, or a turn of a loop. */
export interface Scope {
  /** Path of the scope; empty for the run itself. */
  readonly path: string;
  readonly plan: BodyPlan;
  readonly input: Datum;
  readonly children: Set<Scope>;
  /** Called for each step in flight when the scope is stopped. */
  readonly stops: Set<(failure: Failure) => void>;
  stopped: Failure | undefined;
}

/** A node that waits for a message. */
export interface Waiter {
  /** Looks whether it came. */
  look(): void;
  /** Leaves: nothing else is in flight. */
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
  input: Datum;
  /** Entries that are ready but need not be in the log before a pure handler has run. */
  unwritten: NewEntry[];
}

/** The end of a node or a body, as far as its surroundings go. */
export type Outcome =
  | { readonly status: 'done'; readonly output: Datum }
  | { readonly status: 'caught'; readonly handler: string }
  | { readonly status: 'failed'; readonly failure: Failure }
  /** The body goes back to a node of its own. */
  | { readonly status: 'back'; readonly to: string; readonly failure: Failure }
  | { readonly status: 'waiting' };

/** The end of a call: `stopped` if nobody waited for the answer any longer. */
export type Ended = CallAnswer | { readonly status: 'stopped'; readonly failure: Failure };

/** The execution of a body that nothing stops yet. */
export function newScope(path: string, plan: BodyPlan, input: Datum): Scope {
  return { path, plan, input, children: new Set(), stops: new Set(), stopped: undefined };
}

/** Puts a scope within another, so that it is stopped with it. */
export function enterScope(parent: Scope, child: Scope): void {
  parent.children.add(child);
  if (parent.stopped !== undefined) stopScope(child, parent.stopped);
}

/** Stops a scope and all within it: steps in flight are aborted, and none begins. */
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

/** Errors of an append that are the fault of what was to be appended: the run goes on. */
const FAULTS_OF_VALUES: readonly string[] = ['not_json', 'too_large', 'claimed'];

/** Appends entries in one transaction and takes them into the state. */
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
