/** What a cell of a table can hold. */
export type Cell = string | number | boolean | null;

/** One column of a table of rows. */
export interface Column<Row> {
  /** Name of the column in CSV; stable. */
  readonly key: string;
  /** Name of the column for people. */
  readonly header: string;
  readonly value: (row: Row) => Cell;
  /** The value for people; by default as it is. */
  readonly format?: (value: Cell, row: Row) => string;
  /** Default: right for numbers (columns with a format), left for all else. */
  readonly align?: 'left' | 'right';
  /** How a cell is coloured where colours are wanted. */
  readonly tone?: (row: Row) => Tone;
  /**
   * How easily the column is missed where a terminal is too narrow for all: those with the largest
   * number are left out first, those without a number never.
   */
  readonly minor?: number;
  /** Only there for programs (CSV), not for people. */
  readonly hidden?: boolean;
}

/** What a colour says. */
export type Tone = 'good' | 'bad' | 'quiet' | 'plain';
