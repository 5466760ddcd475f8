import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';

/** gRPC codes that mean that the server is unavailable or overloaded: the call may be repeated. */
const AWAY: ReadonlySet<unknown> = new Set([
  2, // unknown
  4, // deadline exceeded
  8, // resource exhausted
  10, // aborted
  13, // internal
  14, // unavailable
]);

/** Longest pause between attempts, in milliseconds. */
const LONGEST = 5_000;

/**
 * Calls the server, and retries while it is unavailable.
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

/** Whether the error of a call means that the server is unavailable. */
export function isServerAway(error: unknown): boolean {
  return saysCode(error, (code) => AWAY.has(code));
}

/** Whether an error means that there is no such workflow on the server. */
export function isNotFound(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError || saysCode(error, (code) => code === 5);
}

/**
 * Whether an error means that a workflow accepts no messages now: its last tasks were lost with
 * their workers, or it is continuing in a new history.
 */
export function isRefusedForNow(error: unknown): boolean {
  return saysCode(error, (code) => code === 9);
}

/** Whether an error means that the server interrupted a call: it sometimes does so when a deadline has passed. */
export function isBrokenOff(error: unknown): boolean {
  return saysCode(error, (code) => code === 1);
}

/**
 * Whether an error means that the server is starting: it rejects all requests until it is healthy.
 */
export function isStarting(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message.includes('not healthy yet') || isStarting(error.cause);
}

/** Whether an error, or its cause, has a gRPC code with this property. */
function saysCode(error: unknown, holds: (code: unknown) => boolean): boolean {
  if (!(error instanceof Error)) return false;
  return holds((error as { code?: unknown }).code) || saysCode(error.cause, holds);
}
