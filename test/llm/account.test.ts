import { virtualClock } from '@alas-jssp/core/virtual-clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addBookings, createAccount } from '../../src/llm/account.js';
import { createAsk } from '../../src/llm/ask.js';
import type { Ask, LlmRequest } from '../../src/llm/client.js';
import { LlmError } from '../../src/llm/errors.js';
import { requestKey } from '../../src/llm/request-key.js';
import { addUsage, NO_USAGE, type Usage } from '../../src/llm/usage.js';
import { answer } from './scripted-models.js';

const some: fc.Arbitrary<Usage> = fc.record({
  tokens: fc.record({ input: fc.nat(99), output: fc.nat(99), estimated: fc.boolean() }),
  usd: fc.option(fc.nat(99)),
  seconds: fc.nat(99),
  answers: fc.nat(9),
});

/** An account, and the function that books its requests there. */
function booked(attempt: Ask, attempts = 1) {
  const account = createAccount();
  return {
    read: account.read,
    ask: createAsk(attempt, { attempts, account, clock: virtualClock() }),
  };
}

describe('addUsage', () => {
  it('adds in any order; a sum with an unknown price has none', () => {
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

describe('an account', () => {
  it('books answers, stored or not, and failed requests only as such', async () => {
    const request: LlmRequest = { model: 'm', messages: [], maxOutputTokens: 1 };
    const about = { usd: 0.5, seconds: 2 };
    let calls = 0;
    const account = booked(async (asked) => {
      if (++calls === 3) throw new Error('no');
      return { ...answer('four', asked), ...about, stored: calls === 2 };
    });
    await account.ask(request, { replicate: 0 });
    await account.ask(request, { replicate: 0 });
    await expect(account.ask(request, { replicate: 0 })).rejects.toThrow('no');
    const tokens = { input: 20, output: 8, estimated: false };
    const key = requestKey(request, 0);
    expect(account.read()).toEqual({
      ...{ tokens, usd: 1, seconds: 4, elapsed: 4, answers: 2, keys: [key, key] },
      requests: { sent: 2, rateLimited: 0, timedOut: 0, failed: 0, cutOff: 0, refused: 0 },
    });
  });

  it('counts every sent attempt by its outcome', async () => {
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
    const account = booked(async (asked) => {
      const next = outcomes.shift();
      if (next instanceof Error) throw next;
      return { ...answer('', asked), finish: next as 'length' | 'refusal' };
    }, outcomes.length);
    for (let question = 0; question < 5; question++) {
      await account.ask(request, { replicate: question }).catch(() => {});
    }
    const { requests, answers } = account.read();
    expect(answers).toBe(2);
    expect(requests).toEqual({
      ...{ sent: 6, rateLimited: 1, timedOut: 1, failed: 2, cutOff: 1, refused: 1 },
    });
  });

  it('counts concurrent requests once in the elapsed time', async () => {
    const seconds = new Map([3, 1, 2, 5].map((time, replicate) => [replicate, time]));
    const account = booked(async (asked, { replicate }) => {
      return { ...answer('', asked), seconds: seconds.get(replicate) ?? 0 };
    });
    const request: LlmRequest = { model: 'm', messages: [], maxOutputTokens: 1 };
    await account.ask(request, { replicate: 0 });
    await Promise.all([1, 2].map((replicate) => account.ask(request, { replicate })));
    await account.ask(request, { replicate: 3 });
    expect(account.read()).toMatchObject({ seconds: 11, elapsed: 10 });
    expect(addBookings(account.read(), account.read())).toMatchObject({ seconds: 22, elapsed: 20 });
  });

  it('reads the same to the last digit for any order of answers', async () => {
    const costs = [0.1, 0.2, 0.3, 0.7];
    const order = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
    await fc.assert(
      fc.asyncProperty(order, async (coming) => {
        const answers: (() => void)[] = [];
        const account = booked((asked) => {
          const usd = costs[answers.length];
          return new Promise((resolve) => {
            answers.push(() => resolve({ ...answer('', asked), usd, seconds: usd }));
          });
        });
        const request: LlmRequest = { model: 'm', messages: [], maxOutputTokens: 1 };
        const all = costs.map(() => account.ask(request, { replicate: 0 }));
        for (const place of coming) {
          answers[place]();
          await all[place];
        }
        const sum = costs.reduce((a, b) => a + b, 0);
        expect(account.read()).toMatchObject({ usd: sum, seconds: sum, answers: 4 });
      }),
    );
  });
});
