import { InputError } from '@alas-jssp/core/errors';
import type { JsonFault } from '@alas-jssp/core/json-fault';
import { formatPath } from '@alas-jssp/core/json-path';
import type { Instance } from '../jssp/instance.js';
import type { DisruptionEvent } from './event.js';
import { readEvent } from './event-schema.js';
import { withDates, withoutDates } from './event-times.js';
import { labelEvent } from './event-words.js';
import { readNamedEvent } from './events-json.js';
import { eventLabels, hasNames, labelsWith } from './labels.js';

const SHAPE =
  'write it like breakdown:machine=3,from=120,to=180 (see docs/reference/disruption.md)';
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const LONGEST_QUOTE = 80;

/** Keys of the short form that belong to the job of an arrival. */
const JOB_KEYS = ['name', 'operations', 'release', 'due', 'weight'];

/** Options of {@link parseEvent}. */
interface ParseEventOptions {
  /** The latest time at which it is known if it has no `at`. */
  readonly knownBy?: number | undefined;
  /** The shop, whose names of jobs, machines and steps may be used, and its clock. */
  readonly instance?: Instance | undefined;
  /** Earlier events, whose arriving jobs may be named, too. */
  readonly arriving?: readonly DisruptionEvent[] | undefined;
}

/**
 * Parses an event in the short form of the command line: its kind, a colon, and `key=value` separated by commas, such
 * as `breakdown:machine=3,from=120,to=180,resumable=true`. Keys and counting are those of files. The operations of an
 * arrival are `machine:duration` separated by slashes, or `machine:duration:name`. In a name a comma is written `%2C`,
 * a percent sign that could be misread `%25`, and in operations a colon `%3A` and a slash `%2F`.
 *
 * @throws InputError `bad_event`
 */
export function parseEvent(
  text: string,
  { knownBy, instance, arriving = [] }: ParseEventOptions = {},
): DisruptionEvent {
  const labels = instance && hasNames(instance) ? labelsWith(instance, arriving) : undefined;
  const colon = text.indexOf(':');
  const kind = colon < 0 ? text : text.slice(0, colon);
  const fields = colon < 0 ? new Map() : readFields(text, text.slice(colon + 1));
  const event = withoutDates({ ...nestJob(kind, fields), kind }, instance?.timeScale);
  if (event.fault !== undefined) throw badEvent(text, event.fault);
  const read = readNamedEvent(event.data, labels, knownBy);
  if (read.fault !== undefined) throw badEvent(text, read.fault);
  return read.data;
}

/**
 * Writes an event in the short form; {@link parseEvent} is the inverse.
 *
 * @param instance the shop, with the jobs that have arrived: its names are used if it has any
 * @throws InputError `bad_event` if it is malformed
 */
