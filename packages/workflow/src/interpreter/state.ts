import { AlasError } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import type { Workflow } from '../ir/workflow.js';
import type { Json } from '../log/entry.js';
import type { EffectClass, Failure, LoopEnd, Payloads, TriggerKind } from './entries.js';

/** An approval or a message that a node waits for. */
export interface PendingWait {
  readonly kind: 'approval' | 'message';
  readonly name: string;
}

/** The state of a node. */
export interface NodeState {
  status: 'running' | 'waiting' | 'done' | 'failed' | 'skipped';
  /** The number of the attempt that runs, ran last or is due, from 1. */
  attempt: number;
  /** The last attempt that was begun; 0 if none was. */
  begun: number;
  /** ISO 8601, UTC. */
  startedAt: string;
  endedAt?: string;
  /** The version of the entry that ended it. */
  ended?: number;
  /** The output as the log holds it; undefined for nodes whose output derives from others. */
  output?: Json | undefined;
  error?: Failure;
  /** The node that handles the failure. */
  caughtBy?: string;
  /** Of a choice: the taken edge, null if none. */
  chosen?: number | null;
  key?: string | undefined;
  /** When the next attempt is due, in milliseconds since 1970. */
  retryAt?: number;
  /** The approval or message that it waits for, or waited for. */
  waitsFor?: PendingWait | undefined;
  /** The limit of the wait for an approval or a message, in milliseconds since 1970. */
  waitUntil?: number | undefined;
  feedback: Json[];
  /** A failure that is being undone before it is passed on. */
  failing?: Failure;
  /** Of a map: iterations that have begun, and the reason why no more follow. */
  iterations: number;
  /** The number of first iterations whose nodes were dropped from the state. */
  forgotten?: number;
  loopEnd?: LoopEnd;
}

/** An effect and its registered undo. */
export interface Effect {
  readonly nodeId: string;
  readonly key: string;
  readonly effect: EffectClass;
  readonly compensator: string | null;
  readonly triggers: readonly string[];
  /** Milliseconds since 1970. */
  readonly deadline?: number | undefined;
  readonly input: Json;
  /** Versions of the entries that registered it and that settled it. */
  readonly registered: number;
  settled?: number;
  output: Json;
  externalRef?: string | undefined;
  /**
   * `absent`: a handler or a person reported that it does not exist. `undoing`: a compensator was
   * called and has not answered.
   */
  status: 'held' | 'absent' | 'undoing' | 'undone' | 'failed';
  /** A handler or a person reported that it exists. */
  confirmed: boolean;
  /** Attempts without an answer that may still be answered. */
  open: number[];
  /** Open attempts of other owners, which may still be running. */
  foreignAttempts: number[];
  /** An attempt was interrupted without an answer: it may have had its effect. */
  uncertain: boolean;
  /** Since when an answer is overdue, in milliseconds since 1970. */
  overdueSince?: number | undefined;
  /** It appeared after it had been undone. */
  lateSuccess: boolean;
  /** An attempt was answered during the undo: the effect may have appeared after that. */
  racedUndo: boolean;
  /**
   * The steps that received its output, because they have the same key. Undefined if there are
   * none.
   */
  users?: string[] | undefined;
  compensations: number;
  compensateAt?: number | undefined;
  remaining?: string | undefined;
  /** The error of the last failed compensator. */
  error?: string;
}

/** A key and the status of its effect. */
interface KeyState {
  readonly nodeId: string;
  readonly handler: string;
  /** The hash of the input. */
  readonly input: string;
  status: 'pending' | 'success';
}

/** A named message that no node has consumed yet. */
interface Signal extends Arrival {
  /** Its number in the inbox. */
  readonly message: number;
  readonly data: Json;
}

/** The time of a message, in milliseconds since 1970: it is compared with the limits of waits. */
interface Arrival {
  readonly at: number;
}

/** An approval that was given or denied. */
interface Decision extends Arrival {
  readonly by: string;
  /** The version of its entry. */
  readonly version: number;
}

/** The complete state of a run: the fold of its log, and nothing else. */
export interface RunState {
  readonly runId: string;
  workflow: Workflow;
  input: Json;
  seed: number;
  /** ISO 8601, UTC. */
  startedAt: string;
  /** Entries in the log. */
  versions: number;
  /** The version of the last restore point, −1 if there is none. */
  restorePoint: number;
  /** The number of the last inbox message in the log. */
  inbox: number;
  readonly nodes: Map<string, NodeState>;
  readonly effects: Map<string, Effect>;
  readonly keys: Map<string, KeyState>;
  /** The first approval of each name. */
  readonly approvals: Map<string, Decision>;
  /** Denied approvals, by name. */
  readonly denials: Map<string, Decision & { readonly reason: string }>;
  readonly signals: Map<string, Signal[]>;
  /** Injected faults: how often, by label, node and attempt. */
  readonly injected: Map<string, number>;
  /** How often the run returned to a node, by the path of that node. */
  readonly returns: Map<string, number>;
  /** How often a node was reset, by its path; part of its keys. */
  readonly resets: Map<string, number>;
  stop?: Stop | undefined;
  end?: Payloads['EndRun'] | undefined;
}

/** The reason why a run is being undone. */
export interface Stop {
  readonly kind: TriggerKind;
  readonly error: Failure;
  /** The path of the node that a person wants undone; undefined for the whole run. */
  readonly within?: string | undefined;
  /** The node from which the run then continues. */
  readonly backTo?: string | undefined;
  readonly by?: string | undefined;
}

