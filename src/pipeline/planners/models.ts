import { env } from 'node:process';
import { AlasError, InputError } from '../../core/errors.js';
import { type AnswerStore, openAnswerStore } from '../../llm/answer-store.js';
import { type BudgetLimits, createBudget } from '../../llm/budget.js';
import { createCaller } from '../../llm/caller.js';
import type { Answer, Ask } from '../../llm/client.js';
import { createClient } from '../../llm/clients/create-client.js';
import { LlmError } from '../../llm/errors.js';
import { type Environment, readEnvironment } from '../../llm/keys.js';
import { createLimiter, type Limiter, type LimiterOptions } from '../../llm/limiter.js';
import { formatPlannerSpec, parsePlannerSpec } from '../../llm/planner-spec.js';
import { PRICES, type Prices } from '../../llm/price-table.js';
import { insistOnPrice } from '../../llm/prices.js';
import { requestKey } from '../../llm/request-key.js';
import type { Usage } from '../../llm/usage.js';
import { modelOf } from './llm-planner.js';
import type { AskWait } from './question.js';

/** Settings of how models are asked, all of a run together. */
export interface ModelsOptions {
  /**
   * Directory of answers: what is there is not asked again. Default: each planner's are remembered as long
   * as these models are.
   */
  readonly answers?: string | undefined;
  /** Of each provider. */
  readonly limits?: Pick<LimiterOptions, 'concurrency' | 'requestsPerMinute' | 'tokensPerMinute'>;
  /** Of all providers together; what comes from the store costs nothing. */
  readonly budget?: BudgetLimits | undefined;
  /** Default: the table of this package. */
  readonly prices?: Prices | undefined;
  /** The variables with the keys. Default: the environment of the process, and a `.env` file. */
  readonly environment?: Environment | undefined;
  readonly onWait?: ((wait: AskWait) => void) | undefined;
}

/** The models that planners ask. */
export interface Models {
  /** Makes one attempt at an answer for a planner. */
  askFor(planner: string): Ask;
  /** The usage of what was asked now, without what was there already. */
  spent(): Usage;
}

/**
 * Readies the models of planners: one client for each planner, one limiter for each provider, one
 * budget for all.
 *
 * @throws LlmError `MissingKey`; InputError `no_price` (a budget in dollars takes prices), `same_model`
 *   (stored answers go by the name of the model), and what is wrong with a planner
 */
export async function openModels(
  planners: readonly string[],
  options: ModelsOptions = {},
): Promise<Models> {
  const { limits, prices = PRICES, onWait } = options;
  const environment = options.environment ?? readEnvironment(env);
  const budget = createBudget(options.budget);
  const limiters = new Map<string, Limiter>();
  const limiterOf = (provider: string): Limiter => {
    const tell = ({ reason, seconds }: AskWait) =>
      onWait?.({ reason: `${provider}: ${reason}`, seconds });
    const limiter = limiters.get(provider) ?? createLimiter({ ...limits, onWait: tell });
    limiters.set(provider, limiter);
    return limiter;
  };
  if (options.answers !== undefined) refuseMixedAnswers(planners);
  const asks = new Map<string, Ask>();
  for (const planner of planners) {
    const spec = parsePlannerSpec(planner);
    const model = modelOf(planner);
    const isReplay = spec.provider === 'replay';
    if (!isReplay && (options.budget?.usd ?? null) !== null) insistOnPrice(model.model, prices);
    const answers = isReplay ? spec.directory : options.answers;
    const store =
      answers === undefined
        ? rememberAnswers()
        : openAnswerStore(answers, isReplay ? formatPlannerSpec(model) : planner);
    const client = isReplay ? null : await createClient(model, environment);
    const limiter = limiterOf(model.url ?? model.provider);
    asks.set(planner, createCaller({ client, store, prices, limiter, budget }));
  }
  return {
    askFor(planner) {
      const ask = asks.get(planner);
      if (ask === undefined) throw new AlasError('no_model', `${planner} was not readied`, planner);
      return ask;
    },
    spent: budget.spent,
  };
}

/** Equal requests to models of the same name have the same stored answer, whoever gave it. */
function refuseMixedAnswers(planners: readonly string[]): void {
  const servers = new Map<string, string>();
  for (const spec of planners.map((planner) => parsePlannerSpec(planner))) {
    if (spec.provider === 'replay') continue;
    const server = spec.url ?? spec.provider;
    const other = servers.get(spec.model) ?? server;
    servers.set(spec.model, server);
    if (other === server) continue;
    throw new InputError(
      'same_model',
      `answers of two servers cannot be told apart: ${other} and ${server} both have a model ${spec.model}`,
      'run them apart, each with a directory of its own',
      {},
      spec.model,
    );
  }
}

/** So that variants share their plans also where nothing is written. */
function rememberAnswers(): AnswerStore {
  const answers = new Map<string, Answer>();
  return {
    find: (request, replicate) => {
      const answer = answers.get(requestKey(request, replicate));
      return answer === undefined ? null : { ...answer, stored: true };
    },
    keep: (request, replicate, answer) => {
      answers.set(requestKey(request, replicate), answer);
    },
    missing: () => new LlmError('MissingAnswer', 'this was never answered'),
  };
}
