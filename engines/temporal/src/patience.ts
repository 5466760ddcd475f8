import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';

/** Codes of gRPC that say that the server is away, or has no time: what was asked may be asked again. */
const AWAY: ReadonlySet<unknown> = new Set([
  2, // unknown
  4, // deadline exceeded
  8, // resource exhausted
  10, // aborted
  13, // internal
  14, // unavailable
]);

/** Longest pause before the server is asked again, in milliseconds. */
const LONGEST = 5_000;

/**
 * Asks the server, and asks again as long as it is away.
 *
 * @param signal ends it
 */
export async function patiently<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let pause = 100; ; pause = Math.min(2 * pause, LONGEST)) {
    signal?.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isServerAway(error)) throw error;
    }
    await sleep(pause, undefined, { signal });
  }
}

/** Whether an error of a call says that the server is away. */
export function isServerAway(error: unknown): boolean {
  return saysCode(error, (code) => AWAY.has(code));
}

/** Whether an error says that there is no such workflow on the server. */
export function isNotFound(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError || saysCode(error, (code) => code === 5);
}

/**
 * Whether an error says that a workflow takes no messages now: its last tasks were lost with their workers, or it
 * goes on in a new history just then.
 */
export function isRefusedForNow(error: unknown): boolean {
  return saysCode(error, (code) => code === 9);
}

/** Whether an error says that the server broke a call off: it does so at times when a deadline is past. */
export function isBrokenOff(error: unknown): boolean {
  return saysCode(error, (code) => code === 1);
}

/** Whether an error says that the server is starting: it refuses every request until it is healthy. */
export function isStarting(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message.includes('not healthy yet') || isStarting(error.cause);
}

/** Whether an error, or what caused it, has a code of gRPC for which this holds. */
function saysCode(error: unknown, holds: (code: unknown) => boolean): boolean {
  if (!(error instanceof Error)) return false;
  return holds((error as { code?: unknown }).code) || saysCode(error.cause, holds);
}
