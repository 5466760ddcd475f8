import type { Json } from '@alas-jssp/workflow';
import { unpackJson } from './packed-json.js';
import type { PreparedCall } from './session/commands.js';
import { type GuardWorld, guardedCall, toolOf } from './session/guarded-call.js';
import type { GuardSession } from './session/session.js';
import type { CallRecord } from './session/session-log.js';

/** How long a look at the state may take, in milliseconds. */
const LONGEST = 30_000;

/**
 * Looks whether a call in doubt has acted, and settles it in the log if that is certain: a call that
 * may still act is only settled once its effect is there.
 */
export async function investigate(
  world: GuardWorld,
  session: Pick<GuardSession, 'runId' | 'reader' | 'settle'>,
  { nodeId }: CallRecord,
): Promise<void> {
  const effect = nodeId === undefined ? undefined : session.reader.state.effects.get(nodeId);
  if (nodeId === undefined || effect === undefined || effect.status === 'failed') return;
  const command = effect.input as unknown as PreparedCall;
  try {
    const { compensation } = toolOf(world, command);
    if (compensation === undefined) return;
    const signal = AbortSignal.timeout(LONGEST);
    const call = await guardedCall(world, command, { runId: session.runId, signal });
    const prepared: Json = await unpackJson(world.blobs, command.prepared);
    const { state } = await compensation.observe(call, prepared, undefined);
    if (state === 'done') session.settle(nodeId, true);
    if (state === 'not-done' && effect.open.length === 0) session.settle(nodeId, false);
  } catch {
    // It stays in doubt: the server may be down.
  }
}
