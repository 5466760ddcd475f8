import type { GuardServer } from '../servers/server.js';

/** Changes that were sent to a server and are not over: one whose time has passed may still act. */
const unanswered = new WeakMap<GuardServer, Set<Promise<unknown>>>();

/** Remembers a change until it is over. */
export function trackChange<T>(server: GuardServer, change: Promise<T>): Promise<T> {
  const open = unanswered.get(server) ?? new Set();
  unanswered.set(server, open.add(change));
  const forget = () => open.delete(change);
  change.then(forget, forget);
  return change;
}

/**
 * Ends a server with a change that has had no answer in its time, and waits until it is known what that
 * change has done: it must not act after a later one. Does nothing for servers that cannot be ended.
 */
export async function endUnanswered(server: GuardServer, mayEnd: boolean): Promise<void> {
  const open = [...(unanswered.get(server) ?? [])];
  if (open.length === 0 || !mayEnd || server.stopActing === undefined) return;
  await server.stopActing();
  await Promise.allSettled(open);
}
