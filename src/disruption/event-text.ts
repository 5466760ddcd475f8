import { InputError } from '../core/errors.js';
import type { JsonFault } from '../core/json-check.js';
import { formatPath } from '../core/json-path.js';
import type { DisruptionEvent } from './event.js';
import { readEvent } from './event-schema.js';
import { labelEvent } from './labels.js';

const SHAPE = 'write it like breakdown:machine=3,from=120,to=180 (see docs/disruption.md)';
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const LONGEST_QUOTE = 80;

/** Keys of the short form that belong to the job of an arrival. */
const JOB_KEYS = ['name', 'operations', 'release', 'due', 'weight'];

/**
 * Reads an event in the short form of the command line: its kind, a colon, and `key=value` with
 * commas between, such as `breakdown:machine=3,from=120,to=180,resumable=true`. Keys and counting
 * are those of files. The operations of an arrival are `machine:duration` with slashes between. In
 * a name a comma is written `%2C` and a percent sign that could be misread `%25`.
 *
 * @param options.knownBy when it is known at the latest if it does not say `at`
 * @throws InputError `bad_event`
 */
export function parseEvent(
  text: string,
  { knownBy }: { readonly knownBy?: number | undefined } = {},
): DisruptionEvent {
  const colon = text.indexOf(':');
  const kind = colon < 0 ? text : text.slice(0, colon);
  const fields = colon < 0 ? new Map() : readFields(text, text.slice(colon + 1));
  const read = readEvent({ ...nestJob(kind, fields), kind }, 'labelled', knownBy);
  if (read.fault !== undefined) throw badEvent(text, read.fault);
  return read.data;
}

/**
 * Writes an event in the short form; {@link parseEvent} reads it back.
 *
 * @throws InputError `bad_event` if it is not in form
 */
export function formatEvent(event: DisruptionEvent): string {
  const read = readEvent(event, 'counted');
  if (read.fault !== undefined) throw badEvent(String(event?.kind), read.fault);
  const { kind, at, job, ...rest } = labelEvent(read.data);
  const ofJob = typeof job === 'object' ? job : { job };
  const words = Object.entries({ at, ...ofJob, ...rest })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${writeValue(key, value)}`);
  return `${kind}:${words.join(',')}`;
}

/** Each key once, with its value. */
function readFields(text: string, list: string): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  if (list === '') return fields;
  for (const word of list.split(',')) {
    const equals = word.indexOf('=');
    if (equals < 1) {
      throw shapeError(text, `${JSON.stringify(shorten(word))} is no key=value`);
    }
    const key = word.slice(0, equals);
    if (fields.has(key)) throw shapeError(text, `${key} is given twice`);
    fields.set(key, readValue(text, key, word.slice(equals + 1)));
  }
  return fields;
}

function readValue(text: string, key: string, value: string): unknown {
  if (key === 'name') return value.replace(/%2C/gi, ',').replaceAll('%25', '%');
  if (key === 'operations') return readOperations(text, value);
  if (value === 'true' || value === 'false') return value === 'true';
  return NUMBER.test(value) ? Number(value) : value;
}

/** `0:29/1:78`: on machine 0 for 29, then on machine 1 for 78. */
function readOperations(text: string, value: string): unknown[] {
  return value.split('/').map((operation) => {
    const [machine, duration, ...more] = operation.split(':');
    if (duration === undefined || more.length > 0 || !NUMBER.test(duration)) {
      const found = JSON.stringify(shorten(operation));
      throw shapeError(text, `${found} is no operation`, 'write operations=0:29/1:78');
    }
    return { machine, duration: Number(duration) };
  });
}

function writeValue(key: string, value: unknown): string {
  if (key === 'name') return String(value).replaceAll('%', '%25').replaceAll(',', '%2C');
  if (key !== 'operations') return String(value).replace(/^(?:Job|Machine)/, '');
  return (value as { machine: string; duration: number }[])
    .map(({ machine, duration }) => `${machine.slice('Machine'.length)}:${duration}`)
    .join('/');
}

/** An event of a file has a job of its own in an arrival; the short form is flat. */
function nestJob(kind: string, fields: ReadonlyMap<string, unknown>): Record<string, unknown> {
  if (kind !== 'arrival') return Object.fromEntries(fields);
  const isOfJob = ([key]: [string, unknown]) => JOB_KEYS.includes(key);
  const entries = [...fields];
  return {
    ...Object.fromEntries(entries.filter((entry) => !isOfJob(entry))),
    job: Object.fromEntries(entries.filter(isOfJob)),
  };
}

function badEvent(text: string, { path, problem, cure, found }: JsonFault): InputError {
  const where = formatPath(path).replace(/^\$\.?(?:job\.)?/, '');
  const event = JSON.stringify(shorten(text));
  const place = where === '' ? `the event ${event}` : `${where} of the event ${event}`;
  return new InputError('bad_event', `${place}: ${problem}`, cure, {}, found);
}

function shapeError(text: string, problem: string, cure = SHAPE): InputError {
  const event = JSON.stringify(shorten(text));
  return new InputError('bad_event', `the event ${event}: ${problem}`, cure, {}, text);
}

function shorten(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}
