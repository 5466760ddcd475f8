import { InputError } from '@alas-jssp/core/errors';
import { readCsvRows } from '../formats/csv-rows.js';
import { normalizeHeading } from './headings.js';
import { decodeImport, type ImportFile, NUMBERS, refuseMoreCells } from './table.js';

/** A row of a table of machines, setups, transport or operators. */
export interface TableRow<Field extends string> {
  /** From 1. */
  readonly line: number;
  /** The text of a cell; '' if it is empty or the table has no such column. */
  text(field: Field): string;
  /** The number of a cell, 0 or more; undefined if it is empty. @throws InputError for anything else */
  number(field: Field): number | undefined;
  /** An error about this row, with file and line. */
  error(problem: string, hint: string): InputError;
}

/** The columns of a table: their English and German headings, and whether it must have them. */
export type TableColumns<Field extends string> = Readonly<
  Record<Field, { readonly headings: readonly string[]; readonly required?: boolean }>
>;

/** Whether a row of headings has the necessary columns of a table, and no others. */
export function fitsTable(headings: readonly string[], columns: TableColumns<string>): boolean {
  const titles = new Set(headings.map(normalizeHeading));
  const found = Object.values(columns).map(({ headings: usual, required }) => {
    const named = usual.map(normalizeHeading).filter((title) => titles.delete(title));
    return named.length === 1 || (named.length === 0 && !required);
  });
  return titles.size === 0 && found.every(Boolean);
}

/**
 * Reads a table with known columns.
 *
 * @param decimal the decimal sign; default: a point or a comma, whichever a number has
 * @throws InputError `bad_table` with file and line: no rows, more cells than headings, or a missing, unknown or duplicate
 *   column
 */
export function readShopTable<Field extends string>(
  { name: file, bytes }: ImportFile,
  columns: TableColumns<Field>,
  decimal: '.' | ',' | undefined,
): TableRow<Field>[] {
  const lines: { readonly cells: readonly string[]; readonly line: number }[] = [];
  readCsvRows(decodeImport(bytes, file).text, file, (cells, line) => lines.push({ cells, line }));
  const [head, ...body] = lines;
  const fields = Object.keys(columns) as Field[];
  const known = fields.map((field) => columns[field].headings[0]).join(', ');
  if (body.length === 0) {
    const hint = `give a row of headings (${known}), and rows`;
    throw new InputError('bad_table', 'there are no rows', hint, { file });
  }
  const found = new Map<Field, number>();
  head.cells.forEach((cell, i) => {
    const title = normalizeHeading(cell);
    const field = fields.find((one) => columns[one].headings.map(normalizeHeading).includes(title));
    const location = { file, line: head.line };
    if (field === undefined) {
      const problem = `the column ${JSON.stringify(cell)} is unknown`;
      throw new InputError('bad_table', problem, `use ${known}`, location, cell);
    }
    if (found.has(field)) {
      const problem = `two columns could be ${columns[field].headings[0]}`;
      throw new InputError('bad_table', problem, 'remove one', location, cell);
    }
    found.set(field, i);
  });
  const missing = fields.find((field) => columns[field].required && !found.has(field));
  if (missing !== undefined) {
    const problem = `there is no column ${columns[missing].headings[0]}`;
    throw new InputError('bad_table', problem, `use ${known}`, { file, line: head.line });
  }
  return body.map(({ cells, line }) => {
    refuseMoreCells(cells, head.cells.length, 'bad_table', { file, line });
    return tableRow(cells, found, decimal, { file, line });
  });
}

function tableRow<Field extends string>(
  cells: readonly string[],
  columns: ReadonlyMap<Field, number>,
  decimal: '.' | ',' | undefined,
  location: { readonly file: string; readonly line: number },
): TableRow<Field> {
  const error = (problem: string, hint: string) =>
    new InputError('bad_table', problem, hint, location);
  const text = (field: Field) => cells[columns.get(field) ?? -1] ?? '';
  return {
    line: location.line,
    text,
    error,
    number(field) {
      const cell = text(field);
      if (cell === '') return undefined;
      const signs = decimal === undefined ? (['.', ','] as const) : ([decimal] as const);
      const numbers = signs
        .filter((one) => NUMBERS[one].test(cell))
        .map((one) => numberOf(cell, one));
      const shown = `the ${field} is ${JSON.stringify(cell)}`;
      if (numbers.length === 0) throw error(shown, 'give a number of 0 or more');
      const [number, other = number] = numbers;
      if (number === other) return number;
      const problem = `${shown}, which is ${number} or ${other}`;
      throw error(problem, 'say which in the mapping (decimal)');
    },
  };
}

function numberOf(cell: string, decimal: '.' | ','): number {
  return Number(decimal === ',' ? cell.replaceAll('.', '').replace(',', '.') : cell);
}
