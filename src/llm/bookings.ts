import type { Answer, Ask } from './client.js';
import type { LlmError, LlmErrorCode } from './errors.js';
import { requestKey } from './request-key.js';
import { addUsage, NO_USAGE, type Usage, usageOf } from './usage.js';

/** Counts of requests to models, by outcome. */
export interface RequestCounts {
  /** Requests that reached a provider, answered or not; a stored answer counts as an answered one. */
  readonly sent: number;
  /** Failed attempts, by reason. */
  readonly rateLimited: number;
  readonly timedOut: number;
  readonly failed: number;
  /** Answers that reached their length limit, and refusals of the model. */
  readonly cutOff: number;
  readonly refused: number;
}

/** Usage, with keys and counts of requests. */
export interface Booking extends Usage {
  /** Keys of the answers, see `requestKey`, in the order of the requests. */
  readonly keys: readonly string[];
  readonly requests: RequestCounts;
  /** Like `seconds`, but concurrent requests count once: the longest of them. */
  readonly elapsed: number;
}

const NO_REQUESTS: RequestCounts = {
  sent: 0,
  rateLimited: 0,
  timedOut: 0,
  failed: 0,
  cutOff: 0,
  refused: 0,
};

/** No request and no attempt. */
export const NO_BOOKING: Booking = { ...NO_USAGE, keys: [], requests: NO_REQUESTS, elapsed: 0 };

/** The sum of two bookings, one after the other. */
export function addBookings(a: Booking, b: Booking): Booking {
  return {
    ...addUsage(a, b),
    keys: [...a.keys, ...b.keys],
    requests: addRequests(a.requests, b.requests),
    elapsed: a.elapsed + b.elapsed,
  };
}

function addRequests(a: RequestCounts, b: Partial<RequestCounts>): RequestCounts {
  const sums = Object.entries(a).map(([key, count]) => [
    key,
    count + (b[key as keyof RequestCounts] ?? 0),
  ]);
  return Object.fromEntries(sums);
}

/** Books answers, and the attempts at them. */
export interface Ledger {
  /** Sends a request, and books its answer. */
  readonly ask: Ask;
  /** The sum of all bookings so far. */
  read(): Booking;
}

/** Error codes of failed attempts by the count they increase; requests with other codes were never sent. */
const FAILURES: Readonly<Partial<Record<LlmErrorCode, Partial<RequestCounts>>>> = {
  RateLimited: { rateLimited: 1 },
  Timeout: { timedOut: 1 },
  ServerError: { failed: 1 },
  Connection: { failed: 1 },
  BadResponse: { failed: 1 },
  Unauthorized: { failed: 1 },
  BadRequest: { failed: 1 },
  ContextTooLong: { failed: 1 },
};

/**
 * Starts a ledger. Stored answers count with their original usage, so that a resumed run has the same records as an
 * uninterrupted one.
 *
 * @param attempt makes one attempt at an answer
 * @param persist adds retries to it. Default: a single attempt
 */
export function createLedger(
  attempt: Ask,
  persist: (attempt: Ask) => Ask = (once) => once,
): Ledger {
  // In the order of the requests, because sums of fractions depend on it and answers arrive in any order.
  const booked: Booking[] = [];
  let asked = 0;
  let failures = NO_REQUESTS;
  /** The time of all answers so far, without other waits. */
  let elapsed = 0;
  const ask = persist(async (request, context) => {
    try {
      return await attempt(request, context);
    } catch (error) {
      const failure = FAILURES[(error as LlmError | null)?.code as LlmErrorCode];
      if (failure) failures = addRequests(failures, { sent: 1, ...failure });
      throw error;
    }
  });
  return {
    ask: async (request, context) => {
      const place = asked++;
      const began = elapsed;
      const answer = await ask(request, context);
      elapsed = Math.max(elapsed, began + answer.seconds);
      booked[place] = bookAnswer(answer, requestKey(request, context.replicate));
      return answer;
    },
    read: () => {
      const sum = booked.reduce(addBookings, NO_BOOKING);
      return { ...sum, requests: addRequests(sum.requests, failures), elapsed };
    },
  };
}

function bookAnswer(answer: Answer, key: string): Booking {
  const cutOff = answer.finish === 'length' ? 1 : 0;
  const refused = answer.finish === 'refusal' ? 1 : 0;
  const requests = { ...NO_REQUESTS, sent: 1, cutOff, refused };
  return { ...usageOf(answer), keys: [key], requests, elapsed: answer.seconds };
}
