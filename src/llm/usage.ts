import type { Answer, TokenCount } from './client.js';

/** Tokens, money and time that models took, for one answer or many. */
export interface Usage {
  /** Answers; of a budget also failed requests that the provider may charge. */
  readonly answers: number;
  readonly tokens: TokenCount;
  /** US dollars, by the price table; null if a price is not known. */
  readonly usd: number | null;
  /** Of the answers one after the other; of a budget since its first request. */
  readonly seconds: number;
}

/** No model was asked. */
export const NO_USAGE: Usage = {
  answers: 0,
  tokens: { input: 0, output: 0, estimated: false },
  usd: 0,
  seconds: 0,
};

/** Two usages together: estimated, or of unknown price, if any of them is. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    answers: a.answers + b.answers,
    tokens: {
      input: a.tokens.input + b.tokens.input,
      output: a.tokens.output + b.tokens.output,
      estimated: a.tokens.estimated || b.tokens.estimated,
    },
    usd: a.usd === null || b.usd === null ? null : a.usd + b.usd,
    seconds: a.seconds + b.seconds,
  };
}

/** The usage of one answer. */
export function usageOf({
  tokens,
  usd,
  seconds,
}: Pick<Answer, 'tokens' | 'usd' | 'seconds'>): Usage {
  return { answers: 1, tokens, usd, seconds };
}

/** All tokens, read and written. */
export function totalTokens({ tokens: { input, output } }: Usage): number {
  return input + output;
}
