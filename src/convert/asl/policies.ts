import type { Policy } from '../../workflow/ir/workflow.js';
import type { State } from './scope.js';

/** The error of the engine that our code `Timeout` stands for. */
export const TIMEOUT = 'States.Timeout';

/**
 * Codes as the engine has them.
 *
 * @param timeout our code of what the engine calls its own timeout
 */
export function errorNames(codes: readonly string[], timeout = 'Timeout'): string[] {
  if (codes.includes('*')) return ['States.ALL'];
  return codes.flatMap((code) => (code === timeout ? [code, TIMEOUT] : [code]));
}

/** Seconds as the engine takes them: whole ones, and at least one. */
export function wholeSeconds(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}

/**
 * `Retry` of a state: attempts, and the waits between them. It waits at least a second; jitter is its own,
 * which draws from none of the wait to all of it.
 */
export function retryFields({ retry, backoff }: Pick<Policy, 'retry' | 'backoff'>): State {
  if (retry === undefined || retry.maxAttempts === 1) return {};
  const { mode = 'fixed', base = 0, cap, jitter = 0 } = backoff ?? {};
  const isCapped = mode === 'exponential' && cap !== undefined;
  const rule = {
    ErrorEquals: errorNames(retry.retryOn),
    IntervalSeconds: wholeSeconds(
      mode === 'fixed' && cap !== undefined ? Math.min(base, cap) : base,
    ),
    BackoffRate: mode === 'fixed' ? 1 : 2,
    MaxAttempts: retry.maxAttempts - 1,
    ...(isCapped ? { MaxDelaySeconds: Math.max(wholeSeconds(cap), wholeSeconds(base) + 1) } : {}),
    ...(jitter > 0 ? { JitterStrategy: 'FULL' } : {}),
  };
  return { Retry: [rule] };
}

/** `TimeoutSeconds` of a state. */
export function timeoutFields(seconds: number | undefined): State {
  return seconds === undefined ? {} : { TimeoutSeconds: wholeSeconds(seconds) };
}