/** The state before the first entry. */
export function emptyState(runId: string): RunState {
  return {
    runId,
    workflow: undefined as never,
    input: null,
    seed: 0,
    startedAt: '',
    versions: 0,
    restorePoint: -1,
    inbox: 0,
    nodes: new Map(),
    effects: new Map(),
    keys: new Map(),
    approvals: new Map(),
    denials: new Map(),
    signals: new Map(),
    injected: new Map(),
    returns: new Map(),
    resets: new Map(),
  };
}

/** The state of a node that has begun. @throws AlasError `damaged_log` */
export function nodeOf(state: RunState, nodeId: string): NodeState {
  const node = state.nodes.get(nodeId);
  if (node === undefined) throw damaged(`${nodeId} continues before it begins`, nodeId);
  return node;
}

/** An effect that was registered. @throws AlasError `damaged_log` */
export function effectOf(state: RunState, nodeId: string): Effect {
  const effect = state.effects.get(nodeId);
  if (effect === undefined)
    throw damaged(`${nodeId} is undone but has registered no effect`, nodeId);
  return effect;
}

function damaged(message: string, nodeId: string): AlasError {
  return new AlasError('damaged_log', `this is not the log of a run: ${message}`, nodeId);
}

/**
 * Whether the existence of an effect is unknown: it is neither confirmed nor denied and an attempt
 * was interrupted, or it was undone while an attempt at it may still have its effect.
 */
export function isInDoubt({ status, confirmed, open, uncertain }: Effect): boolean {
  if (status === 'undone' || status === 'absent') return open.length > 0;
  return status === 'held' && !confirmed && (uncertain || open.length > 0);
}

/**
 * Whether a person may state if an effect exists: it is in doubt, or could not be undone, so that
 * it exists unless it was undone by hand or never existed.
 */
export function isUnsettled(effect: Effect): boolean {
  return isInDoubt(effect) || effect.status === 'failed';
}

/**
 * Whether an effect certainly exists: no compensator was called for it, since even a failed one may
 * have undone it.
 */
export function certainlyExists({ status, confirmed, error }: Effect): boolean {
  return status === 'held' && confirmed && error === undefined;
}

/**
 * When a waiting run becomes due without a message, in milliseconds since 1970; null if only a
 * message can continue it.
 */
export function wakeTime({ nodes, effects, end }: RunState): number | null {
  if (end !== undefined) return null;
  let first = Number.POSITIVE_INFINITY;
  for (const { status, waitUntil } of nodes.values()) {
    if (status === 'waiting' && waitUntil !== undefined) first = Math.min(first, waitUntil);
  }
  first = Math.min(first, firstDeadline(effects.values())?.deadline ?? first);
  return Number.isFinite(first) ? first : null;
}

/** The approvals and messages that a run waits for, each once. */
export function waitsOf({ nodes, end }: RunState): PendingWait[] {
  const waits = new Map<string, PendingWait>();
  if (end !== undefined) return [];
  for (const { status, waitsFor } of nodes.values()) {
    if (status === 'waiting' && waitsFor !== undefined) waits.set(waitsFor.name, waitsFor);
  }
  return [...waits.values()];
}

/** Whether a message arrived before the limit of a wait, if that has one. */
export function isInTime({ at }: Arrival, until: number | undefined): boolean {
  return until === undefined || at <= until;
}

/** The held effect whose deadline comes first; undefined if none has one. */
export function firstDeadline(
  effects: Iterable<Pick<Effect, 'nodeId' | 'status' | 'deadline'>>,
): { readonly nodeId: string; readonly deadline: number } | undefined {
  let first: { readonly nodeId: string; readonly deadline: number } | undefined;
  for (const { nodeId, status, deadline } of effects) {
    if (status !== 'held' || deadline === undefined) continue;
    if (first === undefined || deadline < first.deadline) first = { nodeId, deadline };
  }
  return first;
}

/** The name and version of the states that are written as restore points. */
const STATE_SCHEMA = 'alas-jssp/run-state@1';

/** The parts of a state whose order is kept. */
const TABLES = [
  'nodes',
  'effects',
  'keys',
  'approvals',
  'denials',
  'signals',
  'injected',
  'returns',
  'resets',
] as const;

/**
 * A state as JSON, for a restore point. The content of the first log entry (workflow, input, seed)
 * is not repeated.
 */
export function encodeState(state: RunState): Json {
  const tables = TABLES.map((name) => [name, [...state[name]]]);
  const { stop, inbox } = state;
  return { schema: STATE_SCHEMA, stop, inbox, ...Object.fromEntries(tables) };
}

/** Whether a restore point holds a state in the form of this version. */
export function isRunState(state: Json): boolean {
  return isObject(state) && state.schema === STATE_SCHEMA;
}

/**
 * The state that a restore point holds.
 *
 * @param first the state after the first entry of the log
 */
export function decodeState(first: RunState, saved: Json): RunState {
  const { stop, inbox, ...rest } = structuredCopy(saved) as unknown as RunState;
  const tables = TABLES.map((name) => [name, new Map(rest[name] as Iterable<never>)]);
  return { ...first, stop, inbox, ...Object.fromEntries(tables) };
}

/** The fold changes states in place: the logged value must not change with them. */
function structuredCopy(json: Json): Json {
  return JSON.parse(JSON.stringify(json)) as Json;
}
