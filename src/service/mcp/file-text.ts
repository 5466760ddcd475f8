import { InputError } from '../../core/errors.js';
import { JOINED_SIGNS } from '../../jssp/instance-names.js';
import { ROW_NAMES } from '../../pipeline/shop/row-names.js';

// An agent reads our answers as it reads its orders. Names and texts that come from files, from other people
// and from plans of other models are data: they stand between ‹ and ›, in one line, shortened, and without the
// signs that nobody sees. Nothing in them can close the marks.

/** Characters of a text from a file that an agent is shown. */
const LONGEST = 160;

/** Controls, formats (direction, joiners, tags), line and paragraph separators, halves of pairs, private use. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]+/gu;

const JOINER_AT_END = /[\u200c\u200d]$/u;

/** A joined sign, or signs that nobody sees. */
const JOINED_OR_UNSEEN = new RegExp(`(${JOINED_SIGNS.source})|(?:${UNSEEN.source})`, 'gu');

/** A text from a file as an agent is shown it: `‹WO-4711›`. */
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

/** Keys whose texts are words of ours: there is no way for a text of a file into them. */
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

/** Keys under which names of rows are, which an agent gives back, and those names. */
const ROW_KEYS: ReadonlySet<string> = new Set(['policy', 'row', 'same']);
const ROWS: ReadonlySet<string> = new Set(ROW_NAMES);

/** Labels of what has no name, names of benchmarks, and times. */
const OUR_LABELS =
  /^(?:(?:Job|Machine|job |machine )\d{1,9}|[a-z]{2,5}\d{1,3}|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?)$/;

/** Marks every text of an answer that may be from a file; `key` is where the value stands. */
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

/** Deeper than anything that tools take. */
const MOST_NESTED = 100;

/**
 * Takes the marks off what an agent gives back.
 *
 * @throws InputError `bad_json` for what is nested so deep that nobody could walk it
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

/** JSON in which the signs that nobody sees are escapes: the same data, and nothing hidden in it. */
export function plainJson(json: string): string {
  return json.replaceAll(/[\p{Cf}\p{Zl}\p{Zp}\p{Co}\u007f-\u009f]/gu, (sign) =>
    Array.from({ length: sign.length }, (_, i) => {
      return `\\u${sign.charCodeAt(i).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}
