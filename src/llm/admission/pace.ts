/** Limits of the request rate of a provider. */
export interface PaceLimits {
  /** Maximum number of requests in flight. Default: 4. */
  readonly concurrency?: number | undefined;
  /** Maximum number of requests sent in any 60 seconds. Default, and null: no limit. */
  readonly requestsPerMinute?: number | null | undefined;
  /** Maximum number of input and output tokens of the requests in any 60 seconds. Default, and null: no limit. */
  readonly tokensPerMinute?: number | null | undefined;
}

/** A pause without requests, and its reason. */
export interface Wait {
  readonly reason: 'rate limited' | 'server error' | 'requests per minute' | 'tokens per minute';
  readonly seconds: number;
}

/** The end of a request, as far as it affects the pace. */
export type RequestOutcome =
  | { readonly kind: 'answered'; readonly tokens: number }
  | { readonly kind: 'rate limited'; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'server error'; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'failed' }
  | { readonly kind: 'not sent' };

/** Default maximum number of concurrent requests to one provider. */
export const CONCURRENCY = 4;

/** A request that counts towards the per-minute limits. */
interface Sent {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  tokens: number;
}

/** A request in flight. */
export interface Sending {
  readonly id: number;
  /** Number of setbacks before it was sent. */
  readonly era: number;
}

/** The pace of requests to a provider, as plain JSON, so that another process can resume it. */
export interface Pace {
  /** Maximum number of requests in flight, adapted to the outcomes of earlier ones; a fraction. */
  width: number;
  running: number;
  sent: Sent[];
  /** The last id assigned to a request. */
  last: number;
  pause: { readonly until: number; readonly reason: Wait['reason'] } | null;
  /** Setbacks since the last answer, and in total. */
  setbacks: number;
  era: number;
}

const MINUTE = 60_000;
/** The first pause in seconds if the provider states none; it doubles with each setback. */
const FIRST_PAUSE = 1;
const LONGEST_PAUSE = 60;
/** The longest pause that a provider may request, in seconds. */
const LONGEST_WANTED_PAUSE = 3600;

/** The pace of a provider before its first request. */
export function newPace({ concurrency = CONCURRENCY }: PaceLimits = {}): Pace {
  return { width: concurrency, running: 0, sent: [], last: 0, pause: null, setbacks: 0, era: 0 };
}

/** Whether one more request may be in flight. */
export function hasPlace({ running, width }: Pace): boolean {
  return running < Math.max(1, Math.floor(width));
}

/**
 * The wait of the next request for the rate limits; null if it may be sent.
 *
 * @param tokens its estimated usage
 * @param now milliseconds since 1970
 */
export function waitAtPace(
  pace: Pace,
  limits: PaceLimits,
  tokens: number,
  now: number,
): Wait | null {
  const requestsPerMinute = limits.requestsPerMinute ?? Infinity;
  const tokensPerMinute = limits.tokensPerMinute ?? Infinity;
  pace.sent = pace.sent.filter(({ at }) => at > now - MINUTE);
  const { sent, pause } = pace;
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
}

/** Books a request that is sent now. */
export function beginSending(pace: Pace, tokens: number, now: number): Sending {
  const id = ++pace.last;
  pace.sent.push({ id, at: now, tokens });
  pace.running++;
  return { id, era: pace.era };
}

/**
 * Books the end of a request. A rate limit halves the maximum number of requests in flight (once for all of them);
 * every answer raises it by a fraction, so that one round of the requests in flight raises it by about one (additive
 * increase, multiplicative decrease: Chiu and Jain 1989, doi:10.1016/0169-7552(89)90019-6). Server errors do not change
 * it. After a rate limit or a server error, no request is sent for as long as the provider demands, or else for one
 * second, doubled with each failure up to a minute, until an answer arrives.
 */
export function endSending(
  pace: Pace,
  { concurrency = CONCURRENCY }: PaceLimits,
  { id, era }: Sending,
  outcome: RequestOutcome,
  now: number,
): void {
  pace.running--;
  if (outcome.kind === 'not sent') pace.sent = pace.sent.filter((one) => one.id !== id);
  if (outcome.kind === 'answered') {
    const request = pace.sent.find((one) => one.id === id);
    if (request !== undefined) request.tokens = outcome.tokens;
    pace.width = Math.min(concurrency, pace.width + 1 / pace.width);
    if (era === pace.era) pace.setbacks = 0;
  }
  if (outcome.kind === 'rate limited' || outcome.kind === 'server error') {
    setBack(pace, outcome.kind, outcome.retryAfterSeconds, era === pace.era, now);
  }
}

/** Requests in flight at the same time fail together; only the first counts. */
function setBack(
  pace: Pace,
  reason: Wait['reason'],
  wanted: number | null,
  first: boolean,
  now: number,
): void {
  if (first) {
    pace.era++;
    if (reason === 'rate limited') pace.width = Math.max(1, pace.width / 2);
  } else if (wanted === null) return;
  const usual = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** pace.setbacks);
  if (first) pace.setbacks++;
  const until = now + Math.min(LONGEST_WANTED_PAUSE, wanted ?? usual) * 1000;
  if (pace.pause === null || until > pace.pause.until) pace.pause = { until, reason };
}
