import { env } from 'node:process';
import { AlasError, InputError } from '@alas-jssp/core/errors';
import { type Admission, openLedger } from '../../llm/admission/ledger.js';
import type { PaceLimits } from '../../llm/admission/pace.js';
import type { BudgetLimits } from '../../llm/admission/spending.js';
import { type AnswerStore, openAnswerStore } from '../../llm/answer-store.js';
import { type AskWait, createAttempt } from '../../llm/ask.js';
import type { Answer, Ask } from '../../llm/client.js';
import { createClient } from '../../llm/clients/create-client.js';
import { LlmError } from '../../llm/errors.js';
import { type Environment, readEnvironment } from '../../llm/keys.js';
import { modelOf } from '../../llm/model-of.js';
import { formatPlannerSpec, parsePlannerSpec } from '../../llm/planner-spec.js';
import { PRICES, type Prices } from '../../llm/price-table.js';
import { insistOnPrice } from '../../llm/prices.js';
import { requestKey } from '../../llm/request-key.js';
import type { Usage } from '../../llm/usage.js';

/** Model settings for all planners of a run. */
export interface ModelsOptions {
  /** Directory of answers: stored ones are reused. Default: answers are kept in memory, for each planner. */
  readonly answers?: string | undefined;
  /** Limits of each provider. */
  readonly limits?: PaceLimits | undefined;
  /** Limits of all providers together; stored answers cost nothing. */
  readonly budget?: BudgetLimits | undefined;
  /** Default: the table of this package. */
  readonly prices?: Prices | undefined;
  /** Variables with the keys. Default: the environment of the process, and a `.env` file. */
  readonly environment?: Environment | undefined;
  readonly onWait?: ((wait: AskWait) => void) | undefined;
  /** Replaces `answers`, `limits` and `budget` if several processes work on the same run. */
  readonly shared?: SharedMeans | undefined;
}

/** Remote budget, limits and answers that all processes of a run share. */
export interface SharedMeans {
  /** @param provider its name, or the base URL of a compatible server */
  admissionOf(provider: string): Admission;
  storeOf(planner: string): AnswerStore;
  /** The models of planners that replay remote directories, as specifications. */
  readonly replayed: Readonly<Record<string, string>>;
  spent(): Usage | Promise<Usage>;
}

/** The models of planners. */
export interface Models {
  /** Makes one attempt at an answer for a planner. */
  askFor(planner: string): Ask;
  /** The usage of new requests, without stored answers. */
  spent(): Usage | Promise<Usage>;
}

/**
 * Prepares the models of planners: one client for each planner, one limiter for each provider, one budget for all.
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
    asks.set(planner, createAttempt({ client, store, prices, admission }));
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
 * Checks the models of planners as far as possible without keys.
 *
 * @throws InputError `no_price` (a budget in dollars needs prices), `same_model` (stored answers are keyed by the name
 *   of the model), and errors of a planner
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

/** One ledger, and answers, within this process. */
function ownMeans({ answers, limits, onWait, budget }: ModelsOptions): SharedMeans {
  const ledger = openLedger({
    budget,
    limits,
    onWait: (provider, { reason, seconds }) =>
      onWait?.({ reason: `${provider}: ${reason}`, seconds }),
  });
  return {
    admissionOf: ledger.admissionOf,
    storeOf(planner) {
      const replayed = replayedBy(planner);
      if (replayed !== null) return openAnswerStore(replayed.directory, replayed.model);
      return answers === undefined ? rememberAnswers() : openAnswerStore(answers, planner);
    },
    replayed: {},
    spent: ledger.spent,
  };
}

/** The directory that a planner replays, and the model of its answers; null if it sends requests. */
export function replayedBy(planner: string): { directory: string; model: string } | null {
  const spec = parsePlannerSpec(planner);
  if (spec.provider !== 'replay') return null;
  return { directory: spec.directory, model: formatPlannerSpec(modelOf(planner)) };
}

/** Refuses different servers with one model name: equal requests would share a stored answer. */
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

/** Answers in memory, so that variants share plans even if nothing is written. */
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
