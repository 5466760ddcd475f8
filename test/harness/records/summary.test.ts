import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summarize } from '../../../src/harness/records/summary.js';
import { makeRecord, optimizedRecord } from '../fixtures.js';

describe('summarize', () => {
  it('counts all records but averages only over the feasible ones', () => {
    const { suites, overall } = summarize([
      makeRecord({ makespan: 100, lower_bound: 100 }),
      makeRecord({ makespan: 121 }),
      makeRecord({ makespan: null }),
      makeRecord({ makespan: null, status: 'error', violations: null }),
    ]);
    expect(suites).toEqual([
      {
        suite: 'abz',
        planner: 'dispatch:spt',
        synthetic: false,
        variant: 'full',
        method: null,
        objective: 'makespan',
        records: 4,
        feasible: 2,
        infeasible: 1,
        errors: 1,
        success_percent: 50,
        repaired: 0,
        optimized: 0,
        plan_gap_percent: 10.5,
        measured: 2,
        optimality_percent: (100 + 10000 / 121) / 2,
        gap_percent: 10.5,
        geometric_gap_percent: expect.closeTo(10, 9),
        tardiness_mean: null,
        proven_optimal: 1,
        executed: 0,
        degradation_percent: null,
        edited_operations: null,
        rank_changes: null,
        reassigned: null,
        repairs: 0,
        latency_p50_seconds: null,
        latency_p99_seconds: null,
        seconds_total: 2,
        seconds_mean: 0.5,
      },
    ]);
    expect(overall).toEqual([{ ...suites[0], suite: null }]);
  });

  it('tells the gap of the plans beside that of what a search made of them', () => {
    const { suites } = summarize([optimizedRecord(120, 105), optimizedRecord(140, 107)]);
    expect(suites[0]).toMatchObject({ optimized: 2, plan_gap_percent: 30, gap_percent: 6 });
  });

  it('has no averages where nothing is feasible', () => {
    const { suites } = summarize([makeRecord({ makespan: null })]);
    expect(suites[0]).toMatchObject({
      success_percent: 0,
      measured: 0,
      optimality_percent: null,
      gap_percent: null,
      geometric_gap_percent: null,
    });
  });

  it('says how many of the feasible records could be measured against an upper bound', () => {
    const { suites } = summarize([
      makeRecord({ makespan: 110 }),
      makeRecord({ makespan: 999, upper_bound: null }),
    ]);
    expect(suites[0]).toMatchObject({ feasible: 2, measured: 1, gap_percent: 10 });
  });

  it('has one row for each suite and planner, and one for each planner over all suites', () => {
    const label = fc.record({
      suite: fc.constantFrom('abz', 'ft', 'la'),
      planner: fc.constantFrom('insertion', 'dispatch:spt'),
    });
    fc.assert(
      fc.property(fc.array(label), (labels) => {
        const summary = summarize(labels.map((names) => makeRecord({ makespan: 110, ...names })));
        const count = (rows: readonly { records: number }[]) =>
          rows.reduce((total, { records }) => total + records, 0);
        expect(count(summary.suites)).toBe(labels.length);
        expect(count(summary.overall)).toBe(labels.length);
        expect(summary.suites).toHaveLength(
          new Set(labels.map(({ suite, planner }) => `${suite} ${planner}`)).size,
        );
        expect(summary.overall).toHaveLength(new Set(labels.map(({ planner }) => planner)).size);
      }),
    );
  });
});
