import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LlmRequest } from '../../src/llm/client.js';
import {
  addSpending,
  createLedger,
  NOTHING_SPENT,
  type Spending,
} from '../../src/pipeline/spending.js';
import { answer } from '../llm/scripted-models.js';

const spending: fc.Arbitrary<Spending> = fc.record({
  usage: fc.record({ input: fc.nat(99), output: fc.nat(99), estimated: fc.boolean() }),
  costUsd: fc.option(fc.nat(99)),
  seconds: fc.nat(99),
  answers: fc.nat(9),
});

describe('addSpending', () => {
  it('adds in any order; what has no price makes all of it have none', () => {
    fc.assert(
      fc.property(spending, spending, spending, (a, b, c) => {
        expect(addSpending(a, b)).toEqual(addSpending(b, a));
        expect(addSpending(addSpending(a, b), c)).toEqual(addSpending(a, addSpending(b, c)));
        expect(addSpending(a, NOTHING_SPENT)).toEqual(a);
        expect(addSpending(a, b).costUsd === null).toBe(a.costUsd === null || b.costUsd === null);
      }),
    );
  });
});

describe('a ledger', () => {
  it('books answers, stored or not, and nothing of a question that fails', async () => {
    const request: LlmRequest = { model: 'm', messages: [], maxOutputTokens: 1 };
    const about = { costUsd: 0.5, seconds: 2 };
    let calls = 0;
    const ledger = createLedger(async (asked) => {
      if (++calls === 3) throw new Error('no');
      return { ...answer('four', asked), ...about, stored: calls === 2 };
    });
    await ledger.ask(request, { replicate: 0 });
    await ledger.ask(request, { replicate: 0 });
    await expect(ledger.ask(request, { replicate: 0 })).rejects.toThrow('no');
    const usage = { input: 20, output: 8, estimated: false };
    expect(ledger.read()).toEqual({ usage, costUsd: 1, seconds: 4, answers: 2 });
  });
});
