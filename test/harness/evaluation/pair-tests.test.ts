import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testPairs } from '../../../src/harness/evaluation/pair-tests.js';
import { pairRecords } from '../../../src/harness/records/pair.js';
import { makeRecord } from '../fixtures.js';

const record = (instance: string, makespan: number | null, changes = {}) =>
  makeRecord({ instance, makespan, lower_bound: 10, ...changes });

const cell = fc.record({
  instance: fc.constantFrom('i1', 'i2', 'i3', 'i4', 'i5', 'i6', 'i7'),
  run: fc.option(fc.integer({ min: 100, max: 140 })),
  baseline: fc.option(fc.integer({ min: 100, max: 140 })),
});

describe('testPairs', () => {
  const seven = Array.from({ length: 7 }, (_, k) => `i${k}`);

  it('shows what is better on the instances, with its interval', () => {
    const pairs = seven.map((name, k) => pairRecords(record(name, 90 + k), record(name, 100 + k)));
    const [values, success] = testPairs(pairs);
    expect(values).toMatchObject({
      measure: 'objective_percent',
      instances: 7,
      better: 7,
      worse: 0,
      p_wilcoxon: 2 / 2 ** 7,
      verdict: 'better',
    });
    expect(values.difference).toBeCloseTo(-9.72, 1);
    expect(values.high).toBeLessThan(0);
    expect(success).toMatchObject({ difference: 0, verdict: null, reason: 'all equal' });
  });

  it('tells values and failures apart', () => {
    const pairs = seven.map((name, k) =>
      pairRecords(record(name, k === 0 ? 100 : null), record(name, 100)),
    );
    const [values, success] = testPairs(pairs);
    expect(values).toMatchObject({ instances: 1, difference: 0 });
    expect(success).toMatchObject({ instances: 7, worse: 6, equal: 1, verdict: 'worse' });
  });

  it('takes replicates of an instance for one pair', () => {
    const replicate = (number: number, makespan: number) =>
      pairRecords(record('i1', makespan, { replicate: number }), record('i1', 100));
    expect(testPairs([replicate(0, 80), replicate(1, 100)])[0]).toMatchObject({
      instances: 1,
      difference: -10,
      reason: 'too few',
    });
  });

  it('says the opposite the other way round', () => {
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 20 }), (cells) => {
        const make = (isSwapped: boolean) =>
          testPairs(
            cells.map(({ instance, run, baseline }, replicate) => {
              const [one, other] = isSwapped ? [baseline, run] : [run, baseline];
              return pairRecords(
                record(instance, one, { replicate }),
                record(instance, other, { replicate }),
              );
            }),
          );
        const there = make(false);
        make(true).forEach((back, k) => {
          const { difference, p_wilcoxon, p_wilcoxon_holm, p_t, better, worse } = there[k];
          expect(back).toMatchObject({ p_wilcoxon, p_wilcoxon_holm, better: worse, worse: better });
          expect(back.difference ?? 0).toBeCloseTo(-(difference ?? 0), 9);
          expect(back.p_t ?? 1).toBeCloseTo(p_t ?? 1, 9);
        });
      }),
    );
  });
});
