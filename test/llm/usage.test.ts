import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addBookings, createLedger } from '../../src/llm/bookings.js';
import type { LlmRequest } from '../../src/llm/client.js';
import { isRetryable, LlmError } from '../../src/llm/errors.js';
import { requestKey } from '../../src/llm/request-key.js';
import { addUsage, NO_USAGE, type Usage } from '../../src/llm/usage.js';
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
  it('books answers, stored or not, and of a question that fails only that', async () => {
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
    const key = requestKey(request, 0);
    expect(ledger.read()).toEqual({
      ...{ tokens, usd: 1, seconds: 4, elapsed: 4, answers: 2, keys: [key, key] },
      requests: { sent: 2, rateLimited: 0, timedOut: 0, failed: 0, cutOff: 0, refused: 0 },
    });
  });

  it('counts every attempt by what became of it, and none that was not sent', async () => {
    const outcomes = [
      new LlmError('RateLimited', ''),
      new LlmError('Timeout', ''),
      new LlmError('ServerError', ''),
      'length',
      'refusal',
      new LlmError('BadRequest', ''),
      new LlmError('BudgetSpent', ''),
      new LlmError('MissingAnswer', ''),
    ];
    const request: LlmRequest = { model: 'm', messages: [], maxOutputTokens: 1 };
    const ledger = createLedger(
      async (asked) => {
        const next = outcomes.shift();
        if (next instanceof Error) throw next;
        return { ...answer('', asked), finish: next as 'length' | 'refusal' };
      },
      (attempt) => async (asked, context) => {
        for (;;) {
          try {
            return await attempt(asked, context);
          } catch (error) {
            if (!isRetryable(error)) throw error;
          }
        }
      },
    );
    for (let question = 0; question < 5; question++) {
      await ledger.ask(request, { replicate: question }).catch(() => {});
    }
    const { requests, answers } = ledger.read();
    expect(answers).toBe(2);
    expect(requests).toEqual({
      ...{ sent: 6, rateLimited: 1, timedOut: 1, failed: 2, cutOff: 1, refused: 1 },
    });
  });

  it('counts questions that are asked at the same time once in what has elapsed', async () => {
    const seconds = new Map([3, 1, 2, 5].map((time, replicate) => [replicate, time]));
    const ledger = createLedger(async (asked, { replicate }) => {
      return { ...answer('', asked), seconds: seconds.get(replicate) ?? 0 };
    });
    const request: LlmRequest = { model: 'm', messages: [], maxOutputTokens: 1 };
    await ledger.ask(request, { replicate: 0 });
    await Promise.all([1, 2].map((replicate) => ledger.ask(request, { replicate })));
    await ledger.ask(request, { replicate: 3 });
    expect(ledger.read()).toMatchObject({ seconds: 11, elapsed: 10 });
    expect(addBookings(ledger.read(), ledger.read())).toMatchObject({ seconds: 22, elapsed: 20 });
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
