import type { EffectSummary, Failure } from './entries.js';
import { type Effect, effectOf, isInDoubt, nodeOf, type RunState } from './state.js';

/** An attempt succeeded: other attempts at the same effect had the same key. */
export function confirm(effect: Effect, attempt: number, ts: string): void {
  effect.confirmed = true;
  effect.uncertain = false;
  // A person may have settled the effect while the attempt was running.
  if (effect.status === 'absent') effect.status = 'held';
  close(effect, attempt);
  awaitOthers(effect, ts);
}

/** An attempt failed: with an answer of the handler, or without. */
export function concludeAttempt(effect: Effect, attempt: number, error: Failure, ts: string): void {
  if (error.acted) confirm(effect, attempt, ts);
  else if (!isUnanswered(effect, error)) close(effect, attempt);
  awaitOthers(effect, ts);
}

/** Attempts that are still open become overdue until another attempt begins. */
function awaitOthers(effect: Effect, ts: string): void {
  if (effect.open.length > 0) effect.overdueSince ??= Date.parse(ts);
}

function close(effect: Effect, attempt: number): void {
  effect.open = effect.open.filter((one) => one !== attempt);
  effect.foreignAttempts = effect.foreignAttempts.filter((one) => one !== attempt);
}

/** Whether the attempt may still answer: it was stopped from outside, or its code says so. */
function isUnanswered({ nodeId }: Effect, error: Failure): boolean {
  if (error.unanswered !== undefined) return error.unanswered;
  return error.nodeId !== nodeId || ['Timeout', 'Cancelled', 'Interrupted'].includes(error.code);
}

export function applyLateAnswer(
  state: RunState,
  nodeId: string,
  attempt: number,
  late: Partial<Pick<Effect, 'output' | 'externalRef'>> | undefined,
): void {
  const effect = effectOf(state, nodeId);
  const { status } = effect;
  close(effect, attempt);
  if (late !== undefined && nodeOf(state, nodeId).status !== 'done') {
    effect.output = late.output ?? null;
    effect.externalRef = late.externalRef;
    markPresent(effect);
  } else if (status === 'undone') {
    // A failed handler does not report whether it failed before or after its effect.
    markLateSuccess(effect);
  } else if (late === undefined && status === 'held' && !effect.confirmed) {
    effect.uncertain = true;
  }
  if (status === 'undoing') effect.racedUndo = true;
  reopenRun(state, effect);
}

/** The effect exists, perhaps although it was undone. */
export function markPresent(effect: Effect): void {
  effect.confirmed = true;
  effect.uncertain = false;
  if (effect.status === 'undone' || effect.status === 'absent') markLateSuccess(effect);
}

/** The effect may exist although it was undone: it must be undone again. */
export function markLateSuccess(effect: Effect): void {
  effect.lateSuccess = true;
  effect.status = 'held';
  effect.compensations = 0;
  effect.compensateAt = undefined;
}

/** An end that depended on a doubt, on the absence of an effect, or on its existence, is no longer valid. */
export function reopenRun(state: RunState, effect: Effect): void {
  const isNamed = ({ nodeId }: EffectSummary) => nodeId === effect.nodeId;
  const { inDoubt = [], remaining = [] } = state.end ?? {};
  const isSettled = inDoubt.some(isNamed) && !isInDoubt(effect);
  const isGone = effect.status === 'absent' && remaining.some(isNamed);
  const isBack = effect.lateSuccess && effect.status === 'held';
  if (isSettled || isGone || isBack) state.end = undefined;
}

export function undoAgain(effect: Effect): void {
  if (effect.status !== 'failed') return;
  effect.status = 'held';
  effect.compensations = 0;
}

/** A node starts again; its effect was undone. */
export function resetNode(state: RunState, path: string): void {
  const node = state.nodes.get(path);
  state.nodes.delete(path);
  if (node?.key !== undefined && state.keys.get(node.key)?.nodeId === path) {
    state.keys.delete(node.key);
  }
  state.resets.set(path, (state.resets.get(path) ?? 0) + 1);
  state.effects.delete(path);
  for (const effect of state.effects.values()) {
    if (effect.users?.includes(path)) effect.users = effect.users.filter((user) => user !== path);
  }
}

export function consumeSignal(state: RunState, message: number): void {
  for (const [name, queue] of state.signals) {
    const rest = queue.filter((one) => one.message !== message);
    if (rest.length < queue.length) state.signals.set(name, rest);
  }
}
