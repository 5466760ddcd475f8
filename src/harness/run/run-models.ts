import type { BudgetRefusal } from '../../llm/admission/spending.js';
import type { Ask } from '../../llm/client.js';
import { LlmError } from '../../llm/errors.js';
import type { Environment } from '../../llm/keys.js';
import { readPrices } from '../../llm/prices.js';
import type { Usage } from '../../llm/usage.js';
import { openModels } from '../../pipeline/planners/models.js';
import type { AskWait } from '../../pipeline/planners/question.js';
import type { TaskModels } from '../worker/pool.js';
import type { Manifest } from './manifest.js';
import { answersDirectory } from './model-bundle.js';
import { ensureDirectory } from './run-directory.js';
import type { FilledRunSpec } from './spec.js';

/** The models of a run. */
export interface RunModels extends TaskModels {
  /** Tasks that run at once, in all threads; most of them wait for an answer. */
  readonly tasks: number;
  /** Why nothing more is asked: the budget is spent. Null if it is not. */
  stopped(): string | null;
  /** Answers, tokens and costs of the run, for its manifest. */
  spent(): Promise<Manifest['outcome']['spent']>;
}

/** A usage as the manifest has it. */
export function manifestSpending({
  answers,
  tokens,
  usd,
  seconds,
}: Usage): Manifest['outcome']['spent'] {
  return { requests: answers, tokens: { ...tokens }, cost_usd: usd, seconds };
}

/** All that the models of a run are handed besides its spec. */
export interface ModelsContext {
  /** The directory of the run. */
  readonly out?: string | undefined;
  /** Where keys are. Default: the environment of the process, and a `.env` file. */
  readonly environment?: Environment | undefined;
  /** Receives every wait for a model: for its limits, or before another attempt. */
  readonly onWait?: ((wait: AskWait) => void) | undefined;
}

/**
 * Readies the models that planners of a run ask.
 *
 * @param asking the planners
 * @throws LlmError `MissingKey`; InputError for the prices, `bad_out` for the directory of answers, and as
 *   {@link openModels}
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
  // Before anything is asked, for an answer that cannot be kept is paid for all the same.
  if (record !== null) ensureDirectory(record, 'answers need');
  let stopped: string | null = null;
  const noting = (ask: Ask): Ask => {
    return async (...question) => {
      try {
        return await ask(...question);
      } catch (error) {
        if (error instanceof LlmError && error.code === 'BudgetSpent') {
          stopped ??= (error.value as BudgetRefusal).limit;
        }
        throw error;
      }
    };
  };
  return {
    // Some compute, or wait until they may, while others wait for answers: a provider never does.
    tasks: 2 * limits.concurrency + workers,
    askFor: (planner) => noting(opened.askFor(planner)),
    onWait,
    stopped: () => stopped,
    spent: async () => manifestSpending(await opened.spent()),
  };
}
