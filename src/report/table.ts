import stringWidth from 'string-width';
import {
  alignment,
  type CellValue,
  type Column,
  cellText,
  columnsToShow,
  type Tone,
} from './columns.js';
import { renderLatex } from './latex.js';
import { painter, type Style } from './painter.js';

/** Format of results: for people in a terminal, for programs, or for a document. */
export type Format = 'table' | 'json' | 'csv' | 'md' | 'latex';

/** Formats of documents that hold several tables. */
export type DocumentFormat = Exclude<Format, 'json' | 'csv'>;

/** All formats, the default for a terminal first. */
export const formats: readonly Format[] = ['table', 'json', 'csv', 'md', 'latex'];

/** Appearance of a table for people. */
export interface TableStyle {
  /** Default false. */
  readonly color?: boolean | undefined;
  /**
   * Columns of the terminal; minor columns are omitted until the table fits, which a line below it states, and texts
   * that are still too long are wrapped. Default: unlimited.
   */
  readonly width?: number | undefined;
  /** The option to recommend for showing all columns. Default: `--format csv`. */
  readonly complete?: string | undefined;
}

/**
 * Writes rows in a format, ending in a line break. JSON is the rows themselves, CSV has the full
 * values of all columns; only tables for people (`table`, `md`, `latex`) have rounded numbers.
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  format: Format,
  style: TableStyle = {},
): string {
  if (format === 'json') return renderJson(rows);
  if (format === 'csv') return renderCsv(columns, rows);
  const visible = columnsToShow(columns, rows);
  if (format === 'md') return renderMarkdown(visible, rows);
  return format === 'latex' ? renderLatex(visible, rows) : renderBox(visible, rows, style);
}

/** Any value as indented JSON, ending in a line break. */
export function renderJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function renderCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = rows.map((row) => columns.map(({ value }) => value(row)));
  return [columns.map(({ key }) => key), ...lines]
    .map((cells) => `${cells.map(csvCell).join(',')}\n`)
    .join('');
}

/** A cell of CSV (RFC 4180): quoted if it contains special characters. */
export function csvCell(value: CellValue): string {
  const text = String(value ?? '');
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
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
  { color = false, width = Number.POSITIVE_INFINITY, complete = '--format csv' }: TableStyle,
): string {
  const paint = painter(color);
  const shown = fitColumns(columns, rows, width);
  const wrapped = narrowWidest(shown, columnWidths(shown, rows), width, WRAPPED);
  const widths = narrowWidest(shown, wrapped, width, LEAST_WRAPPED);
  const lines = (cells: readonly BoxCell[]) => boxLines(cells, widths, paint);
  const head = lines(
    shown.map((column) => ({ text: column.header, align: alignment(column), tone: 'quiet' })),
  );
  const body = rows.flatMap((row) => lines(shown.map((column) => boxCell(column, row))));
  const rule = paint(TONES.quiet, '─'.repeat(total(widths)));
  const note = leftOut(columns, shown, width, complete).map((line) => paint(TONES.quiet, line));
  return `${[...head, rule, ...body, ...note].join('\n')}\n`;
}

/** A cell of a table for people. */
interface BoxCell {
  readonly text: string;
  readonly align: 'left' | 'right';
  readonly tone: Tone;
}

function boxCell<Row>(column: Column<Row>, row: Row): BoxCell {
  return {
    text: cellText(column, row),
    align: alignment(column),
    tone: column.tone?.(row) ?? 'plain',
  };
}

/** The lines of a row: as many as its cell with the most lines has. */
function boxLines(
  cells: readonly BoxCell[],
  widths: readonly number[],
  paint: ReturnType<typeof painter>,
): string[] {
  const texts = cells.map(({ text }, index) => wrapText(text, widths[index]));
  const height = Math.max(...texts.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map(({ align, tone }, index) => {
        const text = texts[index][line] ?? '';
        const room = ' '.repeat(widths[index] - stringWidth(text));
        const painted = text === '' ? text : paint(TONES[tone], text);
        return align === 'right' ? room + painted : painted + room;
      })
      .join(' '.repeat(GUTTER))
      .trimEnd(),
  );
}

/** A text in lines of at most a width: broken between words, and a word that is longer ends in an ellipsis. */
function wrapText(text: string, width: number): string[] {
  const lines = text.split('\n');
  if (lines.every((line) => stringWidth(line) <= width)) return lines;
  return lines
    .flatMap((line) => wrapWords(line, width).split('\n'))
    .map((line) => shorten(line.trimEnd(), width));
}

function shorten(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const signs = [...text];
  while (stringWidth(signs.join('')) >= width) signs.pop();
  return `${signs.join('')}…`;
}

/** Names the omitted columns, in lines that fit. */
function leftOut<Row>(
  columns: readonly Column<Row>[],
  shown: readonly Column<Row>[],
  width: number,
  complete: string,
): string[] {
  const names = columns.filter((column) => !shown.includes(column)).map(({ header }) => header);
  if (names.length === 0) return [];
  // Columns with the same name, such as the intervals of suites, are named once.
  const text = `left out: ${[...new Set(names)].join(', ')}; ${complete} has all`;
  return wrapWords(text, width).split('\n');
}

/** Breaks a text between words into lines of at most a number of characters, unless a word is longer. */
export function wrapWords(text: string, width = Number.POSITIVE_INFINITY): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines[lines.length - 1]} ${word}`.trimStart();
    const isFirst = lines[lines.length - 1] === '';
    if (stringWidth(longer) > width && !isFirst) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.join('\n');
}

const TONES: Readonly<Record<Tone, Style | null>> = {
  good: 'green',
  bad: 'red',
  quiet: 'dim',
  plain: null,
};

/** Spaces between two columns. */
const GUTTER = 2;

/** Columns of text are not made narrower than this, … */
const WRAPPED = 12;
/** … or, if that does not suffice, than this. */
const LEAST_WRAPPED = 8;

/** Omits minor columns until the table fits. */
function fitColumns<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
): readonly Column<Row>[] {
  let shown = columns;
  while (total(columnWidths(shown, rows)) > width) {
    const most = Math.max(...shown.map(({ minor }) => minor ?? 0));
    if (most === 0) break;
    shown = shown.toSpliced(
      shown.findLastIndex(({ minor }) => minor === most),
      1,
    );
  }
  return shown;
}

/** The column widths with which the table fits after wrapping its widest text columns. */
function narrowWidest<Row>(
  columns: readonly Column<Row>[],
  widths: readonly number[],
  width: number,
  least: number,
): readonly number[] {
  const excess = total(widths) - width;
  const texts = widths.filter((_, index) => alignment(columns[index]) === 'left');
  const widest = Math.max(0, ...texts);
  if (excess <= 0 || widest <= least) return widths;
  const at = widths.findIndex((one, i) => one === widest && alignment(columns[i]) === 'left');
  const narrower = widths.with(at, Math.max(widest - excess, least));
  return narrowWidest(columns, narrower, width, least);
}

/** The width of a table whose columns have these widths. */
function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GUTTER * (widths.length - 1));
}

function columnWidths<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): number[] {
  return columns.map((column) =>
    rows.reduce(
      (most, row) => Math.max(most, textWidth(cellText(column, row))),
      textWidth(column.header),
    ),
  );
}

/** The width of the longest line of a text. */
function textWidth(text: string): number {
  return text.split('\n').reduce((most, line) => Math.max(most, stringWidth(line)), 0);
}
