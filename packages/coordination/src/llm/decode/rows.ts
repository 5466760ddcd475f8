import type { Problem } from '../../model/problem.js';
import { parseRoadPoint } from '../../model/travel.js';
import { type ActionReading, actionOf, type Positions } from './action.js';
import { type ActionParts, noParts, readSentence } from './sentence.js';
import { readClock, readTimes, type TimedLine } from './times.js';
import type { NameKind, Vocabulary } from './vocabulary.js';

/** Meanings of table columns and JSON keys, by the words in use for them. */
const ROLES = {
  time: ['time', 'times', 'when', 'time slot', 'timeslot', 'timeframe', 'time frame', 'time range'],
  start: ['start', 'start time', 'begin', 'begins', 'starts', 'departure', 'departs', 'depart'],
  end: ['end', 'end time', 'ends', 'finish', 'arrival', 'arrives', 'arrive', 'arrival time'],
  duration: ['duration', 'minutes', 'duration min', 'duration minutes'],
  do: ['do', 'type', 'kind'],
  task: ['task', 'tasks', 'action', 'actions', 'what', 'description', 'details', 'event', 'step'],
  activity: ['activity'],
  people: ['who', 'person', 'people', 'persons', 'person s', 'agent', 'agents', 'actor', 'member'],
  driver: ['driver', 'driven by'],
  passengers: ['with', 'passenger', 'passengers', 'riders'],
  vehicle: ['vehicle', 'car'],
  from: ['from', 'origin', 'from place'],
  to: ['to', 'destination', 'to place'],
  at: ['at', 'place', 'location', 'where'],
  note: ['note', 'notes', 'remark', 'remarks', 'comment', 'comments'],
} as const;
export type Role = keyof typeof ROLES;

const ROLE_OF = new Map<string, Role>(
  Object.entries(ROLES).flatMap(([role, words]) => words.map((word) => [word, role as Role])),
);

/** The meaning of a header or key; null if it has none here. */
export function roleOf(header: string): Role | null {
  const words = header.toLowerCase().match(/[a-z]+/g) ?? [];
  return ROLE_OF.get(words.join(' ')) ?? null;
}

/** One line of a table, or one JSON object. */
export interface Row {
  /** Its position in the answer, for messages. */
  readonly place: string;
  readonly cells: readonly {
    readonly role: Role | null;
    readonly text: string;
    /** The entries of cells that are lists. */
    readonly items?: readonly string[];
  }[];
}

/** The vocabulary and state for parsing, and the messages collected so far. */
export interface ReadingContext {
  readonly problem: Problem;
  readonly vocabulary: Vocabulary;
  readonly positions: Positions;
  readonly unread: string[];
  readonly notes: string[];
}

const KINDS = new Map<string, ActionParts['kind']>([
  ...(['drive', 'travel', 'ride', 'transport'] as const).map((word) => [word, 'drive'] as const),
  ...(['activity', 'task'] as const).map((word) => [word, 'activity'] as const),
  ...(['stay', 'wait'] as const).map((word) => [word, 'stay'] as const),
]);
const NOBODY = /^(?:[-–—]*|none|nobody|no one|n\/a|null)$/i;
const EVERYBODY = /^(?:all|everyone|everybody|all (?:four|five|people|of them))$/i;
const DRIVER_MARK = /\s*\((?:driver|drives|driving)\)\s*/i;

/** Parses a row as an action; null, with the reason in the context, if it is unreadable. */
export function readRow(given: Row, context: ReadingContext): ActionReading['action'] {
  const { problem, vocabulary, unread, notes } = context;
  const row = withTasks(given, vocabulary);
  const told: string[] = [];
  const textOf = (role: Role) => row.cells.find((cell) => cell.role === role)?.text ?? '';
  const sentence = row.cells
    .filter(({ role, text }) => (role === 'task' || role === null) && readClock(text) === null)
    .map(({ text }) => text)
    .join('; ');
  const times = timesOf(row, sentence);
  if (times === null) {
    const words = row.cells.map(({ text }) => text).join(' ');
    if (words.trim() !== '') unread.push(`${row.place}: no clock time in '${short(words)}'`);
    return null;
  }
  const parts = times.rest.trim() === '' ? noParts() : readSentence(vocabulary, times.rest);
  told.push(...parts.unread);
  const kind = KINDS.get(textOf('do').trim().toLowerCase());
  if (kind !== undefined) parts.kind = kind;
  for (const { role, text, items } of row.cells) {
    const name = (of: NameKind) => nameIn(context, text, of, told);
    if (role === 'vehicle') parts.vehicle = name('vehicle') ?? parts.vehicle;
    else if (role === 'from' || role === 'to' || role === 'at') {
      parts[role] = name('place') ?? parts[role];
    } else if (role === 'activity') parts.activity = name('activity') ?? parts.activity;
    else if (role === 'driver') parts.driver = name('person') ?? parts.driver;
    else if (role === 'people') addPeople(context, parts, items ?? listed(text), told);
    else if (role === 'passengers') {
      const others = { ...noParts(), people: parts.passengers ?? [] };
      addPeople(context, others, items ?? listed(text), told);
      parts.passengers = others.people;
    }
  }
  parts.kind ??= kindOf(parts);
  const reading = actionOf(problem, parts, times, context.positions);
  if (reading.action === null) unread.push(`${row.place}: ${reading.reason}`);
  else notes.push(...reading.concluded.map((words) => `${row.place}: ${words}`));
  unread.push(...told.map((words) => `${row.place}: ${words}`));
  return reading.action;
}