export function formatEvent(event: DisruptionEvent, instance?: Instance): string {
  const read = readEvent(event, 'counted');
  if (read.fault !== undefined) throw badEvent(String(event?.kind), read.fault);
  const labelled = labelEvent(read.data, instance && eventLabels(instance));
  const { kind, at, job, ...rest } = withDates(labelled, instance?.timeScale);
  const ofJob = typeof job === 'object' ? job : { job };
  const words = Object.entries({ at, ...ofJob, ...rest })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${writeValue(key, value, instance?.names != null)}`);
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

/** Keys whose value is, or may be, a name. */
const NAMES = ['name', 'job', 'machine', 'step', 'resource'];

function readValue(text: string, key: string, value: string): unknown {
  if (key === 'operations') return readOperations(text, value);
  if (key === 'needs') return value === '' ? [] : value.split('+').map(readNeed);
  if (NAMES.includes(key)) {
    const name = unescapeName(value);
    // "007" may be the name of a job.
    return key !== 'name' && String(Number(name)) === name ? Number(name) : name;
  }
  if (value === 'true' || value === 'false') return value === 'true';
  return NUMBER.test(value) ? Number(value) : value;
}

/**
 * `0:29/1:78`: on machine 0 for 29, then on machine 1 for 78. `0:29|2:35` may also be done on machine 2, for 35;
 * `0:29+Ana+Clamp*2@setup` needs Ana, and 2 clamps during its setup; `0:29~3` is of setup family 3, `0:29~steel` of that
 * with the name.
 */
function readOperations(text: string, value: string): unknown[] {
  return value.split('/').map((operation) => {
    const [first, ...others] = operation.split('|');
    const [machine, duration, name, ...more] = first.split(':');
    const [amount, family] = duration?.split('~') ?? [];
    if (
      amount === undefined ||
      more.length > 0 ||
      others.some((one) => !/^[^:]*:[^:]*$/.test(one))
    ) {
      throw noOperation(text, operation);
    }
    const named = name === undefined ? {} : { name: unescapeName(name) };
    const alternatives = others.map((one) => readMode(text, operation, one.split(':')));
    return {
      ...named,
      ...readMode(text, operation, [machine, amount]),
      ...(alternatives.length > 0 && { alternatives }),
      ...(family !== undefined && {
        family: NUMBER.test(family) ? Number(family) : unescapeName(family),
      }),
    };
  });
}

/** A machine, and a duration with the needs of resources. */
function readMode(text: string, operation: string, [machine, rest]: readonly string[]) {
  const [duration, ...needs] = rest.split('+');
  if (!NUMBER.test(duration)) throw noOperation(text, operation);
  return {
    machine: unescapeName(machine),
    duration: Number(duration),
    ...(needs.length > 0 && { needs: needs.map(readNeed) }),
  };
}

/** `Ana`, or `Clamp*2@setup`. */
function readNeed(text: string): Record<string, unknown> {
  const [, resource, amount, during] = /^([^*@]*)(?:\*([^@]*))?(?:@(.*))?$/.exec(text) ?? [];
  return {
    resource: resource === undefined ? text : unescapeName(resource),
    ...(amount !== undefined && { amount: NUMBER.test(amount) ? Number(amount) : amount }),
    ...(during !== undefined && { during }),
  };
}

function writeNeed({ resource, amount, during }: WrittenNeed, hasNames: boolean): string {
  const label = shortLabel(resource, hasNames).replace(/[%,:/|+*@~]/g, (sign) => ESCAPES[sign]);
  return `${label}${amount === undefined ? '' : `*${amount}`}${during === undefined ? '' : `@${during}`}`;
}

function noOperation(text: string, operation: string): InputError {
  const found = JSON.stringify(shorten(operation));
  return shapeError(text, `${found} is no operation`, 'write operations=0:29/1:78');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '%': '%25',
  ',': '%2C',
  ':': '%3A',
  '/': '%2F',
  '|': '%7C',
  '+': '%2B',
  '*': '%2A',
  '@': '%40',
  '~': '%7E',
};

function unescapeName(text: string): string {
  return text.replace(/%(?:2C|3A|2F|25|7C|2B|2A|40|7E)/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}

/** A label as a number, in shops where it cannot be mistaken for a name. */
function shortLabel(label: string, hasNames: boolean): string {
  return hasNames ? label : label.replace(/^(?:Job|Machine|Resource)(\d+)$/, '$1');
}

function writeValue(key: string, value: unknown, hasNames: boolean): string {
  if (key === 'needs') return writeNeeds(value as readonly WrittenNeed[], hasNames);
  if (key !== 'operations') {
    const text = String(value);
    if (!NAMES.includes(key)) return text;
    const label = key === 'name' ? text : shortLabel(text, hasNames);
    return label.replace(/[%,]/g, (sign) => ESCAPES[sign]);
  }
  const escapeName = (text: string) => text.replace(/[%,:/|]/g, (sign) => ESCAPES[sign]);
  const writeMode = ({ machine, duration, needs = [] }: WrittenMode, family = '') => {
    const label = escapeName(shortLabel(machine, hasNames));
    const needed = needs.length === 0 ? '' : `+${writeNeeds(needs, hasNames)}`;
    return `${label}:${duration}${needed}${family}`;
  };
  return (value as readonly WrittenOperation[])
    .map(({ name, family, alternatives = [], ...mode }) => {
      const first = writeMode(mode, family === undefined ? '' : `~${family}`);
      const named = name === undefined ? '' : `:${escapeName(name)}`;
      return [`${first}${named}`, ...alternatives.map((one) => writeMode(one))].join('|');
    })
    .join('/');
}

/** The labelled forms that the short form writes. */
interface WrittenNeed {
  readonly resource: string;
  readonly amount?: number;
  readonly during?: string;
}

interface WrittenMode {
  readonly machine: string;
  readonly duration: number;
  readonly needs?: readonly WrittenNeed[];
}

interface WrittenOperation extends WrittenMode {
  readonly name?: string;
  readonly family?: number;
  readonly alternatives?: readonly WrittenMode[];
}

function writeNeeds(needs: readonly WrittenNeed[], hasNames: boolean): string {
  return needs.map((need) => writeNeed(need, hasNames)).join('+');
}

/** An event of a file nests the job of an arrival; the short form is flat. */
function nestJob(kind: string, fields: ReadonlyMap<string, unknown>): Record<string, unknown> {
  if (kind !== 'arrival') return Object.fromEntries(fields);
  const isOfJob = ([key]: [string, unknown]) => JOB_KEYS.includes(key);
  const entries = [...fields];
  return {
    ...Object.fromEntries(entries.filter((entry) => !isOfJob(entry))),
    job: Object.fromEntries(entries.filter(isOfJob)),
  };
}

function badEvent(text: string, { path, problem, hint, found }: JsonFault): InputError {
  const where = formatPath(path).replace(/^\$\.?(?:job\.)?/, '');
  const event = JSON.stringify(shorten(text));
  const place = where === '' ? `the event ${event}` : `${where} of the event ${event}`;
  return new InputError('bad_event', `${place}: ${problem}`, hint, {}, found);
}

function shapeError(text: string, problem: string, hint = SHAPE): InputError {
  const event = JSON.stringify(shorten(text));
  return new InputError('bad_event', `the event ${event}: ${problem}`, hint, {}, text);
}

function shorten(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}
