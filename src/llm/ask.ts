import { type Clock, systemClock } from '@alas-jssp/core/clock';
import { errorLine } from '@alas-jssp/core/errors';
import type { Account } from './account.js';
import { type Admission, openLedger, type Settle } from './admission/ledger.js';
import type { RequestOutcome } from './admission/pace.js';
import { brokenOff } from './admission/spending.js';
import type { AnswerStore } from './answer-store.js';
import type { Answer, Ask, LlmClient, LlmRequest } from './client.js';
import { isRetryable, LlmError } from './errors.js';
import { ATTEMPTS } from './planner-spec.js';
import { PRICES, type Prices } from './price-table.js';
import { insistOnPrice, priceOf, priceTokens } from './prices.js';
import { estimateInput, requestKey } from './request-key.js';
import { waitBeforeRetry } from './retry.js';
import { unlessAborted } from './unless-aborted.js';
import { totalTokens, type Usage, usageOf } from './usage.js';

// This file assembles the path of a request:
// 1. `createAsk` runs where the answer is used: it opens an entry in the account, logs the request, retries, and books
//   and logs the answer before it returns it. Each attempt is one call of
// 2. `createAttempt`, which runs where the keys are: it looks into the store, waits for the reservation of the ledger,
//   calls the client of the provider, stores the answer, and settles the reservation. Threads of a run call 2 over a
//   port.

/** A wait before a request is retried. */
export interface AskWait {
  /** In words, such as `RateLimited: …`. */
  readonly reason: string;
  readonly seconds: number;
}

/** Settings of requests. */
export interface AskOptions {
  /** Maximum number of attempts at a request. Default {@link ATTEMPTS}. */
  readonly attempts?: number | undefined;
  /** Books the answers, and the attempts at them. */
  readonly account?: Account | undefined;
  /** Logs every request, and the answer or the error of each attempt before it is used. Default: no log. */
  readonly log?: ((event: 'Request' | 'Response', payload: LoggedAttempt) => void) | undefined;
  /** Receives every wait between two attempts. */
  readonly onWait?: ((wait: AskWait) => void) | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
}

/** The payload of an entry in the log, as JSON. */
interface LoggedAttempt {
  /** The number of the request in its step, from 1. */
  readonly request: number;
  readonly [key: string]: unknown;
}

/**
 * Makes the function that sends requests, each with up to `attempts` attempts.
 *
 * @param attempt makes one attempt, see {@link createAttempt}, and itself waits for as long as a provider demands
 * @returns an {@link Ask} that rejects with the error of the last attempt, or with the reason of the signal
 */
export function createAsk(attempt: Ask, options: AskOptions = {}): Ask {
  const { attempts = ATTEMPTS, account, log, onWait, clock = systemClock } = options;
  return async (request, context) => {
    const { replicate, signal } = context;
    signal?.throwIfAborted();
    const key = requestKey(request, replicate);
    const entry = account?.open(key);
    const about = { request: entry?.number ?? 1 };
    log?.('Request', { ...about, key, replicate, ...loggedRequest(request) });
    for (let number = 1; ; number++) {
      try {
        const answer = await unlessAborted(attempt(request, context), signal);
        entry?.answer(answer);
        log?.('Response', { ...about, attempt: number, answer });
        return answer;
      } catch (error) {
        signal?.throwIfAborted();
        entry?.fail(error);
        const seconds = waitBeforeRetry(error, key, number, attempts);
        const { code } = (error ?? {}) as { code?: unknown };
        const failed = {
          code: typeof code === 'string' ? code : 'Error',
          message: errorLine(error),
        };
        log?.('Response', { ...about, attempt: number, error: failed, retryAfter: seconds });
        if (seconds === null) throw error;
        onWait?.({ reason: `${failed.code}: ${failed.message}`, seconds });
        await clock.sleep(1000 * seconds, signal);
      }
    }
  };
}

/** A request in its logged form, without settings that use the provider's default. */
function loggedRequest({ shape, ...request }: LlmRequest) {
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), shape: shape?.name ?? null };
}

/** The components between an attempt and a provider. */
export interface AttemptOptions {
  /** Null to answer only from the store. */
  readonly client: LlmClient | null;
  /** Stored answers are reused; new ones are added. */
  readonly store?: AnswerStore | undefined;
  readonly prices?: Prices | undefined;
  /** Shared by all callers of a provider, see `Ledger.admissionOf`. Default: a ledger without limits of its own. */
  readonly admission?: Admission | undefined;
}

/** A request in progress. */
interface Question {
  readonly request: LlmRequest;
  readonly replicate: number;
  readonly signal?: AbortSignal | undefined;
}

interface Means {
  readonly client: LlmClient | null;
  readonly store: AnswerStore | undefined;
  readonly prices: Prices;
  readonly admission: Admission;
}

