import { InputError } from '@alas-jssp/core/errors';
import { JOINED_SIGNS } from 'alas-jssp/internal/service';
import { ROW_NAMES } from 'alas-jssp/shop';

// An agent may read text in our answers as instructions. Names and texts from files, from other people and from plans
// of other models are data: they appear between ‹ and ›, in one line, shortened, and without invisible characters. No
// text can close the marks.

/** The longest text from a file in an answer, in characters. */
const LONGEST = 160;

/** Controls, formats (direction, joiners, tags), line and paragraph separators, lone surrogates, private use. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]+/gu;

const JOINER_AT_END = /[\u200c\u200d]$/u;

/** A joined sign, or invisible characters. */
const JOINED_OR_UNSEEN = new RegExp(`(${JOINED_SIGNS.source})|(?:${UNSEEN.source})`, 'gu');

/** Marks a text from a file: `‹WO-4711›`. */
export function markFileText(text: string): string {
  const line = text
    .replaceAll(JOINED_OR_UNSEEN, (_, joined?: string) => joined ?? ' ')
    .replaceAll('‹', '<')
    .replaceAll('›', '>')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const signs = Array.from(line);
  const short =
    signs.length > LONGEST
      ? `${signs
          .slice(0, LONGEST - 1)
          .join('')
          .replace(JOINER_AT_END, '')}…`
      : line;
  return `‹${short}›`;
}

/** Keys whose texts are our own words; texts of files cannot appear there. */
const OUR_WORDS = new Set([
  'cause_kind',
  'code',
  'description',
  'kind',
  'method',
  'next',
  'note',
  'objective',
  'phase',
  'role',
  'shop',
  'source',
  'status',
  'suite',
  'uri',
  'waits_for',
]);

/** Keys of row names, which an agent sends back, and the row names themselves. */
const ROW_KEYS: ReadonlySet<string> = new Set(['policy', 'row', 'same']);
const ROWS: ReadonlySet<string> = new Set(ROW_NAMES);

/** Generated labels, names of benchmarks, and times. */
const OUR_LABELS =
  /^(?:(?:Job|Machine|job |machine )\d{1,9}|[a-z]{2,5}\d{1,3}|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?)$/;

/** Marks every text of an answer that may be from a file; `key` is the key of the value. */
export function markAnswer<T>(value: T, key = ''): T {
  if (typeof value === 'string') {
    const isOurs =
      OUR_WORDS.has(key) || OUR_LABELS.test(value) || (ROW_KEYS.has(key) && ROWS.has(value));
    return (isOurs ? value : markFileText(value)) as T;
  }
  if (Array.isArray(value)) return value.map((item) => markAnswer(item, key)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).map(([name, item]) => [name, markAnswer(item, name)]);
  return Object.fromEntries(pairs) as T;
}

/** A depth that no input of a tool reaches. */
const MOST_NESTED = 100;

/**
 * Removes the marks from the input of an agent.
 *
 * @throws InputError `bad_json` if the input is nested too deep to traverse
 */
export function withoutMarks<T>(value: T, depth = 0): T {
  if (typeof value === 'string') return value.replace(/^‹(.*)›$/su, '$1') as T;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MOST_NESTED) {
    const problem = `this is nested more than ${MOST_NESTED} deep`;
    throw new InputError('bad_json', problem, 'nest it less');
  }
  const without = (item: unknown) => withoutMarks(item, depth + 1);
  if (Array.isArray(value)) return value.map(without) as T;
  const pairs = Object.entries(value).map(([name, item]) => [name, without(item)]);
  return Object.fromEntries(pairs) as T;
}

/** Escapes invisible characters in JSON: the data stays the same, and nothing in it is hidden. */
export function plainJson(json: string): string {
  return json.replaceAll(/[\p{Cf}\p{Zl}\p{Zp}\p{Co}\u007f-\u009f]/gu, (sign) =>
    Array.from({ length: sign.length }, (_, i) => {
      return `\\u${sign.charCodeAt(i).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}
