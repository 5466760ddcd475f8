import { type Admission, admitBy, type Leave } from './admission/admission.js';
import type { RequestOutcome } from './admission/pace.js';
import { brokenOff } from './admission/spending.js';
import type { AnswerStore } from './answer-store.js';
import { createBudget, type ModelBudget } from './budget.js';
import type { Answer, Ask, LlmClient, LlmRequest } from './client.js';
import { isRetryable, LlmError } from './errors.js';
import { createLimiter, type Limiter } from './limiter.js';
import { PRICES, type Prices } from './price-table.js';
import { insistOnPrice, priceOf, priceTokens } from './prices.js';
import { estimateInput, requestKey } from './request-key.js';
import { unlessAborted } from './unless-aborted.js';
import { totalTokens, type Usage, usageOf } from './usage.js';

/** The components between a caller and a provider. */
export interface CallerOptions {
  /** Null to answer only from the store. */
  readonly client: LlmClient | null;
  /** Stored answers are reused; new ones are added. */
  readonly store?: AnswerStore | undefined;
  readonly prices?: Prices | undefined;
  /** Shared by all callers of a provider. Default: an own one with default limits. */
  readonly limiter?: Limiter | undefined;
  /** Shared by all callers of a run. Default: an own one without limits. */
  readonly budget?: ModelBudget | undefined;
  /** Replaces limiter and budget, for example to share them between processes. */
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
 * Makes the function that sends requests to a model through store, budget and limits. It makes one attempt per call;
 * the caller decides about retries. If there is a store, a request waits for the answer of an equal request of the same
 * replicate that is in flight.
 *
 * The function throws as {@link Ask} and {@link LlmClient} do, LlmError `MissingAnswer` if there is neither client nor
 * stored answer, and InputError `no_price` if the budget has dollars and the model no price.
 */
export function createCaller(options: CallerOptions): Ask {
  const { client, store, prices = PRICES, limiter = createLimiter() } = options;
  const { budget = createBudget(), admission = admitBy(limiter, budget) } = options;
  const means = { client, store, prices, admission };
  if (store === undefined) return (request, asked) => askProvider({ request, ...asked }, means);
  const underWay = new Map<string, Promise<unknown>>();

  return async (request, { replicate, signal }) => {
    const key = requestKey(request, replicate);
    for (;;) {
      signal?.throwIfAborted();
      const stored = await store.find(request, replicate);
      if (stored !== null) return stored;
      const other = underWay.get(key);
      if (other === undefined) break;
      await unlessAborted(other, signal);
    }
    if (client === null) throw store.missing(request, replicate);
    const asking = askProvider({ request, replicate, signal }, means);
    const done = asking.catch(() => {}).then(() => underWay.delete(key));
    underWay.set(key, done);
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
  const leave = await admission.enter(least, { key: requestKey(request, replicate), signal });
  const stored = await findAgain(question, store, leave);
  return stored ?? complete(client, question, means, least, leave);
}

/** Looks again, because another process that shares the store may have sent the same request in the meantime. */
async function findAgain(
  { request, replicate }: Question,
  store: AnswerStore | undefined,
  leave: Leave,
): Promise<Answer | null> {
  if (!store?.shared) return null;
  let stored: Answer | null = null;
  let isFree = false;
  try {
    stored = await store.find(request, replicate);
    isFree = stored === null;
  } finally {
    if (!isFree) await leave({ kind: 'not sent' }, null);
  }
  return stored;
}

/** Makes the attempt, and reports its usage once the answer is stored. */
async function complete(
  client: LlmClient,
  { request, replicate, signal }: Question,
  { store, prices, admission }: Means,
  least: Usage,
  leave: Leave,
): Promise<Answer> {
  let answer: Answer;
  const budget = untilOver(admission, least, signal);
  try {
    const completion = await client.complete(request, { signal: budget.signal });
    const usd = priceTokens(completion.tokens, priceOf(request.model, prices));
    answer = { ...completion, usd, stored: false };
  } catch (error) {
    const isBrokenOff = error instanceof LlmError && error.code === 'BudgetSpent';
    await leave(outcomeOf(error), isBrokenOff || mayBeCharged(error) ? least : null);
    throw error;
  } finally {
    budget.end();
  }
  const usage = usageOf(answer);
  try {
    await store?.keep(request, replicate, answer);
  } finally {
    await leave({ kind: 'answered', tokens: totalTokens(usage) }, usage);
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
  const left = secondsLeft?.() ?? null;
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
