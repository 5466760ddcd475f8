import { join } from 'node:path';
import type { BudgetRefusal } from '../../llm/budget.js';
import type { Ask } from '../../llm/client.js';
import { LlmError } from '../../llm/errors.js';
import { CONCURRENCY } from '../../llm/limiter.js';
import { readPrices } from '../../llm/prices.js';
import { openModels } from '../../pipeline/planners/models.js';
import type { AskWait } from '../../pipeline/planners/question.js';
import type { PoolModels } from '../worker/pool.js';
import type { Manifest } from './manifest.js';
import { makeDirectory } from './run-directory.js';
import type { RunModelsOptions } from './run-models-options.js';

/** The models of a run. */
export interface RunModels extends PoolModels {
  /** Why nothing more is asked: the budget is spent. Null if it is not. */
  stopped(): string | null;
  /** What the manifest says of them at the end. */
  spent(): NonNullable<Manifest['models']>['spent'];
}

/**
 * Readies the models that planners of a run ask.
 *
 * @param asking the planners
 * @param out the directory of the run
 * @param workers threads that work on their tasks
 * @throws LlmError `MissingKey`; InputError for the prices, `bad_out` for the directory of answers, and as
 *   {@link openModels}
 */
export async function openRunModels(
  asking: readonly string[],
  { out, workers, models = {} }: RunSettings,
  onWait: (wait: AskWait) => void,
): Promise<RunModels | null> {
  if (asking.length === 0) return null;
  const { concurrency = CONCURRENCY, requestsPerMinute, tokensPerMinute } = models;
  const { budget, environment } = models;
  const opened = await openModels(asking, {
    answers: answersOf({ out, models }),
    limits: { concurrency, requestsPerMinute, tokensPerMinute },
    prices: models.prices === undefined ? undefined : readPrices(models.prices),
    ...{ budget, environment, onWait },
  });
  // Before anything is asked, for an answer that cannot be kept is paid for all the same.
  if (models.record !== undefined) makeDirectory(models.record, 'answers need');
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
    // Some compute while others wait, so that a provider never does.
    tasks: concurrency + workers,
    askFor: (planner) => noting(opened.askFor(planner)),
    onWait,
    stopped: () => stopped,
    spent: () => {
      const { answers, tokens, usd, seconds } = opened.spent();
      return { requests: answers, tokens: { ...tokens }, cost_usd: usd, seconds };
    },
  };
}

interface RunSettings {
  readonly out?: string | undefined;
  readonly workers: number;
  readonly models?: RunModelsOptions | undefined;
}

/** What the manifest says of the models before any is asked. */
export function describeModels(
  asking: readonly string[],
  { models = {} }: Pick<RunSettings, 'models'>,
): Manifest['models'] {
  if (asking.length === 0) return null;
  const { prices, concurrency = CONCURRENCY, requestsPerMinute, tokensPerMinute, budget } = models;
  return {
    record: models.record ?? null,
    prices: prices ?? null,
    concurrency,
    requests_per_minute: requestsPerMinute ?? null,
    tokens_per_minute: tokensPerMinute ?? null,
    budget: {
      tokens: budget?.tokens ?? null,
      usd: budget?.usd ?? null,
      seconds: budget?.seconds ?? null,
    },
    spent: null,
  };
}

function answersOf({ out, models }: Pick<RunSettings, 'out' | 'models'>): string | undefined {
  return models?.record ?? (out === undefined ? undefined : join(out, 'answers'));
}
