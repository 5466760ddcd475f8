import type { RowField } from './rows.js';
import { type Token, tokenize } from './tokens.js';

type Key = 'job' | 'step' | 'machine';

function dictionary<T extends string>(words: Readonly<Record<T, string>>): Map<string, T> {
  const entries = Object.entries(words) as [T, string][];
  return new Map(
    entries.flatMap(([meaning, list]) => list.split(' ').map((word) => [word, meaning] as const)),
  );
}

/** Words before the number of a job, step or machine. */
const KEYS = dictionary<Key>({
  job: 'job jobname jobid',
  step: 'step operation op opn task',
  machine: 'machine mach resource workstation',
});

/** Letters with the same meaning if a number follows directly: `J1`, `O2`, `M3`. */
const SHORT_KEYS = dictionary<Key>({ job: 'j', step: 'o', machine: 'm' });

const PLURALS = new Set(['jobs', 'steps', 'operations', 'ops', 'tasks', 'machines']);

/** Words before a time. */
const TIMES = dictionary<'start' | 'end' | 'duration'>({
  start: 'start starts starting starttime begin begins from',
  end: 'end ends ending endtime finish finishes finishing',
  duration: 'duration dur takes',
});

/** Names of the columns of tables and of the keys of JSON, without blanks and marks. */
const FIELD_NAMES = dictionary<RowField | 'makespan'>({
  job: 'job jobid jobname jobnumber jobno',
  step: 'step stepid stepnumber stepno operation operationid operationnumber operationindex op opid task taskid',
  machine: 'machine machineid machinename machinenumber resource',
  start: 'start starttime begin startat starts from',
  end: 'end endtime finish finishtime completion completiontime ends to',
  duration: 'duration dur processingtime proctime',
  makespan: 'makespan finalmakespan totalmakespan',
});

/** Words that turn the number before them into a time of day, or a duration in another unit. */
const OTHER_UNITS = new Set(
  'h hr hrs hour hours am pm min mins minute minutes day days'.split(' '),
);

/** The kind of label that a token is, if it is one. */
export function labelKeyOf(token: Token | undefined, next: Token | undefined): Key | undefined {
  if (token?.kind !== 'word') return undefined;
  const isShort = next?.kind === 'number' && next.glued;
  return KEYS.get(token.text) ?? (isShort ? SHORT_KEYS.get(token.text) : undefined);
}

export function timeWord(token: Token | undefined): 'start' | 'end' | 'duration' | undefined {
  return token?.kind === 'word' ? TIMES.get(token.text) : undefined;
}

export function isPlural(token: Token): boolean {
  return token.kind === 'word' && PLURALS.has(token.text);
}

/** `JobA` and the like: a label and a letter in one word. */
export function isLetterName(token: Token | undefined): boolean {
  return token?.kind === 'word' && /^(?:[Jj]ob|[Mm]achine)[A-Z]$/.test(token.raw);
}

export function isOtherUnit(token: Token | undefined): boolean {
  return token?.kind === 'word' && OTHER_UNITS.has(token.text);
}

/** The column or key of an entry that a title names, if it names one. */
export function fieldOf(title: string): RowField | 'makespan' | undefined {
  if (title.length > 40) return undefined;
  return FIELD_NAMES.get(title.toLowerCase().replace(/[^a-z]/g, ''));
}

/**
 * The number in a cell, string or key: a number alone, or a label of the field with one (`Job 3`). NaN for any other
 * content, undefined if it is empty.
 */
export function cellNumber(field: RowField, cell: string): number | undefined {
  if (cell.length > 60) return Number.NaN;
  const tokens = tokenize(cell, 0, cell.length).filter(({ text }) => text !== '#');
  if (tokens.length === 0) return undefined;
  const sign = tokens[0].text === '-' && tokens[1]?.glued ? -1 : 1;
  const rest = sign < 0 ? tokens.slice(1) : tokens;
  const [first, second, third] = rest;
  if (first?.kind === 'number') return rest.length === 1 ? sign * first.value : Number.NaN;
  const isLabelled = labelKeyOf(first, second) === field && second?.kind === 'number';
  return isLabelled && third === undefined ? second.value : Number.NaN;
}

/** The number of a name such as `Machine0` or `Job 3`, if it is a name of that kind. */
export function labelNumber(key: Key, name: string): number | undefined {
  if (!/^\W{0,3}[a-z]/i.test(name)) return undefined;
  const number = cellNumber(key, name);
  return Number.isNaN(number) ? undefined : number;
}
