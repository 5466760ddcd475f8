import picocolors from 'picocolors';
import type { Column } from '../report/columns.js';
import { type Format, renderJson, renderTable, type TableStyle } from '../report/table.js';
import type { OutputOptions } from './options.js';

/** How tables look on this terminal: colours unless NO_COLOR is set, no wider than it is. */
export function tableStyle(): TableStyle {
  const { isTTY, columns } = process.stdout;
  return { color: isTTY && picocolors.isColorSupported, width: isTTY ? columns : undefined };
}

/** Writes text to stdout. */
export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Writes a remark to stderr unless the user wants quiet. */
export function remark({ quiet }: Pick<OutputOptions, 'quiet'>, text: string): void {
  if (!quiet) process.stderr.write(`${text}\n`);
}

/** Prints rows in the wanted format; `data` is what JSON shows, by default the rows. */
export function printRows<Row>(
  format: Format,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  data: unknown = rows,
): void {
  print(format === 'json' ? renderJson(data) : renderTable(columns, rows, format, tableStyle()));
}
