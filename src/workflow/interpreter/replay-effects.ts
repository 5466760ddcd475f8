import { canonicalJson } from '../../core/canonical-json.js';
import type { Json } from '../log/entry.js';
import type { Payloads } from './entries.js';
import { inputOf } from './references.js';
import type { Checked, Place } from './replay-place.js';

/** Milliseconds by which the deadline of an effect may differ from the time of its entry. */
const DEADLINE_SLACK = 60_000;

const fault = (message: string): Checked => ({ cause: 'data', message });

/** Compares what was registered to undo an effect with what the workflow says of its step. */
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
    const isFar = Math.abs(due - Number(logged.deadline)) > DEADLINE_SLACK;
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
  const { compensations, status, revived } = effect;
  const attempt = Math.max(1, compensations + (status === 'undoing' ? 0 : 1));
  const made = { attempt, compensator: effect.compensator ?? '', key: effect.key };
  for (const part of ['attempt', 'compensator', 'key'] as const) {
    if (made[part] !== logged[part]) return fault(`its ${part} is another one`);
  }
  if (state.stop !== undefined || revived) return undefined;
  for (const { failing } of state.nodes.values()) if (failing !== undefined) return undefined;
  return fault('it was undone though nothing had failed');
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson((a ?? null) as Json) === canonicalJson((b ?? null) as Json);
}
