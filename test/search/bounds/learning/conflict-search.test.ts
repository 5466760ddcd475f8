import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Instance } from '../../../../src/jssp/instance.js';
import { createSchedule } from '../../../../src/jssp/schedule.js';
import { resolveSource } from '../../../../src/jssp/suites.js';
import { closeGap } from '../../../../src/search/bounds/learning/closing.js';
import { createConflictSearch } from '../../../../src/search/bounds/learning/conflict-search.js';
import { strongLowerBound } from '../../../../src/search/bounds/strong-lower-bound.js';
import { isFeasible } from '../../../../src/validator/judge.js';
import { arbitraryTiny } from '../arbitrary-tiny.js';
import { optimum } from '../optimum.js';
import { arbitrarySmall } from './arbitrary-small.js';

/** A campaign of 100,000: `ALAS_JSSP_PROVER_CASES=100000`. */
const numRuns = Number(process.env.ALAS_JSSP_PROVER_CASES ?? 400);
const timeout = 60_000 + 20 * numRuns;
const never = () => false;

/** Sees to it that a schedule without calendar keeps to an instance and a makespan. */
function expectWithin(instance: Instance, starts: Int32Array, makespan: number): void {
  expect(isFeasible(instance, starts)).toBe(true);
  expect(createSchedule(instance, starts).makespan).toBeLessThanOrEqual(makespan);
}

describe('a search that learns from contradictions', () => {
  it(
    'finds out whether there is a schedule, by enumeration of tiny shops',
    () => {
      fc.assert(
        fc.property(arbitraryTiny({ downtimes: false }), (instance) => {
          const least = optimum(instance);
          for (const trial of [least - 2, least - 1, least, least + 1].filter((t) => t >= 0)) {
            const search = createConflictSearch(instance, trial, never);
            expect(search.search(Infinity)).toBe(trial < least ? 'refuted' : 'possible');
            if (trial >= least) expectWithin(instance, search.starts, trial);
          }
        }),
        { numRuns },
      );
    },
    timeout,
  );

  it(
    'agrees with branching on shops of up to 7×6, interrupted and lowered as it may be',
    () => {
      fc.assert(
        fc.property(arbitrarySmall(), fc.integer({ min: 1, max: 50 }), (instance, turn) => {
          const least = strongLowerBound(instance, { maxNodes: Infinity }).value;
          let limit = least + 20;
          const search = createConflictSearch(instance, limit, never);
          for (;;) {
            const verdict = search.search(turn);
            if (verdict === 'refuted') break;
            if (verdict === 'undecided') continue;
            expectWithin(instance, search.starts, limit);
            limit = createSchedule(instance, search.starts).makespan - 1;
            search.limitTo(limit);
          }
          expect(limit).toBe(least - 1);
        }),
        { numRuns },
      );
    },
    timeout,
  );

  it('can be interrupted at any contradiction', () => {
    const instance = resolveSource('ft10').load();
    const search = createConflictSearch(instance, 929, () => true);
    expect(search.search(Infinity)).toBe('undecided');
    expect(search.conflicts).toBe(1);
    expect(search.search(Infinity)).toBe('undecided');
    expect(search.conflicts).toBe(2);
  });
});

describe('closing the gap', () => {
  it(
    'ends at the optimum, reports every rise and every better schedule',
    () => {
      fc.assert(
        fc.property(arbitrarySmall(), fc.nat(30), fc.nat(100), (instance, slack, asked) => {
          const least = strongLowerBound(instance, { maxNodes: Infinity }).value;
          const bounds: number[] = [];
          const makespans: number[] = [];
          let left = asked;
          const value = closeGap(instance, {
            value: Math.max(0, least - slack),
            upper: least + slack,
            upperBoundNow: () => (left-- > 0 ? least + slack : least + (slack >> 1)),
            isOver: never,
            onBound: (bound) => bounds.push(bound),
            onSchedule: (starts, makespan) => {
              expectWithin(instance, starts, makespan);
              makespans.push(makespan);
            },
          });
          expect(value).toBe(least);
          expect(bounds).toEqual([...new Set(bounds)].toSorted((a, b) => a - b));
          expect(makespans).toEqual([...new Set(makespans)].toSorted((a, b) => b - a));
        }),
        { numRuns: numRuns >> 1 },
      );
    },
    timeout,
  );

  it(
    'ends at the optimum of tiny shops in execution, and under downtimes never above it',
    () => {
      const shops = fc.oneof(
        arbitraryTiny({ downtimes: false }),
        arbitraryTiny({ downtimes: true }),
      );
      fc.assert(
        fc.property(shops, fc.nat(5), (instance, slack) => {
          const least = optimum(instance);
          const value = closeGap(instance, {
            value: 0,
            upper: least + slack,
            upperBoundNow: () => Infinity,
            isOver: never,
            onBound: (bound) => expect(bound).toBeLessThanOrEqual(least),
            onSchedule: () => {},
          });
          if (instance.calendar === null) expect(value).toBe(least);
          else expect(value).toBeLessThanOrEqual(least);
        }),
        { numRuns: numRuns >> 1 },
      );
    },
    timeout,
  );
});

test.each(['ft06', 'ft10', 'la16', 'la19', 'orb01', 'orb05'])(
  'the optimum of %s is found and proven from 2 %% above',
  (name) => {
    const { load, bounds } = resolveSource(name);
    const instance = load();
    const optimal = bounds?.upper ?? 0;
    const value = closeGap(instance, {
      value: strongLowerBound(instance, { maxNodes: 0 }).value,
      upper: Math.round(1.02 * optimal),
      upperBoundNow: () => Infinity,
      isOver: never,
      onBound: (bound) => expect(bound).toBeLessThanOrEqual(optimal),
      onSchedule: (starts, makespan) => expectWithin(instance, starts, makespan),
    });
    expect(value).toBe(optimal);
  },
);
