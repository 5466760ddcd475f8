import Table from 'cli-table3';
import { stringify } from 'csv-stringify/sync';
import picocolors from 'picocolors';
import type { Column, Tone } from './columns.js';

/** How results are written: for people in a terminal, for programs, or for a document. */
export type Format = 'table' | 'json' | 'csv' | 'md';

/** All formats, the default for a terminal first. */
export const formats: readonly Format[] = ['table', 'json', 'csv', 'md'];

/** How a table for people may look. */
export interface TableStyle {
  /** Default false. */
  readonly color?: boolean | undefined;
  /** Columns of the terminal; minor columns are left out until the table fits. Default: any. */
  readonly width?: number | undefined;
}

/**
 * Writes rows in a format, ending in a line break. JSON is the rows themselves, CSV has the full
 * values of all columns; only tables for people (`table`, `md`) have rounded numbers.
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  format: Format,
  style: TableStyle = {},
): string {
  if (format === 'json') return renderJson(rows);
  if (format === 'csv') return renderCsv(columns, rows);
  const visible = columns.filter(({ hidden }) => !hidden);
  return format === 'md' ? renderMarkdown(visible, rows) : renderBox(visible, rows, style);
}

/** Any value as indented JSON, ending in a line break. */
export function renderJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function renderCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = rows.map((row) => columns.map(({ value }) => value(row)));
  return stringify([columns.map(({ key }) => key), ...lines], {
    cast: { boolean: String },
  });
}

function renderMarkdown<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const escaped = (text: string) =>
    text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('\n', ' ');
  return [
    line(columns.map(({ header }) => escaped(header))),
    line(columns.map((column) => (alignment(column) === 'right' ? '---:' : '---'))),
    ...rows.map((row) => line(columns.map((column) => escaped(cellText(column, row))))),
  ].join('');
}

function renderBox<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  style: TableStyle,
): string {
  const paint = paints(style.color ?? false);
  const shown = fitColumns(columns, rows, style.width ?? Number.POSITIVE_INFINITY);
  const table = new Table({
    head: shown.map(({ header }) => paint.quiet(header)),
    colAligns: shown.map(alignment),
    chars: NO_BORDERS,
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': GUTTER },
  });
  for (const row of rows) {
    table.push(shown.map((column) => paint[column.tone?.(row) ?? 'plain'](cellText(column, row))));
  }
  const [head, ...lines] = table
    .toString()
    .split('\n')
    .map((text) => text.trimEnd());
  const rule = paint.quiet('─'.repeat(tableWidth(shown, rows)));
  return `${[head, rule, ...lines].join('\n')}\n`;
}

/** Spaces between two columns. */
const GUTTER = 2;

/** No borders: they cost more room than they give order. */
const NO_BORDERS = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', right: '', 'right-mid': '' },
  ...{ mid: '', 'mid-mid': '', middle: '' },
};

/** Leaves out minor columns, the last first, until the table fits. */
function fitColumns<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
): readonly Column<Row>[] {
  let shown = columns;
  while (tableWidth(shown, rows) > width) {
    const least = shown.findLastIndex(({ minor }) => minor);
    if (least < 0) break;
    shown = shown.toSpliced(least, 1);
  }
  return shown;
}

function tableWidth<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): number {
  const widths = columns.map((column) =>
    rows.reduce((most, row) => Math.max(most, cellText(column, row).length), column.header.length),
  );
  return widths.reduce((total, width) => total + width, GUTTER * (columns.length - 1));
}

function cellText<Row>({ value, format }: Column<Row>, row: Row): string {
  const cell = value(row);
  return format === undefined ? String(cell ?? '') : format(cell, row);
}

function alignment<Row>({ align, format }: Column<Row>): 'left' | 'right' {
  return align ?? (format === undefined ? 'left' : 'right');
}

function paints(color: boolean): Record<Tone, (text: string) => string> {
  const { green, red, dim } = picocolors.createColors(color);
  return { good: green, bad: red, quiet: dim, plain: (text) => text };
}
