import type { Answer } from './client.js';
import type { LlmError, LlmErrorCode } from './errors.js';
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

/** The usage of one or more requests, with their keys and counts. */
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

/** Books the requests of one step, or of one task: their answers, and the attempts at them. */
export interface Account {
  /**
   * Opens the entry of a request.
   *
   * @param key see `requestKey`
   */
  open(key: string): AccountEntry;
  /** The sum of all entries so far. */
  read(): Booking;
}

/** The entry of one request. */
interface AccountEntry {
  /** The number of the request in its account, from 1. */
  readonly number: number;
  /** Books a failed attempt, unless nothing was sent. */
  fail(error: unknown): void;
  /** Books the answer. */
  answer(answer: Answer): void;
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
 * Opens an account. Stored answers count with their original usage, so that a resumed run has the same records as an
 * uninterrupted one.
 */
export function createAccount(): Account {
  // In the order of the requests, because sums of fractions depend on it and answers arrive in any order.
  const booked: Booking[] = [];
  let opened = 0;
  let failures = NO_REQUESTS;
  /** The time of all answers so far, without other waits. */
  let elapsed = 0;
  return {
    open(key) {
      const number = ++opened;
      const began = elapsed;
      return {
        number,
        fail(error) {
          const failure = FAILURES[(error as LlmError | null)?.code as LlmErrorCode];
          if (failure) failures = addRequests(failures, { sent: 1, ...failure });
        },
        answer(answer) {
          elapsed = Math.max(elapsed, began + answer.seconds);
          booked[number - 1] = bookAnswer(answer, key);
        },
      };
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
