import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { constraintsOf } from '../../src/experiments/constraints.js';
import { conversationOf, tokensOfTurn } from '../../src/experiments/conversation.js';
import { latestTurns, relevantPast, relevantTurns } from '../../src/experiments/memory.js';
import { bundledNames, bundledPlan, bundledProblem, parseClock } from '../../src/index.js';

const draws = fc.record({
  name: fc.constantFrom(...bundledNames('problems')),
  filler: fc.integer({ min: 1, max: 3000 }),
  replicate: fc.integer({ min: 0, max: 1000 }),
  memory: fc.integer({ min: 0, max: 4000 }),
});
const tokens = (turns: readonly Parameters<typeof tokensOfTurn>[0][]) =>
  turns.reduce((sum, turn) => sum + tokensOfTurn(turn), 0);

describe('a growing conversation', () => {
  it('states each constraint once, and then is about other things for so many tokens', () => {
    fc.assert(
      fc.property(draws, ({ name, filler, replicate }) => {
        const problem = bundledProblem(name);
        const turns = conversationOf(problem, filler, replicate);
        const ids = constraintsOf(problem).map(({ id }) => id);
        const stated = turns.slice(0, ids.length).map(({ constraint }) => constraint);
        expect(stated.toSorted()).toEqual(ids.toSorted());
        const rest = turns.slice(ids.length);
        expect(rest.every(({ constraint }) => constraint === null)).toBe(true);
        expect(tokens(rest)).toBeGreaterThanOrEqual(filler);
        expect(tokens(rest.slice(0, -1))).toBeLessThan(filler);
        expect(conversationOf(problem, filler, replicate)).toEqual(turns);
      }),
      { numRuns: 30 },
    );
  });

  it('is remembered by recency: the longest end that fits', () => {
    fc.assert(
      fc.property(draws, ({ name, filler, replicate, memory }) => {
        const turns = conversationOf(bundledProblem(name), filler, replicate);
        const latest = latestTurns(turns, memory);
        expect(turns.slice(turns.length - latest.length)).toEqual(latest);
        expect(tokens(latest)).toBeLessThanOrEqual(memory);
        if (latest.length === turns.length) return;
        expect(tokens(turns.slice(turns.length - latest.length - 1))).toBeGreaterThan(memory);
      }),
      { numRuns: 30 },
    );
  });

  it('is remembered by relevance: with all constraints, however long it is', () => {
    const problem = bundledProblem('thanksgiving');
    for (const filler of [100, 10_000]) {
      const text = relevantTurns(problem, conversationOf(problem, filler, 1), 1200);
      for (const { says } of constraintsOf(problem)) expect(text).toContain(says);
      expect(text).not.toContain('library');
    }
    const turns = conversationOf(problem, 100, 1);
    expect(() => relevantTurns(problem, turns, 100)).toThrow(/need about \d+ tokens/);
  });

  it('has the begun actions of a log, also those under way', () => {
    const past = { plan: bundledPlan('wedding'), now: parseClock('13:00') };
    const text = relevantPast(bundledProblem('wedding-traffic'), past, [], 1200);
    expect(text).toContain('12:00 – 12:40: pat drives pats-car from W to B');
    expect(text).toMatch(/12:50 – 13:\d\d: pat drives pats-car from B/);
    expect(text).toContain('{"entity":"pat","name":"pat","state":{"at":"B","since":"12:40"}');
  });
});
