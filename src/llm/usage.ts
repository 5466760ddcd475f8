import type { Answer, TokenCount } from './client.js';

/** Tokens, money and time of one or more answers of models. */
export interface Usage {
  /** Number of answers; for a budget also failed requests that the provider may charge. */
  readonly answers: number;
  readonly tokens: TokenCount;
  /** US dollars, by the price table; null if a price is unknown. */
  readonly usd: number | null;
  /** Total duration of the answers; for a budget the time since its first request. */
  readonly seconds: number;
}

/** No usage. */
export const NO_USAGE: Usage = {
  answers: 0,
  tokens: { input: 0, output: 0, estimated: false },
  usd: 0,
  seconds: 0,
};

/** The sum of two usages: estimated, or of unknown price, if either is. */
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
