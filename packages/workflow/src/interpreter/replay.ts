import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { AlasError } from '@alas-jssp/core/errors';
import type { Workflow } from '../ir/workflow.js';
import type { Json, LogEntry } from '../log/entry.js';
import { isRedacted } from '../log/secrets.js';
import type { LogStore } from '../log/store.js';
import { evaluateGuard } from './checks.js';
import { decodeLogged } from './encoded-value.js';
import { doneEnd, undoneEnd, withDoubts } from './ends.js';
import type { Payloads, TriggerKind } from './entries.js';
import { applyEntry } from './fold.js';
import { choose } from './nodes.js';
import { dependsOn, type NodePlan, planWorkflow } from './plan.js';
import { mayRetry, waitAfter } from './policies.js';
import { bodyOutput, inputOf } from './references.js';
import { checkRegistry, type Registry } from './registry.js';
import { checkRegistration, checkUndoing } from './replay-effects.js';
import {
  checkAttempt,
  checkCatch,
  checkCause,
  checkInner,
  checkUndone,
  checkWait,
  checkWaited,
  hasOuterBegun,
} from './replay-nodes.js';
import {
  type Checked,
  type Divergence,
  type Past,
  type Place,
  type ReplayHost,
  replayPlaceOf,
} from './replay-place.js';
import { keyAt, recheckHandOver, recheckVerdict, rerunStep } from './replay-step.js';
import { newScope, nodePath, type Scope } from './run.js';
import { reachOf } from './saga.js';
import { isTaken, openProgress } from './schedule.js';
import { type Effect, emptyState, encodeState, isRunState } from './state.js';

/** The result of a replay. */
export interface Replay {
  /** True if all results equal the log. */
  readonly parity: boolean;
  /** The first difference. */
  readonly divergence?: Divergence;
  /** Entries of the log. */
  readonly entries: number;
  /** Recomputed pure steps, decisions and inputs. */
  readonly rerun: number;
  readonly decisions: number;
}

/** The settings of a replay. */
export interface ReplayOptions {
  readonly registry: Registry;
  /** The registry and environment of a workflow's run. */
  hostOf(workflow: Workflow): Promise<ReplayHost>;
}

/** Tolerance for system timers that fire early, in milliseconds. */
const EARLY_MILLISECONDS = 5;

/**
 * Replays a run from its log without any outside call: recomputes inputs from logged outputs, pure
 * steps, validators, guards and waits, and compares all of it with the log.
 *
 * @throws AlasError `no_run`; `bad_registry` if a handler is missing: parity would mean nothing
 */
export async function replay(
  store: LogStore,
  runId: string,
  { registry, hostOf }: ReplayOptions,
): Promise<Replay> {
  const counts = { entries: 0, rerun: 0, decisions: 0 };
  const diverges = (entry: Pick<LogEntry, 'version' | 'nodeId'>, found: object): Replay => {
    const { version, nodeId } = entry;
    const divergence = { version, nodeId, ...found } as Divergence;
    return { parity: false, divergence, ...counts };
  };
  const state = emptyState(runId);
  let past: Past | undefined;
  for (const entry of store.read({ runId })) {
    counts.entries++;
    try {
      const found = past === undefined ? undefined : await check(past, store, entry);
      if (typeof found === 'object') return diverges(entry, found);
      if (found === 'rerun') counts.rerun++;
      if (found === 'decision') counts.decisions++;
      const { stop } = state;
      applyEntry(state, entry);
      if (past !== undefined && state.stop !== stop) past.stoppedAt = entry.version;
    } catch (error) {
      return diverges(entry, { cause: 'data', message: (error as Error).message });
    }
    if (entry.eventType === 'StartRun') {
      const plan = planWorkflow(state.workflow);
      checkRegistry(plan, registry);
      const root = newScope('', plan.root, decodeLogged(state.input, registry.input));
      past = {
        plan,
        state,
        registry,
        root,
        host: await hostOf(state.workflow),
        outputs: new Map(),
        scopes: new Map(),
        stoppedAt: -1,
        entry: new Map(),
      };
    }
    if (entry.eventType === 'Return') {
      // A node that starts again has new inputs.
      past?.scopes.clear();
      past?.outputs.clear();
    }
    if (past !== undefined) past.entry.set(`${entry.eventType} ${entry.nodeId}`, entry);
  }
  if (past === undefined) throw new AlasError('no_run', `the log has no run ${runId}`, runId);
  return { parity: true, ...counts };
}

