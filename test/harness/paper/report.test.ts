import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PaperOptions, paperReport } from '../../../src/harness/paper/report.js';
import type { RunRecord } from '../../../src/harness/records/record.js';
import { makeRecord, optimizedRecord } from '../fixtures.js';

const SUITES = ['swv', 'dmu', 'names'];

/** Three replicates on six instances of three suites, with makespans a little above `least`. */
function recordsOf(planner: string, least: number, changes: Partial<RunRecord> = {}): RunRecord[] {
  return Array.from({ length: 18 }, (_, k) =>
    optimizedRecord(least + 20 + (k % 5), least + (k % 7), {
      planner,
      suite: SUITES[k % 3],
      instance: `i${k % 6}`,
      replicate: Math.floor(k / 6),
      ...changes,
    }),
  );
}

const records = [
  ...recordsOf('insertion', 130),
  ...recordsOf('dispatch:spt', 110),
  ...recordsOf('dispatch:spt', 120, { variant: 'no-repair' }),
];
const baseline = { planner: 'insertion', variant: 'full' };
const report = (options: PaperOptions = {}) => paperReport(records, options);
const allOf = (table: keyof ReturnType<typeof report>['tables'], options?: PaperOptions) =>
  report(options).tables[table].rows.map(({ planner, variant, stage, cells }) => ({
    name: `${planner} ${variant} ${stage}`,
    ...cells[cells.length - 1],
  }));

describe('paperReport', () => {
  it('has the suites of the paper first, and a cell for each and for all', () => {
    expect(report().suites).toEqual(['dmu', 'swv', 'names']);
    const [row] = report().tables.success.rows;
    expect(row.cells.map(({ suite }) => suite)).toEqual(['dmu', 'swv', 'names', null]);
  });

  it('tests the only suite there is once, so that no p is corrected for it twice', () => {
    const some = records.map((record) => ({ ...record, suite: 'swv' }));
    const { tables } = paperReport(some, { baseline });
    const { rows } = tables.success;
    expect(rows.map(({ cells }) => cells.map(({ suite }) => suite))).toEqual(
      rows.map(() => ['swv']),
    );
    const [only] = tables.ablation.rows.flatMap(({ cells }) => cells[0].baseline ?? []);
    expect(only.p_t_holm).toBe(only.p_t);
    expect(only.p_wilcoxon_holm).toBe(only.p_wilcoxon);
  });

  it('keeps the stages apart, and adds what they took', () => {
    const stages = ['plan', 'optimize'];
    const names = ['insertion full', 'dispatch:spt full', 'dispatch:spt no-repair'];
    const rows = (some: readonly string[]) =>
      names.flatMap((name) => some.map((s) => `${name} ${s}`));
    expect(allOf('success').map(({ name }) => name)).toEqual(rows(stages));
    expect(allOf('time').map(({ name }) => name)).toEqual(rows([...stages, 'total']));
    const [planned, searched] = allOf('optimality');
    expect(planned.mean).toBeLessThan(searched.mean as number);
  });

  it('counts records, values and instances, and has both means and an interval', () => {
    const [, cell] = allOf('optimality');
    expect(cell).toMatchObject({ records: 18, values: 18, instances: 6, baseline: null });
    const mean = cell.mean as number;
    expect(cell.geometric_mean).toBeLessThan(mean);
    expect(cell.low).toBeLessThan(mean);
    expect(cell.high).toBeGreaterThan(mean);
    expect(allOf('success')[0]).toMatchObject({ mean: 100, geometric_mean: 100, low: null });
  });

  it('tests every row but the baseline itself, at its own stage, by instances', () => {
    const cells = allOf('optimality', { baseline });
    expect(cells.slice(0, 2).map((cell) => cell.baseline)).toEqual([null, null]);
    for (const cell of cells.slice(2)) {
      expect(cell.baseline).toMatchObject({ pairs: 6, p_wilcoxon: 1 / 32, mark: '' });
    }
    const [insertion, , spt] = cells;
    expect(spt.baseline?.mean).toBeCloseTo(insertion.mean as number, 9);
  });

  it('sets variants beside full of the same planner, whatever the baseline is', () => {
    const cells = allOf('ablation');
    expect(cells.map(({ name }) => name)).toEqual([
      'dispatch:spt full total',
      'dispatch:spt no-repair total',
    ]);
    expect(cells[0].baseline).toBeNull();
    expect(cells[1].baseline?.mark).toBe('(†)');
  });

  it('counts what has no feasible schedule as 0 in the ablation, and not in the optimality', () => {
    const failed = records.map((record, k) =>
      k === 18 ? makeRecord({ ...record, makespan: null, feasible: false }) : record,
    );
    const { tables } = paperReport(failed);
    const last = (table: 'optimality' | 'ablation', row: number) =>
      tables[table].rows[row].cells[3];
    expect(last('optimality', 3).values).toBe(18);
    expect(last('ablation', 0).values).toBe(18);
    expect(last('ablation', 0).mean).toBeLessThan(last('optimality', 3).mean as number);
  });

  it('sums up what each ended with beside what the baseline ended with', () => {
    const { summary } = report({ baseline });
    expect(summary.map(({ measure }) => measure).slice(0, 5)).toEqual([
      'success_percent',
      'optimality_percent',
      'tokens',
      'cost_usd',
      'seconds',
    ]);
    expect(summary).toHaveLength(15);
    expect(summary[6].cell.baseline).toMatchObject({ pairs: 6, p_wilcoxon_holm: 1 / 16, mark: '' });
  });

  it('has no costs where a price is unknown, and says of how many it is known', () => {
    const priced = records.map((record, k) => ({ ...record, cost_usd: k % 2 === 0 ? 0.5 : null }));
    const totals = paperReport(priced).tables.cost.rows.filter(({ stage }) => stage === 'total');
    expect(totals[0].cells[3]).toMatchObject({ records: 18, values: 9, sum: 4.5, mean: 0.5 });
  });

  it('says which planners are synthetic', () => {
    const made = paperReport(recordsOf('degraded:0.1', 110, { synthetic: true }));
    for (const { rows } of Object.values(made.tables)) {
      for (const { synthetic } of rows) expect(synthetic).toBe(true);
    }
    expect(made.summary.every(({ synthetic }) => synthetic)).toBe(true);
  });

  it('does not depend on the order of records, but for that of its rows', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(recordsOf('insertion', 130), { minLength: 18 }), (some) => {
        const [a, b] = [recordsOf('insertion', 130), some].map(
          (list) => paperReport(list).tables.optimality.rows[1].cells[3],
        );
        expect(b.mean).toBeCloseTo(a.mean as number, 9);
        expect([b.values, b.instances]).toEqual([a.values, a.instances]);
      }),
      { numRuns: 10 },
    );
  });

  it('says the same with the same seed, and of nothing nothing', () => {
    expect(report({ seed: 5 })).toEqual(report({ seed: 5 }));
    expect(report({ seed: 5 }).tables).not.toEqual(report({ seed: 6 }).tables);
    expect(paperReport([]).tables.success.rows).toEqual([]);
  });
});
