import { createCassetteModel, type Model } from '@alas-jssp/agents';
import { type Models, type ModelsOptions, modelOf, openModels } from 'alas-jssp/harness';
import { type AskOptions, createAccount, createAsk, isModelSpec, openLedger } from 'alas-jssp/llm';
import type { TeamAsk, TeamQuestion } from './team.js';

const CASSETTE = 'cassette:';

/** Whether a planner is a cassette: recorded or handwritten answers by key. */
export function isCassette(planner: string): boolean {
  return planner.startsWith(CASSETTE) && planner !== CASSETTE;
}

/** Whether a planner asks a model, or replays one. */
export function asksModel(planner: string): boolean {
  return isModelSpec(planner) || isCassette(planner);
}

/** A conversation for which answers are wanted. */
export interface TeamConversation {
  readonly planner: string;
  /** The problem, and the time of its change: a cassette may have answers for it alone. */
  readonly scope: string;
  readonly replicate: number;
  readonly onWait?: AskOptions['onWait'];
  readonly signal?: AbortSignal | undefined;
}

/** The models of planners, with answers for whole teams. */
export interface TeamModels {
  /** Models of providers, and replayed ones. */
  readonly models: Models;
  /** Asks the model of a planner. Each answer has the key with which it is stored. */
  askFor(conversation: TeamConversation): TeamAsk;
}

/**
 * Opens the models of planners: of providers with one budget for all, and cassettes with the same limits.
 *
 * @throws InputError `no_file`, `bad_json`, `no_price`; LlmError `MissingKey`
 */
export async function openTeamModels(
  planners: readonly string[],
  options: ModelsOptions = {},
): Promise<TeamModels> {
  const models = await openModels(planners.filter(isModelSpec), options);
  const ledger = openLedger({ budget: options.budget });
  const cassettes = new Map(
    planners
      .filter(isCassette)
      .map((planner) => [planner, createCassetteModel(planner.slice(CASSETTE.length), { ledger })]),
  );
  return {
    models,
    askFor(conversation) {
      const cassette = cassettes.get(conversation.planner);
      if (cassette !== undefined) return askCassette(cassette, conversation);
      return askProvider(models, conversation);
    },
  };
}

/**
 * Asks a cassette: a question of role R about a problem P is answered by `agent/P/R`, or by `agent/R` (`validator/…` for
 * validators), the n-th question of a conversation by the n-th answer.
 */
function askCassette(model: Model, { scope, signal }: TeamConversation): TeamAsk {
  return async ({ key: own, occurrence, messages, shape }) => {
    const [purpose, role] = own.split('/');
    const key = `${purpose}/${scope}/${role}`;
    const request = { key, occurrence, messages, shape: shape ?? undefined };
    const { text, finish, tokens, usd, seconds } = await model.ask(request, signal);
    const { input, output } = tokens;
    return { text, finish, key: `${key}#${occurrence}`, tokens: { input, output }, usd, seconds };
  };
}

function askProvider(models: Models, conversation: TeamConversation): TeamAsk {
  const { planner, replicate, onWait, signal } = conversation;
  const { model, settings } = modelOf(planner);
  const { attempts, maxOutputTokens } = settings;
  return async (question) => {
    // An account of its own, because concurrent questions would mix up their keys in a common one.
    const account = createAccount();
    const ask = createAsk(models.askFor(planner), { attempts, account, onWait });
    const request = { model, maxOutputTokens, ...requestOf(question, settings, replicate) };
    const { text, finish } = await ask(request, { replicate, signal });
    const { tokens, usd, elapsed, keys } = account.read();
    const { input, output } = tokens;
    const key = keys.at(-1) ?? '';
    return { text, finish, key, tokens: { input, output }, usd, seconds: elapsed };
  };
}

/** The part of a request that depends on the question and on settings of the model. */
function requestOf(
  { messages, shape }: TeamQuestion,
  { temperature, topP, seed, effort, structured }: ReturnType<typeof modelOf>['settings'],
  replicate: number,
) {
  return {
    messages,
    ...(structured && shape !== null && { shape }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    // Such a model gives equal answers for equal prompts and seeds, so each replicate has its own seed.
    ...(seed !== undefined && { seed: seed + replicate }),
    ...(effort !== undefined && { effort }),
  };
}
