import { AlasError } from '../../core/errors.js';
import type { Workflow } from '../ir/workflow.js';
import type { Json, LogEntry } from '../log/entry.js';
import { isWithin } from '../log/slice.js';
import type { EffectClass, Failure, LoopEnd, Payloads, TriggerKind } from './payloads.js';

/** How far a node is. */
export interface NodeState {
  status: 'running' | 'waiting' | 'done' | 'failed' | 'skipped';
  /** The attempt that runs or ran last, from 1. */
  attempt: number;
  /** ISO 8601, UTC. */
  startedAt: string;
  endedAt?: string;
  /** The version of the entry that told its end. */
  ended?: number;
  /** The output as the log holds it; nodes that make it of others' outputs have none. */
  output?: Json | undefined;
  error?: Failure;
  /** The node that handles the failure. */
  caughtBy?: string;
  /** Of a choice: the edge that it took, null if none. */
  chosen?: number | null;
  key?: string | undefined;
  /** When the next attempt is due, in milliseconds since 1970. */
  retryAt?: number;
  feedback: Json[];
  /** A failure that is being undone before it is handed on. */
  failing?: Failure;
  /** Of a map: iterations that have begun, and why there will be no more. */
  iterations: number;
  loopEnd?: LoopEnd;
}

/** An effect and what was registered to undo it. */
export interface Effect {
  readonly nodeId: string;
  readonly key: string;
  readonly effect: EffectClass;
  readonly compensator: string | null;
  readonly triggers: readonly string[];
  /** Milliseconds since 1970. */
  readonly deadline?: number | undefined;
  readonly input: Json;
  /** Versions of the entries that registered it and that told its outcome. */
  readonly registered: number;
  settled?: number;
  output: Json;
  externalRef?: string | undefined;
  /**
   * `absent`: the step said that it had failed, so that an irreversible effect is not there.
   * `undoing`: a compensator was called and has not answered.
   */
  status: 'held' | 'absent' | 'undoing' | 'undone' | 'failed';
  /**
   * An attempt broke off, or ended otherwise than by an error of the handler: it may have had its
   * effect.
   */
  uncertain?: true;
  compensations: number;
  compensateAt?: number | undefined;
  remaining?: string | undefined;
  error?: string;
}

/** A key and what became of the effect it stands for. */
interface KeyState {
  readonly nodeId: string;
  readonly handler: string;
  status: 'pending' | 'success';
}

/** All there is to know of a run: the fold over its log, and nothing else. */
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
  readonly nodes: Map<string, NodeState>;
  readonly effects: Map<string, Effect>;
  readonly keys: Map<string, KeyState>;
  /** Approvals given: by whom, by name. */
  readonly approvals: Map<string, string>;
  /** Injected faults: how often, by label, node and attempt. */
  readonly injected: Map<string, number>;
  stop?: Stop | undefined;
  end?: Payloads['EndRun'] | undefined;
}

/** Why a run is being undone. */
export interface Stop {
  readonly kind: TriggerKind;
  readonly error: Failure;
  /** The path of the node that a person wants undone; undefined for all of the run. */
  readonly within?: string;
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
    nodes: new Map(),
    effects: new Map(),
    keys: new Map(),
    approvals: new Map(),
    injected: new Map(),
  };
}

/** The state that a log tells of. */
export function foldLog(runId: string, entries: Iterable<LogEntry>): RunState {
  const state = emptyState(runId);
  for (const entry of entries) applyEntry(state, entry);
  return state;
}

/** One step of the fold: what the state is after an entry. Changes the state in place. */
export function applyEntry(state: RunState, entry: LogEntry): void {
  state.versions = entry.version + 1;
  const apply = APPLY[entry.eventType as keyof typeof APPLY];
  // Other entries (validations, repairs) tell people something, not the runtime.
  if (apply !== undefined) apply(state, entry as never, entry.payload as never);
}

type Apply = {
  [T in keyof Payloads]?: (state: RunState, entry: LogEntry, payload: Payloads[T]) => void;
};