/**
 * Makes the function that sends a request to a model through store, ledger and client: one attempt per call. If there
 * is a store, a request waits for the answer of an equal request of the same replicate that is in flight.
 *
 * The function throws as {@link Ask} and {@link LlmClient} do, LlmError `MissingAnswer` if there is neither client nor
 * stored answer, and InputError `no_price` if the budget has dollars and the model no price.
 */
export function createAttempt(options: AttemptOptions): Ask {
  const { client, store, prices = PRICES, admission = openLedger().admissionOf('') } = options;
  const means = { client, store, prices, admission };
  if (store === undefined) return (request, asked) => askProvider({ request, ...asked }, means);
  const inFlight = new Map<string, Promise<unknown>>();

  return async (request, { replicate, signal }) => {
    const key = requestKey(request, replicate);
    for (;;) {
      signal?.throwIfAborted();
      const stored = await store.find(request, replicate);
      if (stored !== null) return stored;
      const other = inFlight.get(key);
      if (other === undefined) break;
      await unlessAborted(other, signal);
    }
    if (client === null) throw store.missing(request, replicate);
    const asking = askProvider({ request, replicate, signal }, means);
    const done = asking.catch(() => {}).then(() => inFlight.delete(key));
    inFlight.set(key, done);
    return asking;
  };
}

/** Sends the request once it is admitted, and stores the answer. */
async function askProvider(question: Question, means: Means): Promise<Answer> {
  const { client, store, prices, admission } = means;
  const { request, replicate, signal } = question;
  if (client === null) throw new LlmError('MissingAnswer', 'there is neither client nor store');
  if ((admission.limits.usd ?? null) !== null) insistOnPrice(request.model, prices);
  const tokens = { input: estimateInput(request), output: 0, estimated: true };
  const usd = priceTokens(tokens, priceOf(request.model, prices));
  const least: Usage = { answers: 1, tokens, usd, seconds: 0 };
  const settle = await admission.reserve(least, { key: requestKey(request, replicate), signal });
  const stored = await findAgain(question, store, settle);
  return stored ?? complete(client, question, means, least, settle);
}

/** Looks again, because another process that shares the store may have sent the same request in the meantime. */
async function findAgain(
  { request, replicate }: Question,
  store: AnswerStore | undefined,
  settle: Settle,
): Promise<Answer | null> {
  if (!store?.shared) return null;
  let stored: Answer | null = null;
  let isFree = false;
  try {
    stored = await store.find(request, replicate);
    isFree = stored === null;
  } finally {
    if (!isFree) await settle({ kind: 'not sent' }, null);
  }
  return stored;
}

/** Makes the attempt, and reports its usage once the answer is stored. */
async function complete(
  client: LlmClient,
  { request, replicate, signal }: Question,
  { store, prices, admission }: Means,
  least: Usage,
  settle: Settle,
): Promise<Answer> {
  let answer: Answer;
  const budget = untilOver(admission, least, signal);
  try {
    const given = await client.complete(request, { signal: budget.signal });
    answer = { ...given, usd: priceTokens(given.tokens, priceOf(request.model, prices)) };
  } catch (error) {
    const isBrokenOff = error instanceof LlmError && error.code === 'BudgetSpent';
    await settle(outcomeOf(error), isBrokenOff || mayBeCharged(error) ? least : null);
    throw error;
  } finally {
    budget.end();
  }
  const usage = usageOf(answer);
  try {
    await store?.keep(request, replicate, answer);
  } finally {
    await settle({ kind: 'answered', tokens: totalTokens(usage) }, usage);
  }
  return answer;
}

/** Maximum delay of timers in Node, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A signal that is aborted with that of a request, and at its budget's deadline. */
function untilOver(
  { limits, secondsLeft }: Admission,
  least: Usage,
  signal: AbortSignal | undefined,
): { readonly signal: AbortSignal | undefined; end(): void } {
  const left = secondsLeft();
  if (left === null || left * 1000 > LONGEST_TIMER) return { signal, end: () => {} };
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(brokenOff(limits, least)), left * 1000);
  const both = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
  return { signal: both, end: () => clearTimeout(timer) };
}

/** Providers charge for tokens even if the answer is unreadable. */
function mayBeCharged(error: unknown): boolean {
  return isRetryable(error) && (error.code === 'Timeout' || error.code === 'BadResponse');
}

function outcomeOf(error: unknown): RequestOutcome {
  if (!(error instanceof LlmError)) return { kind: 'failed' };
  const { code, retryAfterSeconds } = error;
  if (code === 'RateLimited') return { kind: 'rate limited', retryAfterSeconds };
  if (code === 'ServerError') return { kind: 'server error', retryAfterSeconds };
  return { kind: 'failed' };
}