type Check<T extends keyof Payloads> = (
  at: Place,
  payload: Payloads[T],
) => Checked | Promise<Checked>;

async function check(past: Past, store: LogStore, entry: LogEntry): Promise<Checked> {
  const { eventType, nodeId, payload } = entry;
  if (eventType === 'EndRun') return checkEnd(past, payload as never);
  if (eventType === 'Trigger' && nodeId === '') return checkTrigger(past, payload as never);
  if (eventType === 'Snapshot') return checkRestorePoint(past, payload as never);
  const one = CHECKS[eventType as keyof typeof CHECKS] as Check<never> | undefined;
  if (one === undefined || nodeId === '') return undefined;
  const place = replayPlaceOf(past, nodeId);
  if (place === undefined) return { cause: 'data', message: `the workflow has no node ${nodeId}` };
  const found = await one({ past, store, entry, ...place }, payload as never);
  // Results that depend on secrets cannot be recomputed from placeholders.
  const isVisible = typeof found !== 'object' || !isMadeOfSecrets(past, place, payload);
  return isVisible ? found : undefined;
}

function isMadeOfSecrets(
  past: Past,
  { scope, plan }: Pick<Place, 'scope' | 'plan'>,
  payload: Json,
): boolean {
  return isRedacted(payload) || isRedacted(inputOf(past, scope, plan).json());
}

const CHECKS: { [T in keyof Payloads]?: Check<T> } = {
  StartNode: (at, { attempt, key, input, handler }) => {
    const { past, scope, plan, entry } = at;
    const { node } = plan;
    if (handler !== undefined && node.type === 'task' && handler !== (node.handler ?? node.id)) {
      return { cause: 'data', message: 'its handler is another one' };
    }
    if (!isReady(at) || !hasOuterBegun(at)) {
      return { cause: 'data', message: 'it began before it could' };
    }
    const wrong = checkAttempt(at, attempt);
    if (wrong !== undefined) return wrong;
    if (key === undefined || past.entry.has(`HandOver ${entry.nodeId}`)) return undefined;
    const made = keyAt({ past, scope, plan, entry });
    if (made.inputHash !== input) return { cause: 'data', message: 'its input is another one' };
    return made.key === key ? 'decision' : { cause: 'data', message: `its key is ${made.key}` };
  },
  EndNode: (at, { output, cached }) => {
    if (cached !== undefined) return undefined;
    const { node } = at.plan;
    const open = checkInner(at);
    if (open !== undefined) return open;
    if (node.type === 'task' && node.effect !== 'none') {
      const { effects } = at.past.state;
      if (!effects.has(at.entry.nodeId)) {
        return { cause: 'data', message: 'the undoing of its effect was not registered' };
      }
    }
    return rerunStep(at, { output });
  },
  FailNode: (at, { error }) => {
    const undoing = checkUndone(at);
    if (undoing !== undefined) return undoing;
    if (error.nodeId !== at.entry.nodeId) return checkCause(at, error);
    return error.code === 'WaitTimeout' ? checkWaited(at) : rerunStep(at, { error });
  },
  Trigger: (at, { kind, error }) => {
    if (kind !== 'failure' || error === undefined) return undefined;
    const { failing } = at.past.state.nodes.get(at.entry.nodeId) ?? {};
    return failing === undefined
      ? checkCause(at, error)
      : { cause: 'data', message: 'its failure was being handled' };
  },
  Catch: checkCatch,
  AwaitMessage: checkWait,
  AwaitApproval: checkWait,
  Register: checkRegistration,
  HandOver: recheckHandOver,
  ValidatePass: (at, payload) => recheckVerdict(at, payload, 'augment'),
  ValidateFail: (at, payload) => recheckVerdict(at, payload, payload.outcome),
  SkipNode: ({ past, scope, plan }) => {
    const [settled, taken] = linksInto(past, scope, plan);
    if (settled && !taken) return 'decision';
    return { cause: 'data', message: 'it was skipped though it could still be reached' };
  },
  Choose: async ({ past, scope, plan }, { edge }) => {
    const chosen = await choose(scope, plan, inputOf(past, scope, plan));
    if (chosen?.edge === edge) return 'decision';
    return { cause: 'code', message: `the guards now choose ${chosen?.to ?? 'nothing'}` };
  },
  Iterate: checkTurn,
  Retry: ({ past, plan, entry }, { attempt, error, wait }) => {
    const { retry, backoff } = plan.policy;
    const hasFeedback = past.entry.has(`Feedback ${entry.nodeId}`);
    if (!hasFeedback && !mayRetry(retry, error.code, attempt)) {
      return { cause: 'code', message: `${error.code} is not retried` };
    }
    const expected = waitAfter(past.host.digest, backoff, past.state.runId, entry.nodeId, attempt);
    if (expected === wait) return 'decision';
    return { cause: 'code', message: `the wait is ${expected} s, not ${wait} s` };
  },
  Timeout: ({ past, entry, plan }, { seconds }) => {
    const began = past.entry.get(`StartNode ${entry.nodeId}`)?.ts;
    const limit = plan.policy.timeout?.seconds;
    if (seconds === undefined || began === undefined || limit === undefined) return undefined;
    const elapsed = Date.parse(entry.ts) - Date.parse(began) + EARLY_MILLISECONDS;
    if (elapsed >= limit * 1000) return 'decision';
    return { cause: 'clock', message: `its time was not up after ${elapsed} ms` };
  },
  Compensate: (at, payload) => {
    const { past, entry } = at;
    const { nodeId } = entry;
    const { state } = past;
    const found = checkUndoing(at, payload);
    if (found !== undefined) return found;
    const {
      lateSuccess,
      users = [],
      settled = Number.POSITIVE_INFINITY,
    } = state.effects.get(nodeId) ?? {};
    // The effect appeared after its undo; later effects build on another one.
    if (lateSuccess === true) return 'decision';
    const builds = users.length > 0 ? reachOf(past, nodeId) : undefined;
    for (const { nodeId: other, status, registered } of state.effects.values()) {
      // A step that builds on an effect begins after the effect exists.
      if (!isThere(status) || other === nodeId || registered < settled) continue;
      if (!isUndoneFirst(state, other)) continue;
      if (builds?.(other) ?? dependsOn(past.plan, other, nodeId)) {
        return { cause: 'data', message: `${other} builds on it and is still held` };
      }
    }
    return 'decision';
  },
};

