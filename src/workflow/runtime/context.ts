import { type Clock, isoTime } from '../../core/clock.js';
import type { EventType, Json, NewEntry } from '../log/entry.js';
import { writeSnapshot } from '../log/snapshot.js';
import type { LogStore } from '../log/store.js';
import type { SchemaChecks } from '../validation/schema-check.js';
import type { Datum } from './datum.js';
import { codeOf } from './failures.js';
import type { Faults } from './inject.js';
import type { Failure, Payloads } from './payloads.js';
import type { WorkflowPlan } from './plan.js';
import type { Registry } from './registry.js';
import { encodeState } from './restore-point.js';
import type { Scope } from './scope.js';
import { applyEntry, type RunState } from './state.js';

/** A run in this process: the fold of its log, and what it takes to go on with it. */
export interface Run {
  readonly runId: string;
  readonly plan: WorkflowPlan;
  readonly state: RunState;
  readonly registry: Registry;
  readonly store: LogStore;
  readonly clock: Clock;
  /** Checks values against the schemas of the workflow; undefined if none is checked. */
  readonly checks: SchemaChecks | undefined;
  readonly faults: Faults | undefined;
  /** Outputs of nodes, by path: those of this process as they are, the others from the log. */
  readonly outputs: Map<string, Datum>;
  /** Steps that other steps with the same key wait for. */
  readonly pending: Map<string, Promise<unknown>>;
  /** Gives the key of a step free, by path. */
  readonly holding: Map<string, () => void>;
  /** Handlers that did not stop when they were told to: of which node, and when they are done. */
  readonly late: Set<Late>;
  readonly slots: Slots;
  /** Entries from one restore point to the next; none are written without it. */
  readonly snapshotEvery: number | undefined;
  /** Aborted when the run ends: what still waits for a moment to come need not. */
  ended: AbortController | undefined;
  /**
   * The failure that broke the run off from outside: a store that failed or a crash that was
   * injected.
   */
  crash: { readonly error: unknown } | undefined;
  readonly root: Scope;
}

/** A handler that is still at work although nobody waits for its answer. */
interface Late {
  readonly path: string;
  readonly settled: Promise<unknown>;
}

/** How a node or a body ended. */
export type Outcome =
  | { readonly status: 'done'; readonly output: Datum }
  | { readonly status: 'caught'; readonly handler: string }
  | { readonly status: 'failed'; readonly failure: Failure }
  | { readonly status: 'waiting' };

export type Maybe<T> = T | Promise<T>;

/** How a body is run: handed on to the nodes that hold bodies. */
export type RunBody = (run: Run, scope: Scope) => Maybe<Outcome>;

/** Tasks that may run at the same time. */
interface Slots {
  free: number;
  readonly waiting: (() => void)[];
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
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
export function anyEntry(run: Run, nodeId: string, eventType: EventType, payload: Json): NewEntry {
  return {
    runId: run.runId,
    ts: isoTime(run.clock.now()),
    nodeId,
    eventType,
    payload,
    correlationId: nodeId === '' ? run.runId : nodeId,
  };
}

/** Appends entries in one transaction and takes them into the state. */
export function append(run: Run, entries: readonly NewEntry[]): void {
  if (run.crash !== undefined) throw run.crash.error;
  try {
    for (const entry of run.store.append(entries)) applyEntry(run.state, entry);
    writeRestorePoint(run);
  } catch (error) {
    // What JSON cannot hold is the fault of who gave it; nothing was appended.
    if (codeOf(error) !== 'not_json') run.crash = { error };
    throw error;
  }
}

/** Writes a restore point when one is due; a run that has ended needs none. */
function writeRestorePoint({ runId, state, store, clock, snapshotEvery }: Run): void {
  const since = state.versions - 1 - state.restorePoint;
  if (snapshotEvery === undefined || since < snapshotEvery || state.end !== undefined) return;
  const ts = isoTime(clock.now());
  applyEntry(state, writeSnapshot(store, { runId, ts, state: encodeState(state) }));
}

/** Appends one entry. */
export function write<T extends keyof Payloads>(
  run: Run,
  nodeId: string,
  eventType: T,
  payload: Payloads[T],
): void {
  append(run, [makeEntry(run, nodeId, eventType, payload)]);
}

/** Waits for a free slot and takes it. */
export async function takeSlot({ slots }: Run): Promise<void> {
  if (slots.free > 0) slots.free--;
  else await new Promise<void>((resolve) => slots.waiting.push(resolve));
}

/** Gives a slot back, or on to who waits for it. */
export function giveSlot({ slots }: Run): void {
  const next = slots.waiting.shift();
  if (next === undefined) slots.free++;
  else next();
}
