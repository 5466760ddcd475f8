/** Words that mean the same operation or thing in interfaces; the first of each line stands for all. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['read', 'get', 'fetch', 'look', 'lookup', 'load', 'retrieve', 'find', 'query', 'search', 'show'],
  ['create', 'open', 'add', 'make', 'new', 'register', 'insert'],
  ['change', 'update', 'set', 'edit', 'modify', 'patch'],
  ['delete', 'remove', 'drop', 'erase'],
  ['cancel', 'void', 'withdraw', 'revoke', 'reverse', 'revert', 'undo', 'rollback'],
  ['refund', 'reimburse', 'repay'],
  ['pay', 'charge', 'debit'],
  ['send', 'mail', 'email', 'notify', 'message', 'notification'],
  ['book', 'reserve', 'reservation', 'booking'],
  ['post', 'record', 'entry', 'posting'],
  ['customer', 'client', 'buyer'],
  ['person', 'employee', 'staff', 'worker', 'people'],
  ['amount', 'sum', 'total', 'price'],
  ['id', 'identifier', 'number', 'no', 'code', 'key', 'reference', 'ref'],
  ['text', 'body', 'content'],
  ['address', 'to', 'recipient', 'receiver'],
  ['subject', 'title', 'heading'],
  ['date', 'day'],
];

const MEANING = new Map(
  SYNONYMS.flatMap(([first, ...others]) => others.map((word) => [word, first])),
);

const EMPTY = new Set(
  'a an the of for in on at by with from and or is are be it its this that into as all each one'.split(
    ' ',
  ),
);

/** The words of a text or a name by their meaning: `orderNumber` → `order`, `id`. Numbers are words, too. */
export function wordsOf(text: string): readonly string[] {
  const words = text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (words ?? []).filter((word) => !EMPTY.has(word)).map(meaningOf);
}

function meaningOf(word: string): string {
  for (const form of [word, ...stemsOf(word)]) {
    const meaning =
      MEANING.get(form) ?? (SYNONYMS.some(([first]) => first === form) ? form : undefined);
    if (meaning !== undefined) return meaning;
  }
  return stemsOf(word)[0] ?? word;
}

/** Forms of a word without the endings of plurals and verbs. */
function stemsOf(word: string): string[] {
  if (word.length < 4 || /\d/.test(word)) return [];
  const stems: string[] = [];
  for (const [ending, others] of [
    ['ies', ['y']],
    ['ing', ['', 'e']],
    ['ed', ['', 'e']],
    ['es', ['', 'e']],
    ['s', ['']],
  ] as const) {
    if (!word.endsWith(ending) || word.endsWith('ss')) continue;
    for (const other of others) stems.push(word.slice(0, -ending.length) + other);
    break;
  }
  return stems.filter((stem) => stem.length > 2);
}

/**
 * The similarity of two wordings, from 0 to 1: the share of the words of the shorter one that the other has, and the
 * share of common words in both. Different numbers make them different.
 */
export function similarityOf(one: string, other: string): number {
  const [a, b] = [new Set(wordsOf(one)), new Set(wordsOf(other))];
  if (a.size === 0 || b.size === 0) return 0;
  const numbers = (words: ReadonlySet<string>) =>
    [...words].filter((word) => /^\p{N}+$/u.test(word));
  const differs =
    numbers(a).some((word) => !b.has(word)) || numbers(b).some((word) => !a.has(word));
  const common = [...a].filter((word) => b.has(word)).length;
  const dice = (2 * common) / (a.size + b.size);
  const covered = common / Math.min(a.size, b.size);
  return ((dice + covered) / 2) * (differs ? 0.5 : 1);
}
