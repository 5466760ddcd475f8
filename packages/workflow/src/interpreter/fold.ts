import type { LogEntry } from '../log/entry.js';
import {
  applyLateAnswer,
  concludeAttempt,
  confirm,
  consumeSignal,
  markLateSuccess,
  markPresent,
  reopenRun,
  resetNode,
  undoAgain,
} from './effect-fold.js';
import type { Payloads } from './entries.js';
import { effectOf, emptyState, type NodeState, nodeOf, type RunState } from './state.js';

/** The state that a log describes. */
export function foldLog(runId: string, entries: Iterable<LogEntry>): RunState {
  const state = emptyState(runId);
  for (const entry of entries) applyEntry(state, entry);
  return state;
}

/** One step of the fold: the state after an entry. Changes the state in place. */
export function applyEntry(state: RunState, entry: LogEntry): void {
  state.versions = entry.version + 1;
  const apply = APPLY[entry.eventType as keyof typeof APPLY];
  // Other entries (validations, repairs) inform people, not the interpreter.
  if (apply === undefined) return;
  apply(state, entry as never, entry.payload as never);
  const { message } = entry.payload as { message?: number };
  if (typeof message === 'number' && message > state.inbox) state.inbox = message;
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
  Resume: (state, { ts }, { gone }) => {
    for (const effect of state.effects.values()) {
      const { status, begun, attempt } = nodeOf(state, effect.nodeId);
      const broken = status === 'running' && begun === attempt && !effect.open.includes(attempt);
      if (broken && !effect.confirmed) effect.uncertain = true;
      if (effect.open.length === 0) continue;
      effect.overdueSince ??= Date.parse(ts);
      if (!gone) effect.foreignAttempts = [...effect.open];
      const ended = effect.open.filter((one) => !effect.foreignAttempts.includes(one));
      effect.open = [...effect.foreignAttempts];
      if (ended.length === 0) continue;
      // An attempt may have had its effect after the undo, and before its process ended.
      if (effect.status === 'undone') markLateSuccess(effect);
      else if (!effect.confirmed) effect.uncertain = true;
    }
  },
  Cancel: (state, _, { reason }) => {
    const error = { code: 'Cancelled', message: reason, nodeId: '', compensates: true };
    state.stop ??= { kind: 'cancel', error };
  },
  StartNode: (state, { nodeId, ts }, { attempt = 1, key, handler = '', input = '' }) => {
    let node = state.nodes.get(nodeId);
    if (node === undefined) {
      node = newNode('running', attempt, ts);
      state.nodes.set(nodeId, node);
    }
    node.status = 'running';
    node.attempt = attempt;
    node.begun = attempt;
    if (key === undefined) return;
    node.key = key;
    state.keys.set(key, { nodeId, handler, input, status: 'pending' });
    const effect = state.effects.get(nodeId);
    if (effect === undefined) return;
    // Further attempts at an effect that is registered already.
    effect.open.push(attempt);
    effect.overdueSince = undefined;
  },
  EndNode: (state, { nodeId, ts, version }, { output, externalRef, taken, cached }) => {
    const node = nodeOf(state, nodeId);
    node.status = 'done';
    node.ended = version;
    node.endedAt = ts;
    node.output = output;
    if (taken !== undefined) consumeSignal(state, taken);
    const used = cached === undefined ? undefined : state.effects.get(cached);
    if (used !== undefined) used.users = [...(used.users ?? []), nodeId];
    const key = node.key === undefined ? undefined : state.keys.get(node.key);
    if (key?.nodeId === nodeId) key.status = 'success';
    const effect = state.effects.get(nodeId);
    if (effect === undefined) return;
    effect.output = output ?? null;
    effect.externalRef = externalRef;
    effect.settled = version;
    confirm(effect, node.attempt, ts);
  },
  FailNode: (state, { nodeId, ts, version }, { error }) => {
    const node = state.nodes.get(nodeId) ?? newNode('failed', 0, ts);
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
    concludeAttempt(effect, node.begun, error, ts);
    const denied = !effect.confirmed && !effect.uncertain && effect.open.length === 0;
    if (effect.effect === 'irreversible' && denied) effect.status = 'absent';
  },
  SkipNode: (state, { nodeId, ts }) => {
    state.nodes.set(nodeId, newNode('skipped', 0, ts));
  },
  Catch: (state, { nodeId }, { handler }) => {
    nodeOf(state, nodeId).caughtBy = handler;
  },
  Return: (state, _, { to, nodes }) => {
    state.returns.set(to, (state.returns.get(to) ?? 0) + 1);
    for (const path of nodes) resetNode(state, path);
    if (state.stop?.backTo === to) state.stop = undefined;
  },
  Retry: (state, { nodeId, ts }, { attempt, error, wait }) => {
    const node = nodeOf(state, nodeId);
    node.attempt = attempt + 1;
    node.retryAt = Date.parse(ts) + wait * 1000;
    const effect = state.effects.get(nodeId);
    if (effect !== undefined) concludeAttempt(effect, attempt, error, ts);
  },
  Timeout: (state, { nodeId, ts }) => {
    const effect = state.effects.get(nodeId);
    if (effect !== undefined) effect.overdueSince ??= Date.parse(ts);
  },
  Answer: (state, { nodeId }, { attempt, failed, ...late }) => {
    applyLateAnswer(state, nodeId, attempt, failed === undefined ? late : undefined);
  },
  Settle: (state, { nodeId }, { happened }) => {
    const effect = effectOf(state, nodeId);
    effect.open = [];
    effect.foreignAttempts = [];
    effect.uncertain = false;
    if (happened) markPresent(effect);
    else if (effect.status === 'held' || effect.status === 'failed') effect.status = 'absent';
    reopenRun(state, effect);
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
  Register: (state, { nodeId, version }, { input, ...registration }) => {
    state.effects.set(nodeId, {
      ...registration,
      nodeId,
      input,
      registered: version,
      output: null,
      status: 'held',
      confirmed: false,
      open: [nodeOf(state, nodeId).attempt],
      uncertain: false,
      lateSuccess: false,
      racedUndo: false,
      foreignAttempts: [],
      compensations: 0,
    });
  },
  Trigger: (state, { nodeId, ts }, { kind, error, backTo, by }) => {
    if (kind === 'failure' && nodeId !== '' && error !== undefined) {
      const node = nodeOf(state, nodeId);
      node.failing = error;
      const effect = state.effects.get(nodeId);
      if (effect !== undefined) concludeAttempt(effect, node.begun, error, ts);
      return;
    }
    const unknown = { code: kind, message: kind, nodeId, compensates: true };
    const within = kind === 'manual' && nodeId !== '' ? nodeId : undefined;
    if (kind === 'manual') {
      state.end = undefined;
      for (const effect of state.effects.values()) undoAgain(effect);
    }
    state.stop = { kind, error: error ?? state.stop?.error ?? unknown, within, backTo, by };
  },
  Compensate: (state, { nodeId }, { attempt }) => {
    const effect = effectOf(state, nodeId);
    effect.status = 'undoing';
    effect.compensations = attempt;
    effect.racedUndo = false;
  },
  Compensated: (state, { nodeId }, { remaining }) => {
    const effect = effectOf(state, nodeId);
    effect.status = 'undone';
    effect.remaining = remaining;
    effect.confirmed = false;
    effect.uncertain = false;
    effect.lateSuccess = false;
    state.keys.delete(effect.key);
    if (effect.racedUndo) markLateSuccess(effect);
  },
  CompensateFail: (state, { nodeId, ts }, { error, wait }) => {
    const effect = effectOf(state, nodeId);
    effect.error = error;
    effect.status = wait === undefined ? 'failed' : 'held';
    effect.compensateAt = wait === undefined ? undefined : Date.parse(ts) + wait * 1000;
  },
  AwaitApproval: (state, { nodeId, ts }, { name, until }) => {
    const waitsFor = { kind: 'approval', name } as const;
    state.nodes.set(nodeId, { ...newNode('waiting', 0, ts), waitsFor, waitUntil: until });
  },
  AwaitMessage: (state, { nodeId, ts }, { name, until }) => {
    const waitsFor = { kind: 'message', name } as const;
    state.nodes.set(nodeId, { ...newNode('waiting', 0, ts), waitsFor, waitUntil: until });
  },
  Approve: (state, entry, { name, by, sent }) => {
    if (state.approvals.has(name)) return;
    state.approvals.set(name, { by, at: timeOf(entry, sent), version: entry.version });
  },
  Deny: (state, entry, { name, by, reason, sent }) => {
    if (state.approvals.has(name)) return;
    state.denials.set(name, { by, reason, at: timeOf(entry, sent), version: entry.version });
  },
  Signal: (state, entry, { name, data, message, sent }) => {
    const queue = state.signals.get(name) ?? [];
    // A message that was delivered twice counts once.
    if (message <= state.inbox) return;
    state.signals.set(name, [...queue, { message, data, at: timeOf(entry, sent) }]);
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

/** When a message was sent; entries without that time were sent when they were written. */
function timeOf({ ts }: LogEntry, sent: string = ts): number {
  return Date.parse(sent);
}

function newNode(status: NodeState['status'], attempt: number, startedAt: string): NodeState {
  return { status, attempt, begun: 0, startedAt, feedback: [], iterations: 0 };
}
