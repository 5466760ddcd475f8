import type { Policy } from '@alas-jssp/workflow';
import type { State } from './scope.js';

/** The engine's error for our code `Timeout`. */
export const TIMEOUT = 'States.Timeout';

/**
 * Codes as the engine names them.
 *
 * @param timeout our code of the engine's own timeout
 */
export function errorNames(codes: readonly string[], timeout = 'Timeout'): string[] {
  if (codes.includes('*')) return ['States.ALL'];
  // No handler fails with the name that matches all, and the engine requires it to be alone.
  const own = codes.filter((code) => code !== 'States.ALL');
  return own.flatMap((code) => (code === timeout ? [code, TIMEOUT] : [code]));
}

/** The largest number of seconds or attempts that the engine accepts. */
export const MOST_WHOLE = 99_999_999;

/** The largest `MaxDelaySeconds` that the engine accepts: less than 366 days. */
const MOST_DELAY = 31_622_399;

/** Seconds as the engine accepts them: whole ones, and at least one. */
export function wholeSeconds(seconds: number): number {
  return Math.min(MOST_WHOLE, Math.max(1, Math.ceil(seconds)));
}

/**
 * `Retry` of a state: attempts, and the waits between them. It waits at least a second; the
 * engine's jitter is between zero and the whole wait.
 */
export function retryFields({ retry, backoff }: Pick<Policy, 'retry' | 'backoff'>): State {
  if (retry === undefined || retry.maxAttempts === 1) return {};
  const { mode = 'fixed', base = 0, cap, jitter = 0 } = backoff ?? {};
  const isCapped = mode === 'exponential' && cap !== undefined;
  const names = errorNames(retry.retryOn);
  if (names.length === 0) return {};
  const rule = {
    ErrorEquals: names,
    IntervalSeconds: wholeSeconds(
      mode === 'fixed' && cap !== undefined ? Math.min(base, cap) : base,
    ),
    BackoffRate: mode === 'fixed' ? 1 : 2,
    MaxAttempts: Math.min(MOST_WHOLE, retry.maxAttempts - 1),
    ...(isCapped
      ? {
          MaxDelaySeconds: Math.min(
            MOST_DELAY,
            Math.max(wholeSeconds(cap), wholeSeconds(base) + 1),
          ),
        }
      : {}),
    ...(jitter > 0 ? { JitterStrategy: 'FULL' } : {}),
  };
  return { Retry: [rule] };
}

/** `TimeoutSeconds` of a state. */
export function timeoutFields(seconds: number | undefined): State {
  return seconds === undefined ? {} : { TimeoutSeconds: wholeSeconds(seconds) };
}
