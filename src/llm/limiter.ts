import { type Clock, systemClock } from '../core/clock.js';
import { unlessAborted } from './unless-aborted.js';

/** Limits of how fast a provider may be asked. */
export interface LimiterOptions {
  /** Requests under way at once, at most. Default: 4. */
  readonly concurrency?: number | undefined;
  /** Requests sent in any 60 seconds, at most. Default, and null: no limit. */
  readonly requestsPerMinute?: number | null | undefined;
  /** Input and output tokens of the requests of any 60 seconds, at most. Default, and null: no limit. */
  readonly tokensPerMinute?: number | null | undefined;
  readonly clock?: Clock | undefined;
  /** Told of every wait before it begins; not of waiting for one's place among the concurrent. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

/** A pause in which nothing is sent, and why. */
export interface Wait {
  readonly reason: 'rate limited' | 'server error' | 'requests per minute' | 'tokens per minute';
  readonly seconds: number;
}

/** The end of a request, as far as it says how fast to go on. */
export type RequestOutcome =
  | { readonly kind: 'answered'; readonly tokens: number }
  | { readonly kind: 'rate limited'; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'server error'; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'failed' }
  | { readonly kind: 'not sent' };

/** Lets requests to one provider through, first come, first served. */
export interface Limiter {
  /**
   * Waits until a request may be sent.
   *
   * @param tokens what the request will take, estimated
   * @param beforeWait may throw if there is no use in waiting that many seconds
   * @returns to be called once, with what became of it
   * @throws the reason of the signal; what `beforeWait` throws
   */
  enter(
    tokens: number,
    options: {
      readonly signal?: AbortSignal | undefined;
      readonly beforeWait?: ((seconds: number) => void) | undefined;
    },
  ): Promise<(outcome: RequestOutcome) => void>;
}

/** Requests to one provider at once, at most, where nothing is said. */
export const CONCURRENCY = 4;

const MINUTE = 60_000;
/** Without word from the provider: the first pause in seconds, doubled from setback to setback. */
const FIRST_PAUSE = 1;
const LONGEST_PAUSE = 60;
/** The longest pause that a provider may ask for, in seconds. */
const LONGEST_WANTED_PAUSE = 3600;

interface Sent {
  readonly at: number;
  tokens: number;
}

/**
 * Makes a limiter. Its concurrency adapts: being rate limited halves it (once for all requests that
 * were under way), every answer raises it by a fraction, so that about as many answers as are under
 * way raise it by one (additive increase, multiplicative decrease: Chiu and Jain 1989,
 * doi:10.1016/0169-7552(89)90019-6). Server errors leave it as it is. After either nothing is sent for
 * as long as the provider asks, or else for a second, two, four, up to a minute, until an answer comes.
 */
export function createLimiter(options: LimiterOptions = {}): Limiter {
  const { concurrency = CONCURRENCY, clock = systemClock } = options;
  const requestsPerMinute = options.requestsPerMinute ?? Infinity;
  const tokensPerMinute = options.tokensPerMinute ?? Infinity;
  let width = concurrency;
  let running = 0;
  let sent: Sent[] = [];
  let pause: { readonly until: number; readonly reason: Wait['reason'] } | null = null;
  /** Setbacks without an answer in between, and how many there were ever. */
  let setbacks = 0;
  let era = 0;
  /** The line: resolved when all that came so far have gone through or given up. */
  let line: Promise<unknown> = Promise.resolve();
  let wakeFirst: () => void = () => {};

  /** The wait of the first in line for more than its place; null if it has not. */
  const waitOf = (tokens: number): Wait | null => {
    const now = clock.now();
    sent = sent.filter(({ at }) => at > now - MINUTE);
    if (pause !== null && pause.until > now) {
      return { reason: pause.reason, seconds: (pause.until - now) / 1000 };
    }
    const leaving = (count: number) => (sent[count - 1].at + MINUTE - now) / 1000;
    if (sent.length >= requestsPerMinute) {
      const seconds = leaving(sent.length - requestsPerMinute + 1);
      return { reason: 'requests per minute', seconds };
    }
    let total = sent.reduce((sum, one) => sum + one.tokens, tokens);
    let count = 0;
    while (total > tokensPerMinute && count < sent.length) total -= sent[count++].tokens;
    return count === 0 ? null : { reason: 'tokens per minute', seconds: leaving(count) };
  };

  const waitForTurn: Limiter['enter'] = async (tokens, { signal, beforeWait }) => {
    for (;;) {
      signal?.throwIfAborted();
      if (running >= Math.max(1, Math.floor(width))) {
        const left = new Promise<void>((resolve) => {
          wakeFirst = resolve;
        });
        await unlessAborted(left, signal);
        continue;
      }
      const wait = waitOf(tokens);
      if (wait === null) return begin(tokens);
      beforeWait?.(wait.seconds);
      options.onWait?.(wait);
      await clock.sleep(Math.ceil(wait.seconds * 1000), signal);
    }
  };

  const begin = (tokens: number): ((outcome: RequestOutcome) => void) => {
    const request = { at: clock.now(), tokens };
    const begun = era;
    sent.push(request);
    running++;
    return (outcome) => {
      running--;
      if (outcome.kind === 'not sent') sent = sent.filter((one) => one !== request);
      if (outcome.kind === 'answered') {
        request.tokens = outcome.tokens;
        width = Math.min(concurrency, width + 1 / width);
        if (begun === era) setbacks = 0;
      }
      if (outcome.kind === 'rate limited' || outcome.kind === 'server error') {
        setBack(outcome.kind, outcome.retryAfterSeconds, begun === era);
      }
      wakeFirst();
    };
  };

  /** Requests that were under way together fail together: only the first of them counts. */
  const setBack = (reason: Wait['reason'], wanted: number | null, first: boolean): void => {
    if (first) {
      era++;
      if (reason === 'rate limited') width = Math.max(1, width / 2);
    } else if (wanted === null) return;
    const usual = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** setbacks);
    if (first) setbacks++;
    const seconds = Math.min(LONGEST_WANTED_PAUSE, wanted ?? usual);
    const until = clock.now() + seconds * 1000;
    if (pause === null || until > pause.until) pause = { until, reason };
  };

  return {
    enter(tokens, entering) {
      const before = line;
      const turn = unlessAborted(before, entering.signal).then(() => waitForTurn(tokens, entering));
      line = before.then(() => turn).catch(() => {});
      return turn;
    },
  };
}
