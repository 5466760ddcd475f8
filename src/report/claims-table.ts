import type { ClaimedTable, PaperClaims } from '../harness/paper/claims.js';
import { type Column, columnsOf } from './columns.js';
import type { TitledTable } from './paper-tables.js';
import { type Format, renderTable, type TableStyle } from './table.js';

/** Writes the tables of the paper as they are printed there, each marked as claimed. */
export function claimedTables(
  { tables }: PaperClaims,
  format: Extract<Format, 'table' | 'md'>,
  style: TableStyle,
): TitledTable[] {
  return Object.values(tables).map(({ number, title, columns, rows }: ClaimedTable) => ({
    title: `Claimed in table ${number} of the paper, not measured here: ${title}`,
    text: renderTable(claimedColumns(columns), rows, format, style),
  }));
}

function claimedColumns(names: readonly string[]): Column<ClaimedTable['rows'][number]>[] {
  const column = columnsOf<ClaimedTable['rows'][number]>();
  return names.map((name, index) =>
    column.of(name, (row) => row[index], {
      header: name === 'method' ? 'method (claimed)' : name,
      align: names.length > 4 && index < 2 ? 'left' : index === 0 ? 'left' : 'right',
    }),
  );
}
