import { readBytes } from '../../core/bytes.js';
import { InputError } from '../../core/errors.js';
import { decodeText } from '../../core/text.js';
import { readCsvRows } from '../formats/csv-rows.js';
import { IMPORT_FIELDS, type ImportField, type ImportMap } from './import-map.js';

/** A row of a file: its cells by field. */
export interface ImportRow {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The text of a cell; '' where the file has no such column, or nothing in it. */
  text(field: ImportField): string;
  /**
   * The number of a cell, 0 or more; undefined if there is none.
   *
   * @throws InputError `bad_order` for anything else
   */
  number(field: ImportField): number | undefined;
  /** An error about this row, which names file, line and order. */
  error(problem: string, cure: string): InputError;
}

/** The rows of a file, and the fields that it has columns for. */
export interface ImportTable {
  readonly file: string;
  readonly rows: readonly ImportRow[];
  readonly fields: ReadonlySet<ImportField>;
}

/**
 * Reads a CSV file, plain or gzip, whose first row has headings; columns that no field goes by are passed over.
 *
 * @param headings those of the columns that are not called as usual
 * @throws InputError `bad_order` naming file and line: no rows, a heading that there is not, or one that stands twice
 */
export function readImportTable(
  file: string,
  headings: ImportMap['columns'],
  { decimal }: Pick<ImportMap, 'decimal'>,
): ImportTable {
  const rows: ImportRow[] = [];
  let columns: Map<ImportField, number> | undefined;
  readCsvRows(decodeText(readBytes(file), file), file, (cells, line) => {
    if (columns === undefined) columns = findColumns(cells, headings, file, line);
    else rows.push(createRow(cells, columns, decimal, file, line));
  });
  if (columns === undefined || rows.length === 0) {
    const cure = 'give a row of headings, and one row for each order or operation';
    throw new InputError('bad_order', 'there are no rows', cure, { file });
  }
  return { file, rows, fields: new Set(columns.keys()) };
}

/** The column of each field, by the mapping or else by its usual headings. */
function findColumns(
  cells: readonly string[],
  headings: ImportMap['columns'],
  file: string,
  line: number,
): Map<ImportField, number> {
  const titles = cells.map(plain);
  const columns = new Map<ImportField, number>();
  const mapped = new Set(Object.values(headings).map((title) => plain(String(title))));
  for (const field of Object.keys(IMPORT_FIELDS) as ImportField[]) {
    const named = headings[field];
    const wanted =
      named === undefined
        ? IMPORT_FIELDS[field].filter((title) => !mapped.has(plain(title)))
        : [named];
    const found = titles.flatMap((title, i) =>
      wanted.some((one) => plain(one) === title) ? [i] : [],
    );
    if (found.length > 1) {
      const problem = `two columns could be the ${wordsOfField(field)}: ${found.map((i) => JSON.stringify(cells[i])).join(' and ')}`;
      throw new InputError('bad_order', problem, 'say which one in a mapping', { file, line });
    }
    if (found.length === 1) columns.set(field, found[0]);
    else if (named !== undefined) {
      const problem = `there is no column ${JSON.stringify(named)}, which the mapping names for the ${wordsOfField(field)}`;
      const cure = `use one of ${cells.map((cell) => JSON.stringify(cell)).join(', ')}`;
      throw new InputError('bad_order', problem, cure, { file, line }, named);
    }
  }
  return columns;
}

function createRow(
  cells: readonly string[],
  columns: ReadonlyMap<ImportField, number>,
  decimal: ImportMap['decimal'],
  file: string,
  line: number,
): ImportRow {
  const text = (field: ImportField) => cells[columns.get(field) ?? -1] ?? '';
  const row: ImportRow = {
    file,
    line,
    text,
    number(field) {
      const cell = text(field);
      if (cell === '') return undefined;
      const number = decimal === ',' ? cell.replaceAll('.', '').replace(',', '.') : cell;
      if (/^(?:\d+\.?\d*|\.\d+)$/.test(number)) return Number(number);
      const form = decimal === ',' ? '"1,5"' : '"1.5"';
      throw row.error(
        `the ${wordsOfField(field)} is ${JSON.stringify(cell)}`,
        `give a number of 0 or more, like ${form}; the mapping says which sign the fraction has (decimal)`,
      );
    },
    error(problem, cure) {
      const order = text('order') || text('article');
      const who = text('order') === '' ? 'article' : 'order';
      const place = order === '' ? '' : `${who} ${order}: `;
      return new InputError('bad_order', `${place}${problem}`, cure, { file, line }, order);
    },
  };
  return row;
}

/** A field in words: `time per piece` of `per_piece`. */
export function wordsOfField(field: ImportField): string {
  return field === 'per_piece' ? 'time per piece' : field;
}

/** A heading without what people write in different ways. */
function plain(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
}
