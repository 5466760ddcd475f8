import type { AnswerStore } from './answer-store.js';
import { createBudget, type ModelBudget } from './budget.js';
import type { Answer, Ask, LlmClient, LlmRequest } from './client.js';
import { isRetryable, LlmError } from './errors.js';
import { createLimiter, type Limiter, type RequestOutcome } from './limiter.js';
import { PRICES, type Prices } from './price-table.js';
import { insistOnPrice, priceOf, priceTokens } from './prices.js';
import { estimateInput, requestKey } from './request-key.js';
import { unlessAborted } from './unless-aborted.js';
import { totalTokens, type Usage, usageOf } from './usage.js';

/** The parts between those who ask and a provider. */
export interface CallerOptions {
  /** Null to answer from the store only. */
  readonly client: LlmClient | null;
  /** Answers found there are not asked again; new ones are put there. */
  readonly store?: AnswerStore | undefined;
  readonly prices?: Prices | undefined;
  /** One for all callers of a provider. Default: one of its own, with its defaults. */
  readonly limiter?: Limiter | undefined;
  /** One for all callers of a run. Default: one of its own, without limits. */
  readonly budget?: ModelBudget | undefined;
}

interface Means {
  readonly client: LlmClient | null;
  readonly prices: Prices;
  readonly limiter: Limiter;
  readonly budget: ModelBudget;
}

/**
 * Makes the function that asks a model through store, budget and limits. It makes one attempt a call;
 * whoever calls it decides about another. While one request is under way, an equal one of the same
 * replicate waits for its answer, if there is a store.
 *
 * The function throws what {@link Ask} and {@link LlmClient} tell, LlmError `MissingAnswer` if there is
 * neither client nor stored answer, and InputError `no_price` if the budget has dollars and the model
 * no price.
 */
export function createCaller(options: CallerOptions): Ask {
  const { client, store, prices = PRICES } = options;
  const { limiter = createLimiter(), budget = createBudget() } = options;
  const means = { client, prices, limiter, budget };
  if (store === undefined) return (request, { signal }) => askProvider(request, signal, means);
  const underWay = new Map<string, Promise<unknown>>();

  return async (request, { replicate, signal }) => {
    const key = requestKey(request, replicate);
    for (;;) {
      signal?.throwIfAborted();
      const stored = store.find(request, replicate);
      if (stored !== null) return stored;
      const other = underWay.get(key);
      if (other === undefined) break;
      await unlessAborted(other, signal);
    }
    if (client === null) throw store.missing(request, replicate);
    const asking = askProvider(request, signal, means).then((answer) => {
      store.keep(request, replicate, answer);
      return answer;
    });
    const done = asking.catch(() => {}).then(() => underWay.delete(key));
    underWay.set(key, done);
    return asking;
  };
}

async function askProvider(
  request: LlmRequest,
  signal: AbortSignal | undefined,
  { client, prices, limiter, budget }: Means,
): Promise<Answer> {
  if (client === null) throw new LlmError('MissingAnswer', 'there is neither client nor store');
  if ((budget.limits.usd ?? null) !== null) insistOnPrice(request.model, prices);
  const price = priceOf(request.model, prices);
  const tokens = { input: estimateInput(request), output: 0, estimated: true };
  const least: Usage = { answers: 1, tokens, usd: priceTokens(tokens, price), seconds: 0 };

  const beforeWait = (seconds: number) => budget.insistOn(least, seconds);
  beforeWait(0);
  const leave = await limiter.enter(tokens.input, { signal, beforeWait });
  let settle: ReturnType<ModelBudget['reserve']>;
  try {
    settle = budget.reserve(least);
  } catch (error) {
    leave({ kind: 'not sent' });
    throw error;
  }
  try {
    const completion = await client.complete(request, { signal });
    const answer = { ...completion, usd: priceTokens(completion.tokens, price), stored: false };
    const usage = usageOf(answer);
    settle(usage);
    leave({ kind: 'answered', tokens: totalTokens(usage) });
    return answer;
  } catch (error) {
    settle(mayBeCharged(error) ? least : null);
    leave(outcomeOf(error));
    throw error;
  }
}

/** Providers charge for what they read and wrote, even if nobody could read the answer. */
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
