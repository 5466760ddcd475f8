import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LlmRequest } from '../../src/llm/client.js';
import { addUsage, createLedger, NO_USAGE, type Usage } from '../../src/llm/usage.js';
import { answer } from './scripted-models.js';

const some: fc.Arbitrary<Usage> = fc.record({
  tokens: fc.record({ input: fc.nat(99), output: fc.nat(99), estimated: fc.boolean() }),
  usd: fc.option(fc.nat(99)),
  seconds: fc.nat(99),
  answers: fc.nat(9),
});

describe('addUsage', () => {
  it('adds in any order; what has no price makes all of it have none', () => {
    fc.assert(
      fc.property(some, some, some, (a, b, c) => {
        expect(addUsage(a, b)).toEqual(addUsage(b, a));
        expect(addUsage(addUsage(a, b), c)).toEqual(addUsage(a, addUsage(b, c)));
        expect(addUsage(a, NO_USAGE)).toEqual(a);
        expect(addUsage(a, b).usd === null).toBe(a.usd === null || b.usd === null);
      }),
    );
  });
});

describe('a ledger', () => {
  it('books answers, stored or not, and nothing of a question that fails', async () => {
    const request: LlmRequest = { model: 'm', messages: [], maxOutputTokens: 1 };
    const about = { usd: 0.5, seconds: 2 };
    let calls = 0;
    const ledger = createLedger(async (asked) => {
      if (++calls === 3) throw new Error('no');
      return { ...answer('four', asked), ...about, stored: calls === 2 };
    });
    await ledger.ask(request, { replicate: 0 });
    await ledger.ask(request, { replicate: 0 });
    await expect(ledger.ask(request, { replicate: 0 })).rejects.toThrow('no');
    const tokens = { input: 20, output: 8, estimated: false };
    expect(ledger.read()).toEqual({ tokens, usd: 1, seconds: 4, answers: 2 });
  });

  it('reads the same to the last digit, in whatever order answers come', async () => {
    const costs = [0.1, 0.2, 0.3, 0.7];
    const order = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
    await fc.assert(
      fc.asyncProperty(order, async (coming) => {
        const answers: (() => void)[] = [];
        const ledger = createLedger((asked) => {
          const usd = costs[answers.length];
          return new Promise((resolve) => {
            answers.push(() => resolve({ ...answer('', asked), usd, seconds: usd }));
          });
        });
        const request: LlmRequest = { model: 'm', messages: [], maxOutputTokens: 1 };
        const all = costs.map(() => ledger.ask(request, { replicate: 0 }));
        for (const place of coming) {
          answers[place]();
          await all[place];
        }
        const sum = costs.reduce((a, b) => a + b, 0);
        expect(ledger.read()).toMatchObject({ usd: sum, seconds: sum, answers: 4 });
      }),
    );
  });
});
