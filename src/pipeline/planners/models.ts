import { env } from 'node:process';
import { AlasError, InputError } from '../../core/errors.js';
import { type Admission, admitBy } from '../../llm/admission/admission.js';
import type { PaceLimits } from '../../llm/admission/pace.js';
import type { BudgetLimits } from '../../llm/admission/spending.js';
import { type AnswerStore, openAnswerStore } from '../../llm/answer-store.js';
import { createBudget } from '../../llm/budget.js';
import { createCaller } from '../../llm/caller.js';
import type { Answer, Ask } from '../../llm/client.js';
import { createClient } from '../../llm/clients/create-client.js';
import { LlmError } from '../../llm/errors.js';
import { type Environment, readEnvironment } from '../../llm/keys.js';
import { createLimiter } from '../../llm/limiter.js';
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
  readonly limits?: PaceLimits | undefined;
  /** Of all providers together; what comes from the store costs nothing. */
  readonly budget?: BudgetLimits | undefined;
  /** Default: the table of this package. */
  readonly prices?: Prices | undefined;
  /** The variables with the keys. Default: the environment of the process, and a `.env` file. */
  readonly environment?: Environment | undefined;
  readonly onWait?: ((wait: AskWait) => void) | undefined;
  /** In place of `answers`, `limits` and `budget`, where other processes ask for the same run. */
  readonly shared?: SharedMeans | undefined;
}

/** Budget, limits and answers that are elsewhere, one of each for all processes of a run. */
export interface SharedMeans {
  /** @param provider its name, or the base URL of a compatible server */
  admissionOf(provider: string): Admission;
  storeOf(planner: string): AnswerStore;
  /** The models of planners that replay directories which are elsewhere, as specifications. */
  readonly replayed: Readonly<Record<string, string>>;
  spent(): Usage | Promise<Usage>;
}

/** The models that planners ask. */
export interface Models {
  /** Makes one attempt at an answer for a planner. */
  askFor(planner: string): Ask;
  /** The usage of what was asked now, without what was there already. */
  spent(): Usage | Promise<Usage>;
}

/**
 * Readies the models of planners: one client for each planner, one limiter for each provider, one
 * budget for all.
 *
 * @throws LlmError `MissingKey`; InputError as {@link requireModels}
 */
export async function openModels(
  planners: readonly string[],
  options: ModelsOptions = {},
): Promise<Models> {
  const { prices = PRICES, shared } = options;
  const environment = options.environment ?? readEnvironment(env);
  requireModels(planners, options);
  const means = shared ?? ownMeans(options);
  const asks = new Map<string, Ask>();
  for (const planner of planners) {
    const isReplay = parsePlannerSpec(planner).provider === 'replay';
    const model = modelOf(shared?.replayed[planner] ?? planner);
    const client = isReplay ? null : await createClient(model, environment);
    const store = means.storeOf(planner);
    const admission = means.admissionOf(model.url ?? model.provider);
    asks.set(planner, createCaller({ client, store, prices, admission }));
  }
  return {
    askFor(planner) {
      const ask = asks.get(planner);
      if (ask === undefined) throw new AlasError('no_model', `${planner} was not readied`, planner);
      return ask;
    },
    spent: () => means.spent(),
  };
}

/**
 * Checks what can be checked of the models of planners without their keys.
 *
 * @throws InputError `no_price` (a budget in dollars takes prices), `same_model` (stored answers go by
 *   the name of the model), and what is wrong with a planner
 */
export function requireModels(
  planners: readonly string[],
  { answers, budget, prices = PRICES, shared }: ModelsOptions,
): void {
  if (answers !== undefined || shared !== undefined) refuseMixedAnswers(planners);
  for (const planner of planners) {
    if (parsePlannerSpec(planner).provider === 'replay') continue;
    const { model } = modelOf(planner);
    if ((budget?.usd ?? null) !== null) insistOnPrice(model, prices);
  }
}

/** Budget, limits and answers of this process. */
function ownMeans({ answers, limits, onWait, budget: budgetLimits }: ModelsOptions): SharedMeans {
  const budget = createBudget(budgetLimits);
  const admissions = new Map<string, Admission>();
  return {
    admissionOf(provider) {
      const notify = ({ reason, seconds }: AskWait) =>
        onWait?.({ reason: `${provider}: ${reason}`, seconds });
      const admission =
        admissions.get(provider) ?? admitBy(createLimiter({ ...limits, onWait: notify }), budget);
      admissions.set(provider, admission);
      return admission;
    },
    storeOf(planner) {
      const replayed = replayedBy(planner);
      if (replayed !== null) return openAnswerStore(replayed.directory, replayed.model);
      return answers === undefined ? rememberAnswers() : openAnswerStore(answers, planner);
    },
    replayed: {},
    spent: budget.spent,
  };
}

/** The directory that a planner replays, and the model whose answers they are; null if it asks. */
export function replayedBy(planner: string): { directory: string; model: string } | null {
  const spec = parsePlannerSpec(planner);
  if (spec.provider !== 'replay') return null;
  return { directory: spec.directory, model: formatPlannerSpec(modelOf(planner)) };
}

/** Equal requests to models of the same name have the same stored answer, whichever server gave it. */
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
      `answers of two servers cannot be distinguished: ${other} and ${server} both have a model ${spec.model}`,
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
