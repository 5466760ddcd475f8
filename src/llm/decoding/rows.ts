// Rows, the possible entries that an answer is cut into. Who cuts: `json-rows.ts` and `table-rows.ts` what has
// such a form, `text-rows.ts` all other lines (with `segments.ts`, within a line), `sequences.ts` machine orders.

/** A way of writing a schedule down; the reader that understood it is named after it. */
export type SourceFormat = 'json' | 'table' | 'csv' | 'text' | 'sequences';

/** The five numbers of an entry, and the duration that may stand for one of them. */
export type RowField = 'job' | 'step' | 'machine' | 'start' | 'end' | 'duration';

/** Values as the text has them; NaN for one that is named, but by no number. */
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
  /** Whether only the order of its columns says what its numbers are, so that they must be true. */
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
