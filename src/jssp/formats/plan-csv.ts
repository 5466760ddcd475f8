import { InputError, type InputLocation } from '@alas-jssp/core/errors';
import { decodeText } from '@alas-jssp/core/text';
import type { Instance } from '../instance.js';
import { asPlan, type Candidate, isSchedule, type Plan } from '../plan.js';
import { readCsvRows } from './csv-rows.js';
import { joinLines } from './join-lines.js';
import {
  createFieldReader,
  entriesFromRaw,
  FIELD_HINTS,
  FIELD_NAMES,
  type FieldReader,
  type PlanField,
  type RawEntry,
} from './plan-fields.js';
import type { PlanFile } from './plan-file.js';
import { createLabeller, firstNumbers } from './plan-labels.js';
import { createNeedsLabeller, NEED_FIELDS, type NeedField, needsText } from './plan-needs.js';

/** The column of each field, −1 if there is none. */
type Columns = Record<PlanField | NeedField, number>;

/** The names of the columns of operators and tools. */
const NEED_NAMES = { needs: ['needs'], setup_needs: ['setup_needs'] } as const;

const COLUMNS = ['job', 'step', 'machine', 'start', 'end'];

/**
 * Reads a plan from CSV: a header with the names of the columns (the same names as in JSON), and a row for each entry.
 * Separators are commas, semicolons or tabs; lines that begin with `#` are comments.
 *
 * @param instance helps to decide whether the file counts from 0 or 1
 * @throws InputError with file and line of a value that is missing or not a number
 */
export function parsePlanCsv(bytes: Uint8Array, file?: string, instance?: Instance): PlanFile {
  const entries: RawEntry[] = [];
  const fields = createFieldReader(instance);
  let columns: Columns | null = null;
  readCsvRows(decodeText(bytes, file), file, (cells, line) => {
    if (columns === null) columns = readHeader(cells, file, line);
    else entries.push(readRow(cells, columns, { file, line }, fields));
  });
  if (columns === null) throw badHeader('there is no header', file);
  return { plan: { entries: entriesFromRaw(entries, fields, instance) } };
}

/**
 * Writes a plan or schedule as CSV with the columns job, step, machine, start, end, and a column operation after the
 * step if operations have names, and columns mode, needs and setup_needs if entries have any. A claimed makespan is not written.
 *
 * @param options.shop the instance, for its names and clock; not needed for a schedule
 * @throws InputError if a number of the plan cannot be written, such as NaN, or if it has a job or step −1 that would
 *   be ambiguous in the file
 */
export function writePlanCsv(
  candidate: Candidate,
  options: { readonly shop?: Instance | undefined } = {},
): string {
  const plan = asPlan(candidate);
  const shop = isSchedule(candidate) ? candidate.instance : options.shop;
  const hasOperations = Boolean(shop?.names?.operations);
  const hasModes = plan.entries.some(({ mode }) => mode !== undefined);
  const needFields = neededFields(plan, shop);
  const label = createLabeller(shop?.names?.jobs ? { job: 1, step: 1 } : firstNumbers(plan), shop);
  const lines = joinLines(plan.entries.length, '', (i) => {
    const entry = label(plan.entries[i], i);
    const { job, step, operation = '', machine, start, end, mode = '' } = entry;
    const name = hasOperations ? `,${quote(operation)}` : '';
    const way = hasModes ? `,${mode}` : '';
    const who = needFields.map((field) => `,${quote(needsText(entry[field] ?? []))}`).join('');
    return `${quote(job)},${step}${name},${quote(machine)}${way}${who},${start},${end}\n`;
  });
  const left = hasOperations ? ['job', 'step', 'operation', 'machine'] : ['job', 'step', 'machine'];
  const columns = [...left, ...(hasModes ? ['mode'] : []), ...needFields, 'start', 'end'];
  return `${columns.join(',')}\n${lines}`;
}

/** The columns of operators and tools that are not empty. */
function neededFields({ entries }: Plan, shop: Instance | undefined): NeedField[] {
  if (!shop?.resources) return [];
  const all = entries.map(createNeedsLabeller(shop));
  const fields = Object.keys(NEED_FIELDS) as NeedField[];
  return fields.filter((field) => all.some((one) => one[field].length > 0));
}

/** A label in quotation marks if it needs them; numbers and default labels do not. */
function quote(label: string | number): string | number {
  return typeof label === 'string' && /["#,;\t]/.test(label)
    ? `"${label.replaceAll('"', '""')}"`
    : label;
}

function readHeader(cells: string[], file: string | undefined, line: number): Columns {
  const titles = cells.map((title) => title.toLowerCase().replaceAll(' ', '_'));
  const columns = Object.fromEntries(
    Object.entries({ ...FIELD_NAMES, ...NEED_NAMES }).map(([field, names]) => [
      field,
      titles.findIndex((title) => (names as readonly string[]).includes(title)),
    ]),
  ) as Columns;
  const missing = (COLUMNS as PlanField[]).find(
    (field) => columns[field] < 0 && !(field === 'end' && columns.duration >= 0),
  );
  if (missing !== undefined) throw badHeader(`there is no column ${missing}`, file, line);
  return columns;
}

function readRow(
  cells: string[],
  columns: Columns,
  location: InputLocation,
  fields: FieldReader,
): RawEntry {
  const read = (field: PlanField, job?: number): number => {
    const cell = cells[columns[field]];
    const number = fields.number(field, cell, () => location, job);
    if (!Number.isNaN(number)) return number;
    const found = cell === undefined || cell === '' ? 'is missing' : `is ${JSON.stringify(cell)}`;
    throw new InputError('bad_plan', `the ${field} ${found}`, FIELD_HINTS[field], location);
  };
  const start = read('start');
  const end = columns.end >= 0 ? read('end') : start + read('duration');
  const job = read('job');
  const entry = { job, step: read('step', job), machine: read('machine'), start, end };
  const hasMode = fields.readsModes && (cells[columns.mode] ?? '') !== '';
  const made = hasMode ? { ...entry, mode: read('mode') - 1 } : entry;
  for (const field of Object.keys(NEED_NAMES) as NeedField[]) {
    fields.needs?.note(made, field, cells[columns[field]], () => location);
  }
  return made;
}

function badHeader(problem: string, file: string | undefined, line?: number): InputError {
  const hint = `begin with a line ${COLUMNS.join(',')}`;
  return new InputError('bad_plan', problem, hint, { file, line });
}
