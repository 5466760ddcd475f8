import type { Run } from './context.js';
import type { Within } from './saga.js';

/** How long a handler that was told to stop may take to say what became of its effect. */
const GRACE_SECONDS = 10;

/** Waits for a while for handlers that are still at work: their effects may be about to come. */
export async function awaitLate({ late, clock }: Run, within: Within): Promise<void> {
  const awaited = [...late].filter(({ path }) => within(path));
  if (awaited.length === 0) return;
  const grace = new AbortController();
  const given = clock.sleep(GRACE_SECONDS * 1000, grace.signal).catch(() => {});
  await Promise.race([Promise.all(awaited.map(({ settled }) => settled)), given]);
  grace.abort();
  // Those that took longer are not waited for again.
  for (const one of awaited) late.delete(one);
}
