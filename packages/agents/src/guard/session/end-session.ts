import type { Clock } from '@alas-jssp/core/clock';
import type { TrackedServer } from '../servers/tracked-server.js';
import type { GuardWorld } from './guarded-call.js';
import type { GuardSession } from './session.js';
import { endUnanswered } from './unanswered-calls.js';

/**
 * Takes a session back. Calls in progress are awaited as long as the policy says; then the processes
 * of their servers are ended, so that nothing acts after it was looked for.
 */
export async function endSession(
  { policy }: GuardWorld,
  servers: readonly TrackedServer[],
  session: GuardSession,
  clock: Clock,
  reason: string,
  by: string,
): Promise<void> {
  const busy = servers.filter(({ pending }) => pending > 0);
  if (busy.length > 0) {
    const over = new AbortController();
    const late = clock.sleep(policy.lateAnswerSeconds * 1000, over.signal).catch(() => {});
    await Promise.race([Promise.all(busy.map((server) => server.idle())), late]);
    over.abort('called off');
  }
  for (const server of busy) {
    const mayEnd = policy.servers[server.spec.name]?.restart !== false;
    if (server.pending === 0 || server.stopActing === undefined || !mayEnd) continue;
    await server.stopActing();
    // Also what is found out about a change after its call: it decides what is taken back.
    await endUnanswered(server, mayEnd);
    await server.idle();
  }
  session.cancel(reason, by);
  await session.ended.catch(() => {});
}
