// Rows are the possible entries of an answer. `json-rows.ts` and `table-rows.ts` read JSON and tables, `text-rows.ts`
// all other lines (using `segments.ts` within a line), and `sequences.ts` machine orders.

/** A way of writing a schedule down; the reader that understood it is named after it. */
export type SourceFormat = 'json' | 'table' | 'csv' | 'text' | 'sequences';

/** The five numbers of an entry, and the duration, which may replace one of them. */
export type RowField = 'job' | 'step' | 'machine' | 'start' | 'end' | 'duration';

/** Values as in the text; NaN for a field that is named without a number. */
export type RowFields = { -readonly [F in RowField]?: number };

/** A place in the text: its line from 1, and its characters `offset` to `end`. */
export interface TextPlace {
  readonly line: number;
  readonly offset: number;
  readonly end: number;
}

/** A possible entry: something with a start. Numbers count as they do in the text. */
export interface Row extends RowFields {
  readonly start: number;
  readonly format: SourceFormat;
  readonly place: TextPlace;
  /** Its position, from 1, in a list of the operations of one job; replaces the step. */
  readonly ordinal?: number | undefined;
  /** Whether only the order of columns gives its numbers a meaning: then they must match the instance. */
  readonly mustFit?: boolean;
  /** Whether the text may break off inside its end. */
  readonly mayBeCut?: boolean;
}

/** One operation in the order of a machine. */
interface OrderEntry {
  readonly job: number;
  readonly step?: number | undefined;
  readonly place: TextPlace;
}

/** The order in which a machine does its jobs, without times. */
export interface MachineOrder {
  readonly machine: number;
  readonly turns: readonly OrderEntry[];
}

/** A makespan that the text claims. */
export interface MakespanClaim {
  readonly value: number;
  /** Its place in the text, in characters. */
  readonly offset: number;
  /** Whether it is called the final one. */
  readonly isFinal: boolean;
}
