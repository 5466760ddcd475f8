import type { IgnoredKind } from './ignored.js';
import type { RowField, RowFields } from './rows.js';
import type { LineParts, Segment } from './segments.js';
import { cellNumber, fieldOf, labelNumber } from './vocabulary.js';

/** Columns of a table, once its header has been read. */
export interface Table {
  readonly delimiter: string;
  /** The field in each column. */
  readonly fields: readonly (RowField | undefined)[];
}

/** A cell and where it begins, in characters of the line. */
interface TextCell {
  readonly text: string;
  readonly at: number;
}

const DELIMITERS = ['|', '\t', ';', ','];
const MOST_CELLS = 40;
const DEFAULT_FIELDS: readonly RowField[] = ['job', 'step', 'machine', 'start', 'end', 'duration'];

/** The table of a line, if it is a header with columns for a start and for the name of an operation. */
export function readHeader(line: string): Table | undefined {
  if (line.length > 400 || !/start|begin|from/i.test(line)) return undefined;
  for (const delimiter of DELIMITERS) {
    const cells = splitCells(line, delimiter);
    if (cells === undefined || cells.length < 3) continue;
    const fields = cells.map(({ text }) => {
      const field = /\d/.test(text) ? undefined : fieldOf(text);
      return field === 'makespan' ? undefined : field;
    });
    const has = (field: RowField) => fields.includes(field);
    const isUnique = fields.every((field, i) => field === undefined || fields.indexOf(field) === i);
    if (isUnique && has('start') && (has('step') || has('machine'))) return { delimiter, fields };
  }
  return undefined;
}

/** A row of a table; a reason if the row has no start; undefined if the line is not a row. */
export function readTableRow(line: string, table: Table): RowFields | IgnoredKind | undefined {
  const cells = splitCells(line, table.delimiter);
  if (cells === undefined || cells.length < Math.min(3, table.fields.length)) return undefined;
  if (cells.length > table.fields.length + 1) return undefined;
  if (cells.every(({ text }) => /^[\s:-]*$/.test(text))) return {};
  const values: RowFields = {};
  for (let i = 0; i < cells.length; i++) {
    const field = table.fields[i];
    const value = field && cellNumber(field, cells[i].text);
    if (field !== undefined && value !== undefined) values[field] = value;
  }
  return values;
}

/** The operation in a line of five or six bare cells, in the order of the paper's columns. */
export function readBareRow(line: string): { values: RowFields; isLabelled: boolean } | undefined {
  if (line.length > 120 || /[:=|]/.test(line)) return undefined;
  const cells = splitCells(line, ',');
  if (cells === undefined || cells.length < 5 || cells.length > 6) return undefined;
  const values: RowFields = {};
  for (let i = 0; i < cells.length; i++) {
    const value = cellNumber(DEFAULT_FIELDS[i], cells[i].text);
    if (value === undefined || Number.isNaN(value)) return undefined;
    values[DEFAULT_FIELDS[i]] = value;
  }
  const isLabelled =
    labelNumber('job', cells[0].text) !== undefined &&
    labelNumber('machine', cells[2].text) !== undefined;
  return { values, isLabelled };
}

/** The cells of a line; undefined if it contains no delimiter, or too many. */
function splitCells(line: string, delimiter: string): TextCell[] | undefined {
  if (!line.includes(delimiter)) return undefined;
  const cells: TextCell[] = [];
  let from = 0;
  while (cells.length <= MOST_CELLS) {
    const to = line.indexOf(delimiter, from);
    const text = line.slice(from, to < 0 ? line.length : to);
    cells.push({ text: text.replace(/[*`"']/g, '').trim(), at: from });
    if (to < 0) break;
    from = to + 1;
  }
  if (cells.length > MOST_CELLS) return undefined;
  if (delimiter !== '|') return cells;
  if (cells[0].text === '') cells.shift();
  if (cells.at(-1)?.text === '') cells.pop();
  return cells;
}

/** Whether it contains the start of an operation. */
export function isTimed({ start }: Segment): boolean {
  return start !== undefined;
}

/** Whether it contains anything that identifies an operation. */
export function namesOperation({ job, step, machine }: Segment): boolean {
  return job !== undefined || step !== undefined || machine !== undefined;
}

/** A later part of a line, with the job or machine that its first part names. */
export function inherit(segment: Segment, lead: Segment, first: LineParts['first']): Segment {
  if (first === 'job' && segment.job === undefined) {
    return { ...segment, ...withoutUndefined({ job: lead.job }) };
  }
  if (first === 'machine' && segment.machine === undefined) {
    return { ...segment, ...withoutUndefined({ machine: lead.machine }) };
  }
  return segment;
}

/** The fields that have a value. */
export function withoutUndefined<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