const APPLY: Apply = {
  StartRun: (state, { ts }, { workflow, input, seed }) => {
    state.workflow = workflow;
    state.input = input;
    state.seed = seed;
    state.startedAt = ts;
  },
  EndRun: (state, _, end) => {
    state.end = end;
  },
  Resume: (state, { ts }) => {
    for (const effect of state.effects.values()) {
      const { status, retryAt = 0 } = nodeOf(state, effect.nodeId);
      if (effect.effect !== 'irreversible' || status !== 'running') continue;
      // An attempt that broke off may have had its effect, unless it was only due.
      if (retryAt <= Date.parse(ts)) effect.uncertain = true;
    }
  },
  Cancel: (state, _, { reason }) => {
    const error = { code: 'Cancelled', message: reason, nodeId: '', compensates: true };
    state.stop ??= { kind: 'cancel', error };
  },
  StartNode: (state, { nodeId, ts }, { attempt, key, handler }) => {
    const node = state.nodes.get(nodeId);
    if (node === undefined) state.nodes.set(nodeId, newNode('running', attempt ?? 1, ts, key));
    else {
      node.status = 'running';
      node.attempt = attempt ?? 1;
      if (key !== undefined) node.key = key;
    }
    if (key !== undefined) {
      state.keys.set(key, { nodeId, handler: handler ?? '', status: 'pending' });
    }
  },
  EndNode: (state, { nodeId, ts, version }, { output, externalRef }) => {
    const node = nodeOf(state, nodeId);
    node.status = 'done';
    node.ended = version;
    node.endedAt = ts;
    node.output = output;
    if (node.key !== undefined) {
      const key = state.keys.get(node.key);
      if (key?.nodeId === nodeId) key.status = 'success';
    }
    const effect = state.effects.get(nodeId);
    if (effect === undefined) return;
    effect.output = output ?? null;
    effect.externalRef = externalRef;
    effect.settled = version;
  },
  FailNode: (state, { nodeId, ts, version }, { error }) => {
    const node = state.nodes.get(nodeId) ?? newNode('failed', 0, ts, undefined);
    state.nodes.set(nodeId, node);
    node.status = 'failed';
    node.ended = version;
    node.endedAt = ts;
    node.error = error;
    if (node.key !== undefined && state.keys.get(node.key)?.nodeId === nodeId) {
      state.keys.delete(node.key);
    }
    const effect = state.effects.get(nodeId);
    if (effect === undefined) return;
    effect.settled = version;
    if (effect.effect === 'irreversible' && isDenied(effect, error)) effect.status = 'absent';
  },
  SkipNode: (state, { nodeId, ts }) => {
    state.nodes.set(nodeId, newNode('skipped', 0, ts, undefined));
  },
  Catch: (state, { nodeId }, { handler }) => {
    nodeOf(state, nodeId).caughtBy = handler;
  },
  Retry: (state, { nodeId, ts }, { attempt, error, wait }) => {
    const node = nodeOf(state, nodeId);
    node.attempt = attempt + 1;
    node.retryAt = Date.parse(ts) + wait * 1000;
    const effect = state.effects.get(nodeId);
    if (effect !== undefined && error.acted) effect.uncertain = true;
  },
  Timeout: (state, { nodeId }, { late }) => {
    const effect = state.effects.get(nodeId);
    if (effect === undefined) return;
    effect.uncertain = true;
    if (late === undefined) return;
    if (nodeOf(state, nodeId).status === 'done') return;
    // It came into being after all, perhaps after it was undone.
    effect.output = late.output;
    effect.externalRef = late.externalRef;
    if (effect.status !== 'undoing') effect.status = 'held';
  },
  Feedback: (state, { nodeId }, { feedback }) => {
    nodeOf(state, nodeId).feedback.push(feedback);
  },
  Choose: (state, { nodeId }, { edge }) => {
    nodeOf(state, nodeId).chosen = edge;
  },
  Iterate: (state, { nodeId }, { index, end }) => {
    const node = nodeOf(state, nodeId);
    if (end === undefined) node.iterations = index + 1;
    else node.loopEnd = end;
  },
  Register: (state, { nodeId, version }, payload) => {
    const { input, ...rest } = payload;
    state.effects.set(nodeId, {
      ...rest,
      nodeId,
      input,
      registered: version,
      output: null,
      status: 'held',
      compensations: 0,
    });
  },
  Trigger: (state, { nodeId }, { kind, error }) => {
    if (kind === 'failure' && nodeId !== '' && error !== undefined) {
      nodeOf(state, nodeId).failing = error;
      return;
    }
    const unknown = { code: kind, message: kind, nodeId, compensates: true };
    const within = kind === 'manual' && nodeId !== '' ? { within: nodeId } : {};
    if (kind === 'manual') {
      state.end = undefined;
      for (const effect of state.effects.values()) {
        if (nodeId === '' || isWithin(effect.nodeId, nodeId)) retryCompensation(effect);
      }
    }
    state.stop = { kind, error: error ?? state.stop?.error ?? unknown, ...within };
  },
  Compensate: (state, { nodeId }, { attempt }) => {
    const effect = effectOf(state, nodeId);
    effect.status = 'undoing';
    effect.compensations = attempt;
  },
  Compensated: (state, { nodeId }, { remaining }) => {
    const effect = effectOf(state, nodeId);
    effect.status = 'undone';
    effect.remaining = remaining;
    state.keys.delete(effect.key);
  },
  CompensateFail: (state, { nodeId, ts }, { error, wait }) => {
    const effect = effectOf(state, nodeId);
    effect.error = error;
    effect.status = wait === undefined ? 'failed' : 'held';
    effect.compensateAt = wait === undefined ? undefined : Date.parse(ts) + wait * 1000;
  },
  AwaitApproval: (state, { nodeId, ts }) => {
    state.nodes.set(nodeId, newNode('waiting', 0, ts, undefined));
  },
  Approve: (state, _, { name, by }) => {
    state.approvals.set(name, by);
  },
  Snapshot: (state, { version }) => {
    state.restorePoint = version;
  },
  Inject: (state, { nodeId }, { label, attempt }) => {
    const id = injectionId(label, nodeId, attempt);
    state.injected.set(id, (state.injected.get(id) ?? 0) + 1);
  },
};

