import { InputError } from '@alas-jssp/core/errors';
import { readJsonFile } from '@alas-jssp/core/json-file';
import { schemaName } from '@alas-jssp/core/schema-name';
import * as z from 'zod';
import type { TokenCount } from './client.js';
import { PRICES, type Price, type Prices } from './price-table.js';

const price = z.strictObject({ input: z.number().min(0), output: z.number().min(0) });

const prices: z.ZodType<Prices> = z.strictObject({
  schema: schemaName('alas-jssp/prices@1'),
  date: z.iso.date(),
  source: z.string(),
  usdPerMillionTokens: z.record(z.string(), price),
});

/**
 * Reads a price table; models that it does not list keep the prices of {@link PRICES}.
 *
 * @throws InputError `no_file`, `bad_json` naming the error and its place
 */
export function readPrices(file: string): Prices {
  const own = readJsonFile(file, prices, 'price table', 'write one as docs/how-to/llm.md shows it');
  return {
    ...own,
    usdPerMillionTokens: { ...PRICES.usdPerMillionTokens, ...own.usdPerMillionTokens },
  };
}

/** The price of a model, by its name with or without its date; null if neither is listed. */
export function priceOf(model: string, { usdPerMillionTokens }: Prices): Price | null {
  for (const name of [model, model.replace(/-(\d{8}|\d{4}-\d\d-\d\d|latest)$/, '')]) {
    if (Object.hasOwn(usdPerMillionTokens, name)) return usdPerMillionTokens[name];
  }
  return null;
}

/** The price of tokens in US dollars; null if the price is unknown. */
export function priceTokens(
  { input, output }: Pick<TokenCount, 'input' | 'output'>,
  price: Price | null,
): number | null {
  return price && (input * price.input + output * price.output) / 1e6;
}

/**
 * Checks that a model has a price, as a budget in dollars requires.
 *
 * @throws InputError `no_price`
 */
export function insistOnPrice(model: string, prices: Prices): void {
  if (priceOf(model, prices) !== null) return;
  throw new InputError(
    'no_price',
    `the price of ${model} is unknown, so a budget in dollars cannot be kept`,
    'give its price with --prices FILE, or a budget in tokens',
    {},
    model,
  );
}