function isThere(status: Effect['status']): boolean {
  return status === 'held' || status === 'undoing';
}

/** Whether an effect is one that undoing does not leave alone. */
function isUndoneFirst({ effects }: Past['state'], nodeId: string): boolean {
  const effect = effects.get(nodeId);
  if (effect === undefined || effect.lateSuccess) return false;
  return effect.triggers.includes('onFailure') && effect.effect !== 'irreversible';
}

function isReady({ past, scope, plan }: Place): boolean {
  const [settled, taken] = linksInto(past, scope, plan);
  return plan.into.length === 0 || (settled && taken);
}

/** Whether all links into a node are settled, and whether one was taken. */
function linksInto({ state }: Past, scope: Scope, { into }: NodePlan): [boolean, boolean] {
  let settled = true;
  let taken = false;
  for (const link of into) {
    const from = state.nodes.get(nodePath(scope, scope.plan.nodes[link.from].node.id));
    if (from === undefined || ['running', 'waiting'].includes(from.status)) settled = false;
    else if (isTaken(link, from, scope.plan)) taken = true;
  }
  return [settled, taken];
}

/**
 * An iteration begins if the condition failed after the previous one; the last one ends the loop.
 */
async function checkTurn(
  { past, scope, plan, entry }: Place,
  { index, end }: Payloads['Iterate'],
): Promise<Checked> {
  const { node, policy } = plan;
  const { iterations: turns = 0, loopEnd } = past.state.nodes.get(entry.nodeId) ?? {};
  if (loopEnd !== undefined) return { cause: 'data', message: 'the loop had ended' };
  if (end === undefined && index !== turns) {
    return { cause: 'data', message: `turn ${turns} is the next, not ${index}` };
  }
  if (node.type !== 'map' || node.items !== undefined) return undefined;
  const guards = policy.loopGuards ?? {};
  const last = end === undefined ? index - 1 : index;
  if (last < 0) return undefined;
  const turn = replayPlaceOf(past, `${entry.nodeId}[${last}]/`)?.scope;
  if (turn === undefined) return { cause: 'data', message: 'there is no such iteration' };
  const bindings = {
    input: inputOf(past, scope, plan).json(),
    output: bodyOutput(past, turn).json(),
  };
  const holds = node.until !== undefined && (await evaluateGuard(node.until, bindings));
  if (holds !== (end === 'until')) {
    return { cause: 'code', message: `the condition of the loop now ${holds ? 'holds' : 'fails'}` };
  }
  if (end === 'maxIters' && last + 1 < (guards.maxIters ?? Number.POSITIVE_INFINITY)) {
    return { cause: 'data', message: 'the loop ended before maxIters' };
  }
  const began = past.state.nodes.get(entry.nodeId)?.startedAt ?? past.state.startedAt;
  const secondsSince = (ts: string) => (Date.parse(entry.ts) - Date.parse(ts)) / 1000;
  const early =
    (end === 'deadline' && secondsSince(past.state.startedAt) < (guards.deadlineSeconds ?? 0)) ||
    (end === 'timeBudget' && secondsSince(began) < (guards.timeBudgetSeconds ?? 0));
  return early ? { cause: 'clock', message: 'the time of the loop was not up' } : 'decision';
}