/** The identifier under which an injected fault is counted. */
export function injectionId(label: string, nodeId: string, attempt: number): string {
  return `${label}|${nodeId}|${attempt}`;
}

/**
 * Whether a failure says that an effect is not there: all attempts ended with an error that the
 * handler itself gave, none because its time was up or something else had stopped it.
 */
function isDenied({ nodeId, uncertain }: Effect, error: Failure): boolean {
  const stopped = error.nodeId !== nodeId || ['Timeout', 'Cancelled'].includes(error.code);
  return !stopped && !error.acted && !uncertain;
}

function retryCompensation(effect: Effect): void {
  if (effect.status !== 'failed') return;
  effect.status = 'held';
  effect.compensations = 0;
}

function newNode(
  status: NodeState['status'],
  attempt: number,
  startedAt: string,
  key: string | undefined,
): NodeState {
  return { status, attempt, startedAt, key, feedback: [], iterations: 0 };
}

function nodeOf(state: RunState, nodeId: string): NodeState {
  const node = state.nodes.get(nodeId);
  if (node === undefined) throw damaged(`${nodeId} goes on before it begins`, nodeId);
  return node;
}

function effectOf(state: RunState, nodeId: string): Effect {
  const effect = state.effects.get(nodeId);
  if (effect === undefined) throw damaged(`${nodeId} is undone and registered nothing`, nodeId);
  return effect;
}

function damaged(message: string, nodeId: string): AlasError {
  return new AlasError('damaged_log', `this is no log of a run: ${message}`, nodeId);
}
