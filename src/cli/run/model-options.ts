import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Manifest } from '../../harness/run/manifest.js';
import type { RunModelsOptions } from '../../harness/run/run-models-options.js';
import { wholeNumber } from '../common/options.js';

/** The options by which models are asked. */
export interface ModelOptions {
  record?: string;
  prices?: string;
  llmConcurrency?: number;
  requestsPerMinute?: number;
  tokensPerMinute?: number;
  budgetTokens?: number;
  budgetUsd?: number;
  budgetSeconds?: number;
}

/** Adds the options by which models are asked. */
export function withModels(command: Command): Command {
  const count = wholeNumber('a count', 1);
  return command
    .option('--record <dir>', 'keep answers of models there, to replay them (default: OUT/answers)')
    .option('--budget-tokens <count>', 'ask models until so many tokens are spent', count)
    .option('--budget-usd <dollars>', 'ask models until so many dollars are spent', amount)
    .option('--budget-seconds <seconds>', 'ask models for so many seconds', amount)
    .option('--llm-concurrency <count>', 'requests to a provider at once (default: 4)', count)
    .option('--requests-per-minute <count>', 'requests to a provider, at most', count)
    .option('--tokens-per-minute <count>', 'tokens to and from a provider, at most', count)
    .option('--prices <file>', 'what models cost; see docs/llm.md');
}

/** How models are asked; what is not given is taken from a run to resume, also the budget. */
export function modelsOf(options: ModelOptions, earlier: Manifest['models']): RunModelsOptions {
  const { budgetTokens, budgetUsd, budgetSeconds } = options;
  const before = earlier?.budget;
  return {
    record: options.record ?? earlier?.record ?? undefined,
    prices: options.prices ?? earlier?.prices ?? undefined,
    concurrency: options.llmConcurrency ?? earlier?.concurrency,
    requestsPerMinute: options.requestsPerMinute ?? earlier?.requests_per_minute ?? undefined,
    tokensPerMinute: options.tokensPerMinute ?? earlier?.tokens_per_minute ?? undefined,
    budget: {
      tokens: budgetTokens ?? before?.tokens ?? undefined,
      usd: budgetUsd ?? before?.usd ?? undefined,
      seconds: budgetSeconds ?? before?.seconds ?? undefined,
    },
  };
}

function amount(text: string): number {
  const value = Number(text);
  if (value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new InvalidArgumentError('a budget is a number above 0.');
}
