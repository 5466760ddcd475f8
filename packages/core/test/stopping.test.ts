import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyOf,
  atTarget,
  type Budget,
  budgetCriterion,
  formatBudget,
  maxIdle,
  maxIterations,
  maxSeconds,
  parseBudget,
  toBudget,
} from '../src/stopping.js';

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
    ['500ms', { seconds: 0.5 }],
    ['10s', { seconds: 10 }],
    ['1.5m', { seconds: 90 }],
    ['1h', { seconds: 3600 }],
    ['123-iterations', { iterations: 123 }],
    ['200k-iterations', { iterations: 200_000 }],
    ['5M-iterations', { iterations: 5_000_000 }],
    ['target:1234', { target: 1234 }],
    ['10s, target:1234', { seconds: 10, target: 1234 }],
  ])('reads %s', (text, budget) => {
    expect(parseBudget(text)).toEqual(budget);
  });

  it('refuses everything else and says how to write it', () => {
    for (const text of [
      '10s,',
      '10s,20s',
      '',
      '10',
      '10 s',
      '-1s',
      '0s',
      '0-iterations',
      'target:',
      'target:1.5',
    ]) {
      expect(() => parseBudget(text)).toThrow(
        `'${text}' is no budget; write it like 10s, 2m, 200k-iterations or target:1234`,
      );
    }
  });

  it('reads what formatBudget writes', () => {
    const positive = fc.integer({ min: 1, max: 2 ** 31 });
    const part = fc.record(
      { seconds: positive.map((t) => t / 8), iterations: positive, target: fc.nat() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        part.filter((budget) => Object.keys(budget).length > 0),
        (budget) => {
          expect(parseBudget(formatBudget(budget))).toEqual(budget);
          expect(toBudget(budget)).toEqual(budget);
        },
      ),
    );
  });

  it('accepts texts and objects', () => {
    expect(toBudget('2m')).toEqual({ seconds: 120 });
    for (const wrong of [{}, { seconds: 0 }, { iterations: 1.5 }, { target: -1 }]) {
      expect(() => toBudget(wrong as Budget)).toThrow('write it like 10s, 2m');
    }
  });

  it('reads numbers that JavaScript writes with an exponent', () => {
    for (const budget of [{ seconds: 1e-7 }, { iterations: 1e21 }, { target: 1.5e21 }]) {
      expect(parseBudget(formatBudget(budget))).toEqual(budget);
    }
  });

  it.each([
    [null, 'null is no budget'],
    [5, '5 is no budget'],
    [[5], '5 is no budget'],
    [{ seconds: 1, iteration: 5 }, "a budget has no 'iteration'"],
  ])('refuses %j', (wrong, message) => {
    expect(() => toBudget(wrong as Budget)).toThrow(message);
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
