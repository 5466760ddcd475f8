import { canonicalJson } from '@alas-jssp/core/canonical-json';
import type { Json } from '../log/entry.js';
import type { Payloads } from './entries.js';
import { inputOf } from './references.js';
import type { Checked, Past, Place } from './replay-place.js';
import { effectsToUndo, failedEffects, isBlocked, reachOf } from './saga.js';
import type { Stop } from './state.js';

/** The tolerance for a limit that depends on the time of its entry, in milliseconds. */
export const TIME_SLACK = 60_000;

/** Types of entries by which an effect may come into existence. */
const NEWS = ['Answer', 'Settle'] as const;

const fault = (message: string): Checked => ({ cause: 'data', message });

/** Compares the registration of an effect with the workflow's policy for its step. */
export function checkRegistration(at: Place, logged: Payloads['Register']): Checked {
  const { past, scope, plan, entry } = at;
  const { node, policy } = plan;
  if (node.type !== 'task') return fault('it is no task, and has no effect');
  const { handler, triggers = [], deadlineSeconds } = policy.compensation ?? {};
  const { key } = (past.entry.get(`StartNode ${entry.nodeId}`)?.payload ?? {}) as { key?: string };
  const made = { key, effect: node.effect, compensator: handler ?? null, triggers };
  for (const part of ['key', 'effect', 'compensator', 'triggers'] as const) {
    if (!isSame(made[part], logged[part])) return fault(`its ${part} is another one`);
  }
  const isTimed = triggers.includes('deadline') && deadlineSeconds !== undefined;
  if (isTimed !== (logged.deadline !== undefined)) return fault('its deadline is another one');
  if (isTimed) {
    const due = Date.parse(entry.ts) + deadlineSeconds * 1000;
    const isFar = Math.abs(due - Number(logged.deadline)) > TIME_SLACK;
    if (isFar) return { cause: 'clock', message: 'its deadline is another one' };
  }
  const isCoded = past.registry.handlers[node.handler ?? node.id]?.input !== undefined;
  if (isCoded || past.entry.has(`HandOver ${entry.nodeId}`)) return undefined;
  const isOwn = isSame(inputOf(past, scope, plan).json(), logged.input);
  return isOwn ? undefined : fault('its input is another one');
}

/** Compares the undoing of an effect with its registration, and looks for the reason. */
export function checkUndoing(
  { past, entry: { nodeId } }: Place,
  logged: Payloads['Compensate'],
): Checked {
  const { state } = past;
  const effect = state.effects.get(nodeId);
  if (effect === undefined) return fault('its effect was not registered');
  const { compensations, status, lateSuccess } = effect;
  const attempt = Math.max(1, compensations + (status === 'undoing' ? 0 : 1));
  const made = { attempt, compensator: effect.compensator ?? '', key: effect.key };
  for (const part of ['attempt', 'compensator', 'key'] as const) {
    if (made[part] !== logged[part]) return fault(`its ${part} is another one`);
  }
  if (lateSuccess) return undefined;
  if (state.stop !== undefined) return checkOrder(past, nodeId, state.stop);
  for (const { failing } of state.nodes.values()) if (failing !== undefined) return undefined;
  return fault('it was undone though nothing had failed');
}

/**
 * Checks the order of undoing: among the effects that a run holds when it stops, the latest is
 * first.
 */
function checkOrder(past: Past, nodeId: string, { kind, error, within, backTo }: Stop): Checked {
  if (backTo !== undefined) return undefined;
  const { state, stoppedAt } = past;
  const failed = failedEffects(state);
  for (const effect of effectsToUndo(past, kind, error, reachOf(past, within))) {
    if (effect.nodeId === nodeId) return undefined;
    const { settled = Number.POSITIVE_INFINITY, lateSuccess } = effect;
    // Effects confirmed later may be undone later.
    const news = NEWS.map((type) => past.entry.get(`${type} ${effect.nodeId}`)?.version ?? -1);
    const isLate = lateSuccess || Math.max(settled, ...news) > stoppedAt;
    if (isLate || isBlocked(past, effect, failed)) continue;
    return fault(`${effect.nodeId} is a later effect and must be undone first`);
  }
  return undefined;
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson((a ?? null) as Json) === canonicalJson((b ?? null) as Json);
}
