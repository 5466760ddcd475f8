import { printableLine } from '@alas-jssp/core/errors';

/** A value in a table. */
export type CellValue = string | number | boolean | null;

/** Meaning of a colour. */
export type Tone = 'good' | 'bad' | 'quiet' | 'plain';

/** Formats a cell for people. */
type CellFormat<Row> = (value: CellValue, row: Row) => string;

/** Appearance of a column for people. */
interface ColumnOptions<Row> {
  /** Name for people; by default the key in words. */
  readonly header?: string;
  /** Default: right for numbers (columns with a format), left for all else. */
  readonly align?: 'left' | 'right';
  /** Colour of a cell, if colours are enabled. */
  readonly tone?: (row: Row) => Tone;
  /**
   * Rank by which columns are omitted if a terminal is too narrow: the largest number first, columns without a number
   * never.
   */
  readonly minor?: number;
  /** Only for programs (CSV), not for people. */
  readonly hidden?: boolean;
  /** Whether people see the column for these rows; default true. */
  readonly when?: (rows: readonly Row[]) => boolean;
}

/** One column of a table of rows. */
export interface Column<Row> extends ColumnOptions<Row> {
  /** Name of the column in CSV; stable. */
  readonly key: string;
  /** Name of the column for people. */
  readonly header: string;
  readonly value: (row: Row) => CellValue;
  /** The value for people; by default unchanged. */
  readonly format?: CellFormat<Row>;
}

/** The dotted paths that lead to a value in a row, through objects that may be null. */
type PathOf<Row> = {
  [Key in keyof Row & string]: string extends Key
    ? never
    : NonNullable<Row[Key]> extends CellValue
      ? Key
      : NonNullable<Row[Key]> extends ArrayLike<unknown> | ((...args: never) => unknown)
        ? never
        : `${Key}.${PathOf<NonNullable<Row[Key]>>}`;
}[keyof Row & string];

/** Options of a column that a path selects. */
interface PathOptions<Row> extends ColumnOptions<Row> {
  /** Name in CSV; by default the path with underscores. */
  readonly key?: string;
}

/** Makes the columns of a table. */
export interface ColumnMaker<Row> {
  /** A column of the values at a path, with or without a format; null if there is no value. */
  (path: PathOf<Row>, format: CellFormat<Row>, options?: PathOptions<Row>): Column<Row>;
  (path: PathOf<Row>, options?: PathOptions<Row>): Column<Row>;
  /** A column computed from a row. */
  of(
    key: string,
    value: Column<Row>['value'],
    options?: ColumnOptions<Row> & Pick<Column<Row>, 'format'>,
  ): Column<Row>;
  /** Columns that people do not see, by their paths. */
  hidden(...paths: PathOf<Row>[]): Column<Row>[];
  /** Columns that people do not see, under other names in CSV. */
  hiddenAs(paths: Readonly<Record<string, PathOf<Row>>>): Column<Row>[];
}

/** Makes columns for one type of rows: a path without a value does not compile. */
export function columnsOf<Row>(): ColumnMaker<Row> {
  const column = (
    path: PathOf<Row>,
    format?: CellFormat<Row> | PathOptions<Row>,
    options?: PathOptions<Row>,
  ): Column<Row> => {
    const shown = typeof format === 'function' ? { ...options, format } : format;
    const { key = path.replaceAll('.', '_'), ...rest } = shown ?? {};
    return { key, header: inWords(key), value: reader(path), ...rest };
  };
  return Object.assign(column, {
    of: (key: string, value: Column<Row>['value'], options = {}): Column<Row> => {
      return { key, header: inWords(key), value, ...options };
    },
    hidden: (...paths: PathOf<Row>[]): Column<Row>[] =>
      paths.map((path) => column(path, { hidden: true })),
    hiddenAs: (paths: Readonly<Record<string, PathOf<Row>>>): Column<Row>[] =>
      Object.entries(paths).map(([key, path]) => column(path, { key, hidden: true })),
  });
}

/** The columns that people see in a table of these rows. */
export function columnsToShow<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): readonly Column<Row>[] {
  return columns.filter(({ hidden = false, when }) => !hidden && (when?.(rows) ?? true));
}

/** Text of a cell for people. */
export function cellText<Row>({ value, format }: Column<Row>, row: Row): string {
  const cell = value(row);
  const text = format === undefined ? String(cell ?? '') : format(cell, row);
  // Names in files may contain control sequences; only line breaks are kept.
  return text.split('\n').map(printableLine).join('\n');
}

/** The alignment of the cells of a column. */
export function alignment<Row>({ align, format }: Column<Row>): 'left' | 'right' {
  return align ?? (format === undefined ? 'left' : 'right');
}

function inWords(key: string): string {
  return key.replace(/_percent$/, ' %').replaceAll('_', ' ');
}

function reader<Row>(path: string): Column<Row>['value'] {
  const keys = path.split('.');
  return (row) => {
    let value: unknown = row;
    for (const key of keys) value = (value as Record<string, unknown> | null | undefined)?.[key];
    return (value ?? null) as CellValue;
  };
}
