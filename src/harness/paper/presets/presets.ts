import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { ALAS_PEOPLE } from './alas-people.js';
import { ALAS_SHOPS } from './alas-shops.js';
import { ALAS_WORDS } from './alas-words.js';
import { PAPERS, type PaperItem } from './paper-item.js';
import { SAGALLM_ITEMS } from './sagallm.js';

/** All tables and figures of the papers: tables first, by number. */
export const PAPER_ITEMS: readonly PaperItem[] = [
  ...[...ALAS_SHOPS, ...ALAS_WORDS, ...ALAS_PEOPLE].toSorted(inOrder),
  ...[...SAGALLM_ITEMS].toSorted(inOrder),
];

/** The name of all rows together. */
const ALL = 'all';

/**
 * The rows of names: ids, the name of a paper, or `all`; each row once.
 *
 * @throws InputError `unknown_row` with the closest names
 */
export function findItems(names: readonly string[]): PaperItem[] {
  const found = new Set<PaperItem>();
  for (const name of names) {
    const items = PAPER_ITEMS.filter(
      ({ id, paper }) => name === ALL || id === name || paper === name,
    );
    if (items.length === 0) throw unknownRow(name);
    for (const item of items) found.add(item);
  }
  return [...found];
}

function unknownRow(name: string): InputError {
  const known = [...PAPERS, ALL, ...PAPER_ITEMS.map(({ id }) => id)];
  const hint = suggestNames(name, known);
  return new InputError('unknown_row', `no paper has a row '${name}'`, hint, {}, name);
}

/** Tables, then figures, then studies, each by number. */
function inOrder(a: PaperItem, b: PaperItem): number {
  const [one, other] = [a, b].map(({ id }) => {
    const [, kind, number = '0'] = /\/([a-z]+)(?:-(\d+))?$/.exec(id) ?? [];
    return 1000 * ['table', 'figure', 'study'].indexOf(kind) + Number(number);
  });
  return one - other;
}
