import type { Cell as Measured } from '../harness/paper/cells.js';
import type { PaperReport, PaperRow } from '../harness/paper/report.js';
import type { Cell, Column } from './columns.js';
import { renderTable } from './table.js';

/** One cell of a table as a row of the CSV. */
interface FlatRow {
  readonly table: string;
  readonly measure: string;
  readonly row: Omit<PaperRow, 'cells'>;
  readonly cell: Measured;
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

const flatColumns: readonly Column<FlatRow>[] = [
  flat('table', ({ table }) => table),
  flat('measure', ({ measure }) => measure),
  ...(['planner', 'synthetic', 'variant', 'method', 'stage'] as const).map((key) =>
    flat(key, ({ row }) => row[key]),
  ),
  ...(
    [
      ...(['suite', 'records', 'values', 'instances', 'sum', 'mean', 'geometric_mean'] as const),
      ...(['deviation', 'low', 'high'] as const),
    ] as const
  ).map((key) => flat(key, ({ cell }) => cell[key])),
  flat('baseline_mean', ({ cell }) => cell.baseline?.mean ?? null),
  ...(
    [
      ...(['pairs', 'difference', 't', 'freedom', 'p_t', 'p_t_holm', 'differing'] as const),
      ...(['wilcoxon', 'p_wilcoxon', 'p_wilcoxon_holm', 'mark'] as const),
    ] as const
  ).map((key) => flat(key, ({ cell }) => cell.baseline?.[key] ?? null)),
];

function flat(key: string, value: (row: FlatRow) => Cell): Column<FlatRow> {
  return { key, header: key, value };
}
