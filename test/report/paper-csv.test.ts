import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { paperReport } from '../../src/harness/paper/report.js';
import { paperCsv } from '../../src/report/paper-csv.js';
import { optimizedRecord } from '../harness/fixtures.js';

const records = ['degraded:0.1', 'dispatch:best'].flatMap((planner, p) =>
  Array.from({ length: 12 }, (_, k) =>
    optimizedRecord(140 + k - 9 * p, 110 + k - 9 * p, {
      planner,
      synthetic: p === 0,
      suite: k % 2 === 0 ? 'dmu' : 'ft',
      instance: `i${k}`,
    }),
  ),
);
const report = paperReport(records, { baseline: { planner: 'dispatch:best', variant: 'full' } });

describe('paperCsv', () => {
  it('has every cell of every table with exact numbers', () => {
    const rows = parse(paperCsv(report), { columns: true }) as Record<string, string>[];
    const cells = Object.values(report.tables).flatMap((table) =>
      table.rows.flatMap((row) => row.cells),
    );
    expect(rows).toHaveLength(cells.length + report.summary.length);
    const all = rows.find(
      ({ table, suite, stage }) => table === 'optimality' && suite === '' && stage === 'optimize',
    );
    const cell = report.tables.optimality.rows[1].cells[2];
    expect(all).toMatchObject({
      planner: 'degraded:0.1',
      synthetic: 'true',
      mean: String(cell.mean),
      p_t_holm: String(cell.baseline?.p_t_holm),
      wilcoxon: 'exact',
      mark: '(*)',
    });
  });
});
