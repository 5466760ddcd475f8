import type { Clock } from '@alas-jssp/core/clock';
import { virtualClock } from '@alas-jssp/core/virtual-clock';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type BudgetLimits,
  type BudgetRefusal,
  insistOnBudget,
  newSpending,
  setAside,
  settleRequest,
  spentBy,
} from '../../../src/llm/admission/spending.js';
import { LlmError } from '../../../src/llm/errors.js';
import type { Usage } from '../../../src/llm/usage.js';

function createBudget(limits: BudgetLimits, clock: Clock) {
  const spending = newSpending();
  return {
    spent: () => spentBy(spending, clock.now()),
    insistOn: (least: Usage, seconds: number) =>
      insistOnBudget(spending, limits, least, seconds, clock.now()),
    reserve(least: Usage) {
      setAside(spending, limits, least, clock.now());
      return (taken: Usage | null) => settleRequest(spending, least, taken);
    },
  };
}

const expense = (tokens: number, usd: number | null = 0): Usage => ({
  answers: 1,
  tokens: { input: tokens, output: 0, estimated: false },
  usd,
  seconds: 0,
});
const refusal = (act: () => unknown): LlmError => {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(LlmError);
    expect((error as LlmError).code).toBe('BudgetSpent');
    return error as LlmError;
  }
  throw new Error('nothing was refused');
};

describe('a budget', () => {
  it('sums the usage of requests', () => {
    const budget = createBudget({}, virtualClock());
    budget.reserve(expense(10))({
      ...expense(0),
      tokens: { input: 7, output: 5, estimated: true },
      usd: 0.25,
    });
    budget.reserve(expense(10))(null);
    budget.reserve(expense(10))(expense(3, 0.5));
    expect(budget.spent()).toEqual({
      answers: 2,
      tokens: { input: 10, output: 5, estimated: true },
      usd: 0.75,
      seconds: 0,
    });
    budget.reserve(expense(1, null))(expense(1, null));
    expect(budget.spent().usd).toBe(null);
  });

  it('refuses a request that exceeds the rest, and states the spending', () => {
    const budget = createBudget({ tokens: 100 }, virtualClock());
    budget.reserve(expense(10))(expense(60, 0.5));
    const error = refusal(() => budget.insistOn(expense(41), 0));
    expect(error.message).toBe(
      'the budget of 100 tokens is spent: 60 tokens and $0.5000 went into 1 requests',
    );
    const { limit, spent } = error.value as BudgetRefusal;
    expect([limit, spent.tokens.input]).toEqual(['the budget of 100 tokens is spent', 60]);
    budget.insistOn(expense(40), 0);
  });

  it('counts requests in flight', () => {
    const budget = createBudget({ usd: 1 }, virtualClock());
    const settle = budget.reserve(expense(0, 0.75));
    expect(refusal(() => budget.reserve(expense(0, 0.5))).message).toContain(
      '1 more are in flight',
    );
    budget.insistOn(expense(0, 0.5), 0);
    settle(null);
    budget.reserve(expense(0, 0.5));
  });

  it('ends at its deadline, or before a wait that would pass it', async () => {
    const clock = virtualClock(1e12);
    const budget = createBudget({ seconds: 60 }, clock);
    await clock.sleep(3_600_000);
    expect(budget.spent().seconds).toBe(0);
    budget.insistOn(expense(0), 59);
    expect(refusal(() => budget.insistOn(expense(0), 60)).message).toMatch(
      /^the budget of 60 s ends before a wait of 60 s: /,
    );
    await clock.sleep(60_000);
    expect(refusal(() => budget.reserve(expense(0))).message).toMatch(
      /^the budget of 60 s is spent: /,
    );
    expect(budget.spent().seconds).toBe(60);
  });
});

test('only answers can exceed a budget of tokens, never the minimum usage', () => {
  const steps = fc.array(fc.record({ ask: fc.nat(50), take: fc.nat(50), wait: fc.boolean() }));
  fc.assert(
    fc.property(fc.nat(300), steps, (tokens, requests) => {
      const budget = createBudget({ tokens }, virtualClock());
      const open: (() => void)[] = [];
      let asked = 0;
      for (const { ask, take, wait } of requests) {
        const before = budget.spent().tokens.input;
        try {
          const settle = budget.reserve(expense(ask));
          asked = before + ask;
          expect(asked).toBeLessThanOrEqual(tokens);
          if (wait) open.push(() => settle(expense(Math.min(ask, take))));
          else settle(expense(Math.min(ask, take)));
        } catch (error) {
          expect(error).toBeInstanceOf(LlmError);
        }
      }
      for (const settle of open) settle();
      expect(budget.spent().tokens.input).toBeLessThanOrEqual(tokens);
    }),
  );
});