const KINDS: readonly TriggerKind[] = ['failure', 'cancel', 'manual', 'deadline'];

/** A run is stopped once, by a failure of one of its nodes or by a condition on the whole run. */
function checkTrigger({ state, root }: Past, { kind, error }: Payloads['Trigger']): Checked {
  if (!KINDS.includes(kind))
    return { cause: 'data', message: 'no run is stopped by this kind of trigger' };
  if (kind !== 'failure') return undefined;
  if (state.stop !== undefined) return { cause: 'data', message: 'the run had been stopped' };
  if (error === undefined || error.nodeId === '') return undefined;
  const { failed } = openProgress(root.plan, (id) => state.nodes.get(id));
  // A body that cannot return to a node fails with the node whose failure requested the return.
  const isStuck = root.plan.nodes.some(({ node }) => state.nodes.get(node.id)?.failing);
  if (failed !== undefined || isStuck) return 'decision';
  return { cause: 'data', message: `the run was stopped by ${error.nodeId}, and no node failed` };
}

/** Computes the end of the run from the entries before it, and compares it with the logged one. */
function checkEnd(past: Past, logged: Payloads['EndRun']): Checked {
  const { state, root } = past;
  const fault = (message: string): Checked => ({ cause: 'data', message });
  if (state.stop === undefined) {
    const { open, failed } = openProgress(root.plan, (id) => state.nodes.get(id));
    if (failed !== undefined) return fault(`${failed.node.id} failed, and the run was not undone`);
    if (open > 0) return fault(`the run ended while ${open} of its nodes had not`);
  }
  const output = state.stop === undefined ? bodyOutput(past, root).json() : null;
  const end = state.stop === undefined ? doneEnd(past, output) : undoneEnd(past, state.stop);
  const { status, would, ...rest } = withDoubts(state, end);
  if (status !== logged.status) return fault(`its entries make ${status}, not ${logged.status}`);
  if (isRedacted(logged as unknown as Json) || isRedacted(output)) return undefined;
  for (const part of PARTS_OF_ENDS) {
    const made = { ...rest, would }[part] as unknown as Json | undefined;
    const saved = logged[part] as unknown as Json | undefined;
    if (equal(plain(made), plain(saved))) continue;
    return fault(`its entries make another ${part} than the logged end`);
  }
  return 'decision';
}

const PARTS_OF_ENDS = ['output', 'error', 'remaining', 'would', 'inDoubt'] as const;

/** A value in its JSON form, without keys that are undefined. */
function plain(value: Json | undefined): Json {
  return JSON.parse(JSON.stringify(value ?? null)) as Json;
}

function checkRestorePoint({ state }: Past, { state: saved }: Payloads['Snapshot']): Checked {
  if (!isRunState(saved)) return undefined;
  if (equal(encodeState(state), saved)) return 'decision';
  return { cause: 'data', message: 'the restore point differs from the entries before it' };
}

function equal(a: Json, b: Json): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