/** Moves column `activity` to `task` if the column contains more than the name of an activity. */
function withTasks(row: Row, vocabulary: Vocabulary): Row {
  if (row.cells.some(({ role }) => role === 'do')) return row;
  const cells = row.cells.map((cell) =>
    cell.role === 'activity' && vocabulary.named(plain(cell.text), 'activity').length === 0
      ? { ...cell, role: 'task' as const }
      : cell,
  );
  return { ...row, cells };
}

function kindOf({ vehicle, driver, from, to, activity }: ActionParts): ActionParts['kind'] {
  if (vehicle !== null || driver !== null || (from !== null && to !== null)) return 'drive';
  return activity === null ? null : 'activity';
}

/** Start and end of a row, and the rest of its sentence. */
function timesOf({ cells }: Row, sentence: string): TimedLine | null {
  const first = (role: Role) => cells.find((cell) => cell.role === role)?.text;
  const clocks = cells.flatMap(({ role, text }) => (role === null ? (readClock(text) ?? []) : []));
  const [start, end] = [first('start') ?? first('time'), first('end')].map((text) =>
    text === undefined ? null : readTimes(text),
  );
  const minutes = /^\D*(\d{1,4})\b/.exec(first('duration') ?? '')?.[1];
  if (start !== null) {
    const own = end?.start ?? start.end;
    const last = own ?? (minutes === undefined ? null : start.start + Number(minutes));
    return { start: start.start, end: last, rest: sentence };
  }
  if (clocks.length > 0) return { start: clocks[0], end: clocks[1] ?? null, rest: sentence };
  return readTimes(sentence);
}

/** The id that a cell names; the text itself if the name is unknown; null if it is empty or ambiguous. */
function nameIn(
  { problem, vocabulary }: ReadingContext,
  cell: string,
  kind: NameKind,
  told: string[],
): string | null {
  const text = plain(cell);
  if (NOBODY.test(text)) return null;
  if (kind === 'place' && parseRoadPoint(problem, text) !== null) return text;
  const named = vocabulary.named(text, kind);
  if (named.length === 1) return named[0];
  if (named.length > 1) {
    told.push(`'${short(text)}' may be ${named.join(' or ')}`);
    return null;
  }
  const inside = vocabulary
    .mentions(text)
    .flatMap(({ things }) => things.filter((thing) => thing.kind === kind).map(({ id }) => id));
  if (new Set(inside).size === 1) return inside[0];
  told.push(`there is no ${kind} '${short(text)}'`);
  return text.slice(0, 100);
}

function addPeople(
  context: ReadingContext,
  parts: ActionParts,
  names: readonly string[],
  told: string[],
): void {
  const { problem, vocabulary } = context;
  for (const name of names) {
    const isDriver = DRIVER_MARK.test(name);
    const text = plain(name.replace(DRIVER_MARK, ''));
    if (NOBODY.test(text)) continue;
    if (EVERYBODY.test(text)) {
      parts.people.push(...[...problem.people.keys()].filter((one) => !parts.people.includes(one)));
      continue;
    }
    const [vehicle, ...more] = vocabulary.named(text, 'vehicle');
    const isPerson = vocabulary.named(text, 'person').length > 0;
    if (vehicle !== undefined && more.length === 0 && !isPerson) {
      parts.vehicle ??= vehicle;
      continue;
    }
    const person = nameIn(context, text, 'person', told);
    if (person === null) continue;
    if (isDriver) parts.driver = person;
    else if (!parts.people.includes(person) && person !== parts.driver) parts.people.push(person);
  }
  parts.people = parts.people.filter((one) => one !== parts.driver);
}

/** The names in a cell. */
function listed(text: string): string[] {
  return text.split(/[,;&+/]|\band\b/i);
}

function plain(text: string): string {
  return text.replaceAll(/[*_`"]+(?=\s|$)|(?<=^|\s)[*_`"]+/g, '').trim();
}

/** A shortened text, for messages. */
export function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}
