import { createRandom } from '../../core/random.js';
import { deriveSeed } from '../../core/seed.js';
import type { Policy } from '../ir/workflow.js';

type Backoff = NonNullable<Policy['backoff']>;
type Retry = NonNullable<Policy['retry']>;

/**
 * The wait after a failed attempt, in seconds: the base, or doubled with each attempt up to the cap;
 * the share `jitter` of it is drawn at random, by run, node and attempt.
 *
 * @param attempt the one that failed, from 1
 */
export function waitAfter(
  backoff: Backoff | undefined,
  runId: string,
  nodeId: string,
  attempt: number,
): number {
  if (backoff === undefined) return 0;
  const { mode, base, cap = Number.POSITIVE_INFINITY, jitter } = backoff;
  const wait = Math.min(cap, mode === 'fixed' ? base : base * 2 ** (attempt - 1));
  if (jitter === 0) return wait;
  const random = createRandom(deriveSeed('backoff', runId, nodeId, attempt));
  return wait * (1 - jitter * random.next());
}

/** Tells whether a failure is worth another attempt. */
export function mayRetry(retry: Retry | undefined, code: string, attempt: number): boolean {
  if (retry === undefined || attempt >= retry.maxAttempts) return false;
  return matchesCode(retry.retryOn, code);
}

/** Tells whether a list of error codes speaks of a code; `*` speaks of all. */
export function matchesCode(codes: readonly string[], code: string): boolean {
  return codes.includes('*') || codes.includes(code);
}
