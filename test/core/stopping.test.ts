import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyOf,
  atTarget,
  budgetCriterion,
  maxIdle,
  maxIterations,
  maxSeconds,
  parseBudget,
} from '../../src/core/stopping.js';

const state = { seconds: 5, iterations: 1000, idle: 300, best: 70 };

describe('stopping criteria', () => {
  it.each([
    ['seconds', maxSeconds, 5],
    ['iterations', maxIterations, 1000],
    ['idle iterations', maxIdle, 300],
  ])('of %s hold from their limit on', (_, criterion, limit) => {
    expect(criterion(limit)(state)).toBe(true);
    expect(criterion(limit + 1)(state)).toBe(false);
  });

  it('of a target hold when it is met', () => {
    expect(atTarget(70)(state)).toBe(true);
    expect(atTarget(69)(state)).toBe(false);
  });

  it('hold together when any of them does', () => {
    expect(anyOf([atTarget(1), maxSeconds(5)])(state)).toBe(true);
    expect(anyOf([atTarget(1), maxSeconds(6)])(state)).toBe(false);
    expect(anyOf([])(state)).toBe(false);
  });
});

describe('parseBudget', () => {
  it.each([
    ['500ms', { kind: 'seconds', amount: 0.5 }],
    ['10s', { kind: 'seconds', amount: 10 }],
    ['1.5m', { kind: 'seconds', amount: 90 }],
    ['1h', { kind: 'seconds', amount: 3600 }],
    ['123-iterations', { kind: 'iterations', amount: 123 }],
    ['200k-iterations', { kind: 'iterations', amount: 200_000 }],
    ['5M-iterations', { kind: 'iterations', amount: 5_000_000 }],
    ['target:1234', { kind: 'target', amount: 1234 }],
  ])('reads %s', (text, budget) => {
    expect(parseBudget(text)).toEqual(budget);
  });

  it('refuses everything else and says how to write it', () => {
    for (const text of ['', '10', '10 s', '-1s', '0s', '0-iterations', 'target:', 'target:1.5']) {
      expect(() => parseBudget(text)).toThrow(
        `'${text}' is no budget; write it like 10s, 2m, 200k-iterations or target:1234`,
      );
    }
  });

  it('makes a criterion that stops at the amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), (amount) => {
        const stop = budgetCriterion(parseBudget(`${amount}-iterations`));
        expect(stop({ ...state, iterations: amount - 1 })).toBe(false);
        expect(stop({ ...state, iterations: amount })).toBe(true);
      }),
    );
  });
});
