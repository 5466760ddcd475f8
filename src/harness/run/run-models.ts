import type { AskWait } from '../../llm/ask.js';
import type { Environment } from '../../llm/keys.js';
import { readPrices } from '../../llm/prices.js';
import type { Usage } from '../../llm/usage.js';
import { openModels } from '../../pipeline/planners/models.js';
import type { TaskModels } from '../worker/task-host.js';
import type { Manifest } from './manifest.js';
import { answersDirectory } from './model-bundle.js';
import { ensureDirectory } from './run-directory.js';
import type { FilledRunSpec } from './spec.js';

/** The models of a run. */
export interface RunModels extends TaskModels {
  /** Number of concurrent tasks in all threads; most of them wait for an answer. */
  readonly tasks: number;
  /** The reason why no more requests are made: the budget is spent. Null if it is not. */
  stopped(): string | null;
  /** Answers, tokens and costs of the run, for its manifest. */
  spent(): Promise<Manifest['outcome']['spent']>;
}

/** A usage in the form of the manifest. */
export function manifestSpending({
  answers,
  tokens,
  usd,
  seconds,
}: Usage): Manifest['outcome']['spent'] {
  return { requests: answers, tokens: { ...tokens }, cost_usd: usd, seconds };
}

/** Inputs of a run's models besides its spec. */
export interface ModelsContext {
  /** The directory of the run. */
  readonly out?: string | undefined;
  /** Source of model keys. Default: the environment of the process, and a `.env` file. */
  readonly environment?: Environment | undefined;
  /** Receives every wait for a model: for its limits, or before another attempt. */
  readonly onWait?: ((wait: AskWait) => void) | undefined;
}

/**
 * Prepares the models that planners of a run use.
 *
 * @param asking the planners
 * @throws LlmError `MissingKey`; InputError for the prices, `bad_out` for the directory of answers, and as {@link
 *   openModels}
 */
export async function openRunModels(
  asking: readonly string[],
  { models, workers }: Pick<FilledRunSpec, 'models' | 'workers'>,
  { out, environment, onWait = () => {} }: ModelsContext,
): Promise<RunModels | null> {
  if (asking.length === 0) return null;
  const { record, prices, budget, ...limits } = models;
  const opened = await openModels(asking, {
    answers: answersDirectory({ models }, out) ?? undefined,
    limits,
    prices: prices === null ? undefined : readPrices(prices),
    budget,
    environment,
    onWait,
  });
  // This precedes any request, because an answer that cannot be stored costs money too.
  if (record !== null) ensureDirectory(record, 'answers need');
  let stopped: string | null = null;
  return {
    // Some tasks compute or wait for a processor while others wait for answers, so that a provider is never idle.
    tasks: 2 * limits.concurrency + workers,
    askFor: opened.askFor,
    onWait,
    onBudgetSpent: (limit) => {
      stopped ??= limit;
    },
    stopped: () => stopped,
    spent: async () => manifestSpending(await opened.spent()),
  };
}
