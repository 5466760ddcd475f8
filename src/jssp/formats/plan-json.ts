import { InputError } from '@alas-jssp/core/errors';
import { describeFound, formatPath, isObject, type JsonPath } from '@alas-jssp/core/json-path';
import { parseJson } from '@alas-jssp/core/json-text';
import { laterVersionHint } from '@alas-jssp/core/later-version';
import type { Instance } from '../instance.js';
import { asPlan, type Candidate, isSchedule, type Plan } from '../plan.js';
import { planFromForeignJson } from './exchange/foreign-plans.js';
import { joinLines } from './join-lines.js';
import {
  createFieldReader,
  entriesFromOne,
  entriesFromRaw,
  FIELD_HINTS,
  FIELD_NAMES,
  type FieldReader,
  type PlanField,
  type RawEntry,
} from './plan-fields.js';
import type { PlanFile } from './plan-file.js';
import { createLabeller, type LabelledEntry } from './plan-labels.js';
import { type LabelledNeeds, NEED_FIELDS, type NeedField } from './plan-needs.js';

/** The name and version of the JSON format of plans. */
const PLAN_SCHEMA = 'alas-jssp/plan@1';

const LISTS = ['entries', 'schedule', 'operations'] as const;

/**
 * Reads a plan from JSON: a list of entries, an object with such a list as `entries`, `schedule` or `operations`, or the
 * file of another program.
 * `docs/reference/formats.md` lists the accepted spellings. Numbers that are invalid for any instance are kept for the
 * validator.
 *
 * @param shape the instance, which helps to decide whether a file without our schema counts from 0 or 1
 * @throws InputError with file and JSON path of a part that is missing or not a number
 */
export function parsePlanJson(bytes: Uint8Array, file?: string, shape?: Instance): PlanFile {
  const document = parseJson(bytes, file);
  const foreign = planFromForeignJson(document, file, shape);
  if (foreign !== undefined) return foreign;
  const fields = createFieldReader(shape);
  if (Array.isArray(document)) {
    return {
      plan: { entries: entriesFromRaw(readEntries(document, [], file, fields), fields, shape) },
    };
  }
  if (!isObject(document)) {
    throw badPlan(document, [], 'give a list of entries or an object', file);
  }
  const { schema, instance, makespan } = document;
  if (schema !== undefined && schema !== PLAN_SCHEMA) {
    const hint = laterVersionHint(schema, [PLAN_SCHEMA]) ?? `give a plan, "${PLAN_SCHEMA}"`;
    throw badPlan(schema, ['schema'], hint, file);
  }
  if (instance !== undefined && typeof instance !== 'string') {
    throw badPlan(instance, ['instance'], 'give the name of the instance in quotes', file);
  }
  const list = LISTS.find((key) => key in document) ?? 'entries';
  if (!Array.isArray(document[list])) {
    throw badPlan(document[list], [list], 'give a list of entries', file);
  }
  const raw = readEntries(document[list], [list], file, fields);
  const plan: Plan = {
    entries:
      schema === PLAN_SCHEMA ? entriesFromOne(raw, fields) : entriesFromRaw(raw, fields, shape),
    ...readMakespan(makespan, file),
  };
  return instance === undefined ? { plan } : { plan, instance };
}

/**
 * Writes a plan or schedule as JSON, one entry per line.
 *
 * @param options.instance the name of the instance; not needed for a schedule
 * @param options.shop the instance itself, for its names and clock; not needed for a schedule
 * @throws InputError if a number of the plan cannot be written, such as NaN
 */
export function writePlanJson(
  candidate: Candidate,
  options: { instance?: string; shop?: Instance | undefined } = {},
): string {
  const plan = asPlan(candidate);
  const ofSchedule = isSchedule(candidate) ? candidate.instance.name : undefined;
  const instance = options.instance ?? ofSchedule;
  const head = JSON.stringify({ schema: PLAN_SCHEMA, instance, makespan: plan.makespan });
  const shop = isSchedule(candidate) ? candidate.instance : options.shop;
  const label = createLabeller({ job: 1, step: 1 }, shop);
  const { entries } = plan;
  const lines = joinLines(entries.length, ',\n', (i) => writeEntry(label(entries[i], i)));
  return `${head.slice(0, -1)},"entries":[\n${lines}\n]}\n`;
}

/** One entry as JSON. */
function writeEntry(entry: LabelledEntry): string {
  const { job, step, operation, machine, start, end, mode, needs, setup_needs } = entry;
  const quote = (label: string | number) =>
    typeof label === 'string' ? JSON.stringify(label) : label;
  const name = operation === undefined ? '' : `,"operation":${quote(operation)}`;
  const way = mode === undefined ? '' : `,"mode":${mode}`;
  const who = `${needsKey('needs', needs)}${needsKey('setup_needs', setup_needs)}`;
  return `{"job":${quote(job)},"step":${step}${name},"machine":${quote(machine)}${way}${who},"start":${quote(start)},"end":${quote(end)}}`;
}

function needsKey(key: NeedField, needs: LabelledNeeds = []): string {
  return needs.length === 0 ? '' : `,"${key}":${JSON.stringify(Object.fromEntries(needs))}`;
}

function readEntries(
  items: unknown[],
  path: JsonPath,
  file: string | undefined,
  fields: FieldReader,
): RawEntry[] {
  return items.map((item, i) => readEntry(item, i, path, file, fields));
}

function readEntry(
  item: unknown,
  i: number,
  path: JsonPath,
  file: string | undefined,
  fields: FieldReader,
): RawEntry {
  if (!isObject(item)) {
    throw badPlan(item, [...path, i], 'give an object with job, step, machine, start, end', file);
  }
  const read = (field: PlanField, job?: number): number => {
    const key = FIELD_NAMES[field].find((name) => item[name] !== undefined);
    const value = key === undefined ? undefined : item[key];
    const location = () => ({ file, path: formatPath([...path, i, key ?? field]) });
    const number = fields.number(field, value, location, job);
    if (!Number.isNaN(number)) return number;
    throw badPlan(value, [...path, i, key ?? field], FIELD_HINTS[field], file);
  };
  const start = read('start');
  const { duration } = item;
  const hasEnd = FIELD_NAMES.end.some((name) => item[name] !== undefined);
  const end = hasEnd || duration === undefined ? read('end') : start + read('duration');
  const job = read('job');
  const entry = { job, step: read('step', job), machine: read('machine'), start, end };
  const hasMode = fields.readsModes && item.mode !== undefined && item.mode !== null;
  const made = !hasMode ? entry : { ...entry, mode: read('mode') - 1 };
  if (fields.needs !== null) {
    for (const field of Object.keys(NEED_FIELDS) as NeedField[]) {
      const location = () => ({ file, path: formatPath([...path, i, field]) });
      fields.needs.note(made, field, item[field], location);
    }
  }
  return made;
}

function readMakespan(value: unknown, file: string | undefined): { makespan?: number } {
  if (value === undefined || value === null) return {};
  if (typeof value === 'number' && Number.isFinite(value)) return { makespan: value };
  throw badPlan(value, ['makespan'], 'give a number or leave it out', file);
}

function badPlan(
  found: unknown,
  path: JsonPath,
  hint: string,
  file: string | undefined,
): InputError {
  return new InputError(
    'bad_plan',
    describeFound(found),
    hint,
    { file, path: formatPath(path) },
    found,
  );
}
