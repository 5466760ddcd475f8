import { InputError, type InputLocation } from '../../core/errors.js';
import { decodeText } from '../../core/text.js';
import type { Instance } from '../instance.js';
import { asPlan, type Candidate } from '../plan.js';
import { readCsvRows } from './csv-rows.js';
import { joinLines } from './join-lines.js';
import {
  entriesFromRaw,
  FIELD_CURES,
  FIELD_NAMES,
  type PlanField,
  planNumber,
  type RawEntry,
} from './plan-fields.js';
import type { PlanFile } from './plan-json.js';
import { createLabeller, firstNumbers } from './plan-labels.js';

/** For each field its column, −1 if there is none. */
type Columns = Record<PlanField, number>;

const COLUMNS = ['job', 'step', 'machine', 'start', 'end'] as const;

/**
 * Reads a plan from CSV: a header with the names of the columns (the same names as in JSON), and
 * a row for each entry. Commas, semicolons or tabs separate; lines that begin with `#` are
 * comments.
 *
 * @param instance helps to tell whether the file counts from 0 or 1
 * @throws InputError naming file and line of what is missing or not a number
 */
export function parsePlanCsv(bytes: Uint8Array, file?: string, instance?: Instance): PlanFile {
  const entries: RawEntry[] = [];
  let columns: Columns | null = null;
  readCsvRows(decodeText(bytes, file), file, (cells, line) => {
    if (columns === null) columns = readHeader(cells, file, line);
    else entries.push(readRow(cells, columns, { file, line }, instance));
  });
  if (columns === null) throw badHeader('there is no header', file);
  return { plan: { entries: entriesFromRaw(entries, instance) } };
}

/**
 * Writes a plan or schedule as CSV with the columns job, step, machine, start, end. A claimed
 * makespan has no place in it.
 *
 * @throws InputError if a number of the plan cannot be written, such as NaN, or if it has a job or
 *   step −1 that the file could not tell from another one
 */
export function writePlanCsv(candidate: Candidate): string {
  const plan = asPlan(candidate);
  const label = createLabeller(firstNumbers(plan));
  // Labels and numbers hold neither separators nor quotation marks.
  const lines = joinLines(plan.entries.length, '', (i) => {
    const { job, step, machine, start, end } = label(plan.entries[i], i);
    return `${job},${step},${machine},${start},${end}\n`;
  });
  return `${COLUMNS.join(',')}\n${lines}`;
}

function readHeader(cells: string[], file: string | undefined, line: number): Columns {
  const titles = cells.map((title) => title.toLowerCase().replaceAll(' ', '_'));
  const columns = Object.fromEntries(
    Object.entries(FIELD_NAMES).map(([field, names]) => [
      field,
      titles.findIndex((title) => (names as readonly string[]).includes(title)),
    ]),
  ) as Columns;
  const missing = COLUMNS.find(
    (field) => columns[field] < 0 && !(field === 'end' && columns.duration >= 0),
  );
  if (missing !== undefined) throw badHeader(`there is no column ${missing}`, file, line);
  return columns;
}

function readRow(
  cells: string[],
  columns: Columns,
  location: InputLocation,
  instance: Instance | undefined,
): RawEntry {
  const read = (field: PlanField): number => {
    const cell = cells[columns[field]];
    const number = planNumber(field, cell, instance?.timeScale, () => location);
    if (!Number.isNaN(number)) return number;
    const found = cell === undefined || cell === '' ? 'is missing' : `is ${JSON.stringify(cell)}`;
    throw new InputError('bad_plan', `the ${field} ${found}`, FIELD_CURES[field], location);
  };
  const start = read('start');
  const end = columns.end >= 0 ? read('end') : start + read('duration');
  return { job: read('job'), step: read('step'), machine: read('machine'), start, end };
}

function badHeader(problem: string, file: string | undefined, line?: number): InputError {
  const cure = `begin with a line ${COLUMNS.join(',')}`;
  return new InputError('bad_plan', problem, cure, { file, line });
}
