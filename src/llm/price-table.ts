/** The price of a model, in US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** The prices of models, and their source. Discounts for cached input and batches are ignored. */
export interface Prices {
  readonly schema: 'alas-jssp/prices@1';
  /** Date of the table. */
  readonly date: string;
  readonly source: string;
  readonly usdPerMillionTokens: Readonly<Record<string, Price>>;
}

/**
 * Public list prices, only where they are certain and independent of the prompt length. The cost of a model that is not
 * listed is unknown.
 */
export const PRICES: Prices = {
  schema: 'alas-jssp/prices@1',
  date: '2026-11-22',
  source:
    'list prices of OpenAI, Anthropic and Google as their pricing pages, and others that cite them, gave ' +
    'them in 2025 and 2026; of older models the last ones seen',
  usdPerMillionTokens: {
    'gpt-4o': { input: 2.5, output: 10 },
    'gpt-4o-2024-05-13': { input: 5, output: 15 },
    'gpt-4o-mini': { input: 0.15, output: 0.6 },
    'gpt-4.1': { input: 2, output: 8 },
    'gpt-4.1-mini': { input: 0.4, output: 1.6 },
    'gpt-4.1-nano': { input: 0.1, output: 0.4 },
    o3: { input: 2, output: 8 },
    'o4-mini': { input: 1.1, output: 4.4 },
    'gpt-5': { input: 1.25, output: 10 },
    'gpt-5-mini': { input: 0.25, output: 2 },
    'gpt-5-nano': { input: 0.05, output: 0.4 },
    'gpt-5.1': { input: 1.25, output: 10 },
    'claude-3-haiku': { input: 0.25, output: 1.25 },
    'claude-3-5-haiku': { input: 0.8, output: 4 },
    'claude-3-7-sonnet': { input: 3, output: 15 },
    'claude-opus-4': { input: 15, output: 75 },
    'claude-opus-4-1': { input: 15, output: 75 },
    'claude-haiku-4-5': { input: 1, output: 5 },
    'claude-opus-4-5': { input: 5, output: 25 },
    'claude-opus-4-6': { input: 5, output: 25 },
    'claude-sonnet-4-6': { input: 3, output: 15 },
    'claude-opus-5': { input: 5, output: 25 },
    'claude-opus-5-5': { input: 4, output: 20 },
    'claude-sonnet-5-5': { input: 2, output: 10 },
    'claude-fable-5-1': { input: 10, output: 50 },
    'gemini-2.5-flash': { input: 0.3, output: 2.5 },
    'gemini-2.5-flash-lite': { input: 0.1, output: 0.4 },
  },
};
