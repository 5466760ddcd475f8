import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRuns } from '../../../src/harness/records/compare.js';
import { crossedLimits } from '../../../src/harness/records/gate.js';
import { parseLimits } from '../../../src/harness/records/limits.js';
import type { RunRecord } from '../../../src/harness/records/record.js';
import { makeRecord, makeRun } from '../fixtures.js';

type Makespans = readonly (number | null)[];

function recordsOf(makespans: Makespans, changes: Partial<RunRecord> = {}): RunRecord[] {
  return makespans.map((makespan, i) => makeRecord({ makespan, instance: `i${i}`, ...changes }));
}

/** Holds makespans (upper bound 100) against limits, relative to those of a baseline. */
function cross(limits: string, makespans: Makespans, baseline?: Makespans) {
  const run = makeRun(recordsOf(makespans));
  const comparison = baseline ? compareRuns(run, makeRun(recordsOf(baseline))) : null;
  return crossedLimits(parseLimits(limits), run.records, comparison);
}

describe('crossedLimits', () => {
  it('lets a run at the limit pass and one beyond it not', () => {
    expect(cross('success<100', [110, 120])).toEqual([]);
    expect(cross('gap>15', [110, 120])).toEqual([]);
    expect(cross('gap>14.9', [110, 120])).toHaveLength(1);
    expect(cross('success<100', [110, null])).toHaveLength(1);
  });

  it('names the rows behind a crossing, the worst first', () => {
    const [crossing] = cross('gap>12', [105, 120, 111, 130]);
    expect(crossing).toMatchObject({ suite: 'abz', planner: 'dispatch:spt', threshold: 12 });
    expect(crossing.rows.map(({ record, value }) => [record.instance, value])).toEqual([
      ['i3', 30],
      ['i1', 20],
    ]);
    expect(crossing.message).toBe(
      'dispatch:spt on abz: gap is 16.5%, above the limit of 12% (gap>12)',
    );
    expect(cross('success<100', [110, null])[0].rows.map(({ record }) => record.instance)).toEqual([
      'i1',
    ]);
    expect(cross('proven<2', [90, 110])[0].rows.map(({ record }) => record.instance)).toEqual([
      'i1',
    ]);
  });

  it('names the rows that became worse when a relative limit is crossed', () => {
    const [crossing] = cross('gap>+0.2', [101, 103, 90], [101, 100, 91]);
    expect(crossing.rows).toHaveLength(1);
    expect(crossing.rows[0]).toMatchObject({ value: 3, baseline: 0, record: { instance: 'i1' } });
    expect(crossing.message).toMatch(/gap is -2%, was -2\.666667%, above the limit of -2\.466667%/);
  });

  it('names the rows that fail to improve when a limit demands it', () => {
    const gap = cross('gap>-5', [101, 90, 100], [100, 100, 100])[0];
    expect(gap.rows.map(({ record }) => record.instance)).toEqual(['i0', 'i2']);
    const makespan = cross('makespan>-2%', [100, 97], [100, 100])[0];
    expect(makespan.rows.map(({ record }) => record.instance)).toEqual(['i0']);
    const proven = cross('proven<+1', [90, 95], [90, 95])[0];
    expect(proven.rows.map(({ record }) => record.instance)).toEqual(['i1']);
    const success = cross('success<+10', [100, null], [100, null])[0];
    expect(success.rows.map(({ record }) => record.instance)).toEqual(['i1']);
  });

  it('never lets a run cross `+0` limits against itself', () => {
    const values = fc.array(fc.option(fc.integer({ min: 90, max: 999 }), { nil: null }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(values, (makespans) => {
        fc.pre(makespans.some((makespan) => makespan !== null));
        const limits =
          'success<+0,gap>+0,geogap>+0,optimality<+0,infeasible>+0,makespan>+0%,' +
          'proven<+0,errors>+0,time>+0%';
        expect(cross(limits, makespans, makespans)).toEqual([]);
      }),
    );
  });

  it('crosses a relative limit exactly when the mean over common feasible pairs moves beyond it', () => {
    const value = fc.option(fc.integer({ min: 90, max: 120 }), { nil: null });
    const cells = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(cells, fc.nat(8), (pairs, allowed) => {
        const common = pairs.filter(
          (pair): pair is [number, number] => pair[0] !== null && pair[1] !== null,
        );
        fc.pre(common.length > 0);
        const moved = common.reduce((sum, [now, was]) => sum + now - was, 0) / common.length;
        fc.pre(Math.abs(moved - allowed) > 1e-6);
        const crossings = cross(
          `gap>+${allowed}`,
          pairs.map(([now]) => now),
          pairs.map(([, was]) => was),
        );
        expect(crossings).toHaveLength(moved > allowed ? 1 : 0);
      }),
    );
  });

  it('does not let a lost hard instance pass for a smaller gap', () => {
    expect(cross('gap>+0', [101, null], [100, 150])).toHaveLength(1);
  });

  it('takes a limit in percent relative to the value of the baseline', () => {
    expect(cross('makespan>+1%', [202], [200])).toEqual([]);
    expect(cross('makespan>+1%', [203], [200])).toHaveLength(1);
  });

  it('counts what cannot be measured as crossed', () => {
    const [crossing] = cross('gap>50', [null, null]);
    expect(crossing).toMatchObject({ value: null, rows: [] });
    expect(crossing.message).toContain('gap cannot be measured');
    expect(cross('gap>+0', [110], [null])).toHaveLength(1);
  });

  it('judges each planner on each suite by itself', () => {
    const records = [
      ...recordsOf([100, 100, 100], { suite: 'easy' }),
      ...recordsOf([130], { suite: 'hard' }),
      ...recordsOf([140], { suite: 'hard', planner: 'insertion' }),
    ];
    const crossings = crossedLimits(parseLimits('gap>20'), records, null);
    expect(crossings.map(({ suite, planner }) => [suite, planner])).toEqual([
      ['hard', 'dispatch:spt'],
      ['hard', 'insertion'],
    ]);
  });

  it('refuses a relative limit without a baseline', () => {
    expect(() => cross('gap>+0.2', [100])).toThrow(
      "the limit 'gap>+0.2' is relative to a baseline",
    );
  });
});
