import type { Measurement } from '../harness/paper/measurement.js';
import type { PaperReport, PaperRow } from '../harness/paper/report.js';
import type { PairedTests } from '../harness/statistics/difference-tests.js';
import { columnsOf } from './columns.js';
import { renderTable } from './table.js';

/** One cell of a table as a row of the CSV; without a baseline it has no tests. */
interface FlatRow
  extends Omit<PaperRow, 'cells'>,
    Omit<Measurement, 'baseline'>,
    Partial<Omit<PairedTests, 'mean'>> {
  readonly table: string;
  readonly measure: string;
  readonly baseline_mean?: PairedTests['mean'];
}

/** Writes every cell of every table as one row with exact numbers. */
export function paperCsv({ tables, summary }: PaperReport): string {
  const cells = Object.entries(tables).flatMap(([table, { measure, rows }]) =>
    rows.flatMap(({ cells, ...row }) => cells.map((cell) => flatRow(table, measure, row, cell))),
  );
  const lines = summary.map(({ measure, cell, ...row }) => flatRow('summary', measure, row, cell));
  return renderTable(flatColumns, [...cells, ...lines], 'csv');
}

function flatRow(
  table: string,
  measure: string,
  row: Omit<PaperRow, 'cells'>,
  { baseline, ...cell }: Measurement,
): FlatRow {
  return { table, measure, ...row, ...baseline, ...cell, baseline_mean: baseline?.mean ?? null };
}

const column = columnsOf<FlatRow>();

const flatColumns = [
  ...column.hidden('table', 'measure', 'planner', 'synthetic', 'variant', 'method', 'stage'),
  ...column.hidden('suite', 'records', 'values', 'instances', 'sum', 'mean', 'geometric_mean'),
  ...column.hidden('deviation', 'low', 'high', 'baseline_mean', 'pairs', 'difference'),
  ...column.hidden('t', 'freedom', 'p_t', 'p_t_holm'),
  ...column.hidden('differing', 'wilcoxon', 'p_wilcoxon', 'p_wilcoxon_holm', 'mark'),
];
