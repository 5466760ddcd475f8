import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import { isRetryable } from './errors.js';

/** The first wait in seconds; it doubles with each attempt. */
const FIRST_WAIT = 0.5;
const LONGEST_WAIT = 60;
/** The share of a wait that is random. */
const JITTER = 0.5;

/**
 * The wait in seconds before a failed request is sent again; null if it is not. This is the only place that decides
 * about retries. The ledger additionally holds back all requests to a provider for as long as the provider asks.
 *
 * @param key of the request, which seeds the random part of the wait
 * @param attempt the number of the failed attempt, from 1
 * @param attempts maximum number of attempts
 */
export function waitBeforeRetry(
  error: unknown,
  key: string,
  attempt: number,
  attempts: number,
): number | null {
  if (attempt >= attempts || !isRetryable(error)) return null;
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1));
  const random = createRandom(deriveSeed('retry', key, attempt));
  return wait * (1 - JITTER * random.next());
}
