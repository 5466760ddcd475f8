import { isUtf8 } from 'node:buffer';
import { readBytes } from '@alas-jssp/core/bytes';
import { type ErrorFacts, InputError } from '@alas-jssp/core/errors';
import { decodeText } from '@alas-jssp/core/text';
import { readCsvRows } from '../formats/csv-rows.js';
import {
  columnsByField,
  type FoundColumns,
  findColumns,
  type PlainColumns,
  wordsOfField,
} from './headings.js';
import type { ImportField, ImportMap } from './import-map.js';

/** A row of a file: its cells by field. */
export interface ImportRow {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The text of a cell; '' if the file has no such column or the cell is empty. */
  text(field: ImportField): string;
  /** The text of a cell in a column that belongs to no field. */
  other(heading: string): string;
  /**
   * The number of a cell, 0 or more; undefined if it is empty.
   *
   * @throws InputError `bad_order` for anything else
   */
  number(field: ImportField): number | undefined;
  /** An error about this row, with file, line and order. */
  error(problem: string, hint: string, facts?: ErrorFacts): InputError;
}

/** The rows of a file, and the fields for which it has columns. */
export interface ImportTable {
  readonly file: string;
  readonly rows: readonly ImportRow[];
  readonly fields: ReadonlySet<ImportField>;
  /** The headings of columns that belong to no field. */
  readonly others: readonly string[];
  readonly encoding: TextEncoding;
}

/** The encoding in which a file was read. */
type TextEncoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

/** The bytes of a file, and its name. */
export interface ImportFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A file on disk, plain or gzip. */
export function importFile(name: string): ImportFile {
  return { name, bytes: readBytes(name) };
}

/** The columns of a file, before its rows are interpreted. */
interface ImportColumns {
  readonly file: string;
  readonly encoding: TextEncoding;
  readonly headings: readonly string[];
  /** The cells of its first rows. */
  readonly samples: readonly (readonly string[])[];
  /** The heading of each recognized field; a field with several candidate columns is omitted. */
  readonly fields: Readonly<Partial<Record<ImportField, string>>>;
}

/** Rows of a file that are shown before the import. */
const SAMPLES = 3;

/**
 * Reads the columns of a CSV file and the fields that their headings usually denote. @throws InputError as {@link
 * readCsvRows}
 */
export function readImportColumns({ name: file, bytes }: ImportFile): ImportColumns {
  const { text, encoding } = decodeImport(bytes, file);
  const lines: (readonly string[])[] = [];
  readCsvRows(text, file, (cells) => lines.length <= SAMPLES && lines.push(cells));
  const [headings = [], ...samples] = lines;
  const fields = columnsByField(headings, {})
    .filter(({ found }) => found.length === 1)
    .map(({ field, found: [column] }) => [field, headings[column]]);
  return { file, encoding, headings, samples, fields: Object.fromEntries(fields) };
}

/**
 * Reads a CSV file whose first row has headings.
 *
 * @param headings headings of columns with unusual names
 * @throws InputError `bad_order` with file and line: no rows, more cells than headings, an unknown heading, or a
 *   duplicate one
 */
export function readImportTable(
  { name: file, bytes }: ImportFile,
  headings: ImportMap['columns'],
  { decimal, ...plain }: Pick<ImportMap, 'decimal'> & PlainColumns,
): ImportTable {
  const { text, encoding } = decodeImport(bytes, file);
  const lines: { readonly cells: readonly string[]; readonly line: number }[] = [];
  readCsvRows(text, file, (cells, line) => lines.push({ cells, line }));
  const [head, ...body] = lines;
  if (body.length === 0) {
    const hint = 'give a row of headings, and one row for each order or operation';
    throw new InputError('bad_order', 'there are no rows', hint, { file });
  }
  const columns = findColumns({ ...head, file }, headings, plain);
  const sign = decimal ?? (columns.isGerman ? ',' : '.');
  const rows = body.map(({ cells, line }) => {
    refuseMoreCells(cells, head.cells.length, 'bad_order', { file, line });
    return createRow(cells, columns, sign, file, line);
  });
  numberSteps(columns.fields, rows);
  return {
    file,
    rows,
    fields: new Set(columns.fields.keys()),
    others: [...columns.others.keys()],
    encoding,
  };
}

/** Refuses a row with cells beyond the last heading, which would be lost. */
export function refuseMoreCells(
  cells: readonly string[],
  headings: number,
  code: string,
  location: { readonly file: string; readonly line: number },
): void {
  if (cells.slice(headings).every((cell) => cell === '')) return;
  const problem = `the row has ${cells.length} cells, and there are ${headings} headings`;
  throw new InputError(code, problem, 'quote cells in which there is a separator', location);
}

/** The text of a file in UTF-8, or otherwise in the encodings that spreadsheets on Windows use. */
export function decodeImport(
  bytes: Uint8Array,
  file: string,
): { text: string; encoding: TextEncoding } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16' };
  }
  if (isUtf8(bytes) || bytes.includes(0))
    return { text: decodeText(bytes, file), encoding: 'UTF-8' };
  return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' };
}

/** Treats a column of operations as the step numbers if it contains only numbers and there is no other such column. */
function numberSteps(fields: FoundColumns['fields'], rows: readonly ImportRow[]): void {
  const column = fields.get('operation');
  if (column === undefined || fields.has('step')) return;
  if (!rows.every((row) => /^\d+$/.test(row.text('operation')))) return;
  fields.delete('operation');
  fields.set('step', column);
}

/** Numbers with each decimal sign. */
export const NUMBERS = {
  '.': /^(?:\d+\.?\d*|\.\d+)$/,
  ',': /^(?:\d{1,3}(?:\.\d{3})+(?:,\d*)?|\d+,?\d*|,\d+)$/,
} as const;

function createRow(
  cells: readonly string[],
  { fields, others }: FoundColumns,
  decimal: '.' | ',',
  file: string,
  line: number,
): ImportRow {
  const text = (field: ImportField) => cells[fields.get(field) ?? -1] ?? '';
  const row: ImportRow = {
    file,
    line,
    text,
    other: (heading) => cells[others.get(heading) ?? -1] ?? '',
    number(field) {
      const cell = text(field);
      if (cell === '') return undefined;
      if (NUMBERS[decimal].test(cell)) {
        return Number(decimal === ',' ? cell.replaceAll('.', '').replace(',', '.') : cell);
      }
      const form = decimal === ',' ? '"1,5"' : '"1.5"';
      throw row.error(
        `the ${wordsOfField(field)} is ${JSON.stringify(cell)}`,
        `give a number of 0 or more, like ${form}; the mapping defines the decimal sign (decimal)`,
        { why: 'number', field, text: cell },
      );
    },
    error(problem, hint, facts) {
      const order = text('order') || text('article');
      const noun = text('order') === '' ? 'article' : 'order';
      const place = order === '' ? '' : `${noun} ${order}: `;
      const errorFacts = { order, ...facts };
      return new InputError(
        'bad_order',
        `${place}${problem}`,
        hint,
        { file, line },
        order,
        errorFacts,
      );
    },
  };
  return row;
}
