import type { Measurement } from '../harness/paper/measurement.js';
import type { PaperReport, PaperRow } from '../harness/paper/report.js';
import { columnsOf } from './columns.js';
import { renderTable } from './table.js';

/** One cell of a table as a row of the CSV. */
interface FlatRow {
  readonly table: string;
  readonly measure: string;
  readonly row: Omit<PaperRow, 'cells'>;
  readonly cell: Measurement;
}

/** Writes every cell of every table as one row with exact numbers. */
export function paperCsv({ tables, summary }: PaperReport): string {
  const cells = Object.entries(tables).flatMap(([table, { measure, rows }]) =>
    rows.flatMap((row) => row.cells.map((cell): FlatRow => ({ table, measure, row, cell }))),
  );
  const lines = summary.map(({ measure, cell, ...row }) => {
    return { table: 'summary', measure, row, cell };
  });
  return renderTable(flatColumns, [...cells, ...lines], 'csv');
}

const column = columnsOf<FlatRow>();

const flatColumns = [
  ...column.hidden('table', 'measure'),
  ...column.hiddenAs({
    planner: 'row.planner',
    synthetic: 'row.synthetic',
    variant: 'row.variant',
    method: 'row.method',
    stage: 'row.stage',
    suite: 'cell.suite',
    records: 'cell.records',
    values: 'cell.values',
    instances: 'cell.instances',
    sum: 'cell.sum',
    mean: 'cell.mean',
    geometric_mean: 'cell.geometric_mean',
    deviation: 'cell.deviation',
    low: 'cell.low',
    high: 'cell.high',
    baseline_mean: 'cell.baseline.mean',
    pairs: 'cell.baseline.pairs',
    difference: 'cell.baseline.difference',
    t: 'cell.baseline.t',
    freedom: 'cell.baseline.freedom',
    p_t: 'cell.baseline.p_t',
    p_t_holm: 'cell.baseline.p_t_holm',
    differing: 'cell.baseline.differing',
    wilcoxon: 'cell.baseline.wilcoxon',
    p_wilcoxon: 'cell.baseline.p_wilcoxon',
    p_wilcoxon_holm: 'cell.baseline.p_wilcoxon_holm',
    mark: 'cell.baseline.mark',
  }),
];
