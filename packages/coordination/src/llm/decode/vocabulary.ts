import type { Problem } from '../../model/problem.js';
import { parseRoadPoint } from '../../model/travel.js';

/** Kinds of things that plans name. */
export type NameKind = 'person' | 'vehicle' | 'place' | 'activity';

/** A name of the problem in a text, with all things that share it. */
export interface Mention {
  readonly from: number;
  readonly to: number;
  readonly things: readonly { readonly kind: NameKind; readonly id: string }[];
}

/** The names of a problem: ids, and how people call them. */
export interface Vocabulary {
  /** All mentions in a text; if names contain others, the longest wins. */
  mentions(text: string): Mention[];
  /** Ids of one kind with exactly this name. */
  named(text: string, kind: NameKind): string[];
}

interface Word {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const WORD = /[\p{L}\p{N}_'’]+/gu;
const POINT = /(?<![^\s>|,;()])[^\s>|,;()]+>[^\s>|,;()]+@\d+(?:\.\d+)?/g;
/** Maximum length of names that may be ordinary words: they count only where a place is expected, and case matters. */
const SHORT = 1;
const BEFORE_PLACE = /(?:\b(?:from|to|at|in|via|of|or|leaves|towards)|[→>(:–-]|^)\s*["'`*]*$/i;
const BEFORE_ARROW = /^["'`*]*\s*(?:→|-+>|=>|–>|[,;:)]|–\s|$)/;

/** Collects the names of a problem. */
export function vocabularyOf(problem: Problem): Vocabulary {
  const byName = new Map<string, Mention['things'][number][]>();
  const add = (kind: NameKind, id: string, name: string) => {
    for (const key of new Set([keyOf(id), keyOf(name)].filter((one) => one !== ''))) {
      const things = byName.get(key) ?? [];
      if (!things.some((one) => one.kind === kind && one.id === id)) things.push({ kind, id });
      byName.set(key, things);
    }
  };
  for (const { id, name } of problem.people.values()) add('person', id, name);
  for (const { id, name } of problem.vehicles.values()) add('vehicle', id, name);
  for (const { id, name } of problem.places.values()) add('place', id, name);
  for (const { id, name } of problem.activities.values()) add('activity', id, name);
  const longest = Math.max(0, ...Array.from(byName.keys(), (key) => key.split(' ').length));

  return {
    named: (text, kind) =>
      (byName.get(keyOf(text)) ?? []).filter((one) => one.kind === kind).map(({ id }) => id),
    mentions(text) {
      const found: Mention[] = [];
      for (const match of text.matchAll(POINT)) {
        if (parseRoadPoint(problem, match[0]) === null) continue;
        const things = [{ kind: 'place' as const, id: match[0] }];
        found.push({ from: match.index, to: match.index + match[0].length, things });
      }
      const points = [...found];
      const words = wordsOf(text).filter(({ from }) =>
        points.every((point) => from < point.from || from >= point.to),
      );
      for (let at = 0; at < words.length; ) {
        let length = Math.min(longest, words.length - at);
        for (; length > 0; length--) {
          const some = words.slice(at, at + length);
          const things = byName.get(some.map((word) => word.text).join(' '));
          if (things === undefined || !isMeant(text, some)) continue;
          found.push({ from: some[0].from, to: some[length - 1].to, things });
          break;
        }
        at += Math.max(1, length);
      }
      return found.sort((a, b) => a.from - b.from);
    },
  };
}

/** The words of a name in lower case, without hyphens and apostrophes: `Pat's car` becomes `pats car`. */
function keyOf(name: string): string {
  return wordsOf(name)
    .map(({ text }) => text)
    .join(' ');
}

function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({
    from: index,
    to: index + word.length,
    text: word.replaceAll(/['’_]/g, '').toLowerCase(),
  })).filter((word) => word.text !== '');
}

/** Whether words are really a name: a single letter is one only where a place is expected. */
function isMeant(text: string, words: readonly Word[]): boolean {
  const [{ from, to, text: word }] = words;
  if (words.length > 1 || word.length > SHORT || /\d/.test(word)) return true;
  const isCapital = text.slice(from, to) === word.toUpperCase();
  return (
    isCapital &&
    (BEFORE_PLACE.test(text.slice(Math.max(0, from - 12), from)) ||
      BEFORE_ARROW.test(text.slice(to, to + 8)))
  );
}
