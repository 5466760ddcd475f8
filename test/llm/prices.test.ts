import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PRICES } from '../../src/llm/price-table.js';
import { insistOnPrice, priceOf, priceTokens, readPrices } from '../../src/llm/prices.js';
import { temporaryDirectory } from '../temporary-directory.js';

const write = (value: unknown) => {
  const file = join(temporaryDirectory(), 'prices.json');
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
};
const own = {
  schema: 'alas-jssp/prices@1',
  date: '2026-11-01',
  source: 'our contract',
  usdPerMillionTokens: { qwen3: { input: 0, output: 0 }, 'gpt-4o': { input: 1, output: 2 } },
};

describe('prices', () => {
  it('are found by name, or by the name without its date', () => {
    const known = PRICES.usdPerMillionTokens;
    expect(priceOf('gpt-4o', PRICES)).toBe(known['gpt-4o']);
    expect(priceOf('gpt-4o-2024-08-06', PRICES)).toBe(known['gpt-4o']);
    expect(priceOf('gpt-4o-2024-05-13', PRICES)).toBe(known['gpt-4o-2024-05-13']);
    expect(priceOf('claude-haiku-4-5-20251001', PRICES)).toBe(known['claude-haiku-4-5']);
    expect(priceOf('gpt-4o-audio-preview', PRICES)).toBe(null);
    expect(priceOf('constructor', PRICES)).toBe(null);
  });

  it('make a cost, or none if they are unknown', () => {
    const tokens = { input: 1000, output: 500 };
    expect(priceTokens(tokens, { input: 2.5, output: 10 })).toBeCloseTo(0.0075, 12);
    expect(priceTokens(tokens, { input: 0, output: 0 })).toBe(0);
    expect(priceTokens(tokens, null)).toBe(null);
    expect(() => insistOnPrice('llama', PRICES)).toThrow(/the price of llama is unknown.*--prices/);
    expect(() => insistOnPrice('gpt-4o', PRICES)).not.toThrow();
  });

  it("come from a file of the user's, beside those that are known", () => {
    const prices = readPrices(write(own));
    expect(prices.date).toBe('2026-11-01');
    expect(priceOf('qwen3', prices)).toEqual({ input: 0, output: 0 });
    expect(priceOf('gpt-4o', prices)).toEqual({ input: 1, output: 2 });
    expect(priceOf('gpt-5', prices)).toBe(PRICES.usdPerMillionTokens['gpt-5']);
  });

  it('are refused with the place of what is wrong', () => {
    const wrong = { ...own, usdPerMillionTokens: { qwen3: { input: -1, output: 0 } } };
    expect(() => readPrices(write(wrong))).toThrow('$.usdPerMillionTokens.qwen3.input');
    expect(() => readPrices(write({ ...own, date: 'today' }))).toThrow(
      /\$\.date: .*; write one as docs\/how-to\/llm\.md shows it/,
    );
    expect(() => readPrices(write('{'))).toThrow(
      /prices\.json:1: the JSON ends too early; write one/,
    );
    expect(() => readPrices('nowhere.json')).toThrow(
      'nowhere.json: there is no such file; write one as docs/how-to/llm.md shows it',
    );
  });
});
