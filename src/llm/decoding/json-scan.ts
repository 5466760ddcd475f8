import { createJsonBuilder, type JsonFound } from './json-rows.js';
import type { TextLine } from './lines.js';

/** Maximum depth of nesting. */
const DEEPEST = 64;

const OPENING = /[{[]/g;
const PART = /\\?["']|[{}[\],]|\.{3}|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|\S/g;

/**
 * Finds the operations and machine orders in all JSON of a text, and in similar notations: single quotes, bare keys,
 * comments and ellipses, text around it, a missing end. Brackets in prose are skipped.
 */
export function scanJson(text: string): JsonFound {
  const builder = createJsonBuilder();
  let tooDeep = 0;
  let at = nextOpening(text, 0);
  PART.lastIndex = at < 0 ? text.length : at;
  let before = '';
  // End of the line in which each unclosed quotation mark was found.
  const unclosed = new Map<string, number>();
  for (let match = PART.exec(text); match !== null; match = PART.exec(text)) {
    const part = match[0];
    const from = match.index;
    at = from + part.length;
    if (part === '{' || part === '[') {
      if (!opensJson(text, at, part)) before = 'word';
      else if (builder.depth >= DEEPEST) tooDeep++;
      else {
        builder.open(part === '{', from);
        before = part;
      }
    } else if (part === '}' || part === ']') {
      if (tooDeep > 0) tooDeep--;
      else builder.close(part === '}', at);
      before = part;
    } else if (part === ',') {
      builder.comma();
      before = part;
    } else if (part.endsWith('"') || part.endsWith("'")) {
      // Only where a key or value may begin: elsewhere it is an apostrophe.
      const close = mayBeginString(before) ? closingQuote(text, from, part, unclosed) : -1;
      if (close < 0) continue;
      at = close + part.length;
      PART.lastIndex = at;
      take(text.slice(from + part.length, close), from);
    } else if (part === ':') before = part;
    else if (/^[-\dA-Za-z_]/.test(part)) take(part, from);
    if (builder.depth === 0) {
      const next = nextOpening(text, at);
      PART.lastIndex = next < 0 ? text.length : next;
      before = '';
      if (next < 0) break;
    }
  }
  return builder.end(text.length);

  /** Delivers a string, number or word: a key if a colon follows. */
  function take(value: string, from: number): void {
    if (tooDeep === 0) {
      if (before !== ':' && isBeforeColon(text, at)) builder.key(value);
      else builder.scalar(value, from, at);
    }
    before = 'value';
  }
}

function nextOpening(text: string, from: number): number {
  OPENING.lastIndex = from;
  return OPENING.exec(text)?.index ?? -1;
}

/** Whether a bracket opens an object or list, as opposed to a remark or a placeholder. */
function opensJson(text: string, at: number, bracket: string): boolean {
  const next = text.slice(at, at + 200).replace(/^(?:\s|\\n)+/, '');
  if (next === '') return true;
  return bracket === '{'
    ? /^(?:\\?["'}]|\/\/|\w+\s?:)/.test(next)
    : /^(?:\\?["'[{\]]|-?\d|\/\/|\()/.test(next);
}

function mayBeginString(before: string): boolean {
  return before === '{' || before === '[' || before === ',' || before === ':' || before === '}';
}

/** The end of a string on the same line; −1 if it has none there. */
function closingQuote(
  text: string,
  from: number,
  quote: string,
  unclosed: Map<string, number>,
): number {
  if (from < (unclosed.get(quote) ?? 0)) return -1;
  let i = from + quote.length;
  for (; i < text.length && text[i] !== '\n'; i++) {
    const char = text[i];
    if (quote.length === 2 ? char === '\\' && text[i + 1] === quote[1] : char === quote) return i;
    if (char === '\\') i++;
  }
  unclosed.set(quote, i);
  return -1;
}

function isBeforeColon(text: string, from: number): boolean {
  let at = from;
  while (at < from + 20 && (text[at] === ' ' || text[at] === '\t')) at++;
  return text[at] === ':';
}

/** The finds in the JSON of a text, line by line. */
export interface JsonFeed {
  /** JSON values up to the end of a line that have not been delivered yet. */
  take(line: TextLine): JsonFound;
  /** Whether a line is part of JSON and must not be read again. Lines must be passed in order. */
  covers(line: TextLine): boolean;
}

/** Delivers the results of the JSON scan while the text is read. */
export function createJsonFeed(json: JsonFound): JsonFeed {
  const masks = jsonMasks(json);
  let mask = 0;
  const next = { rows: 0, orders: 0, makespans: 0, ignored: 0 };
  const upTo = <T>(key: keyof typeof next, list: readonly T[], isBefore: (one: T) => boolean) => {
    const first = next[key];
    while (next[key] < list.length && isBefore(list[next[key]])) next[key]++;
    return list.slice(first, next[key]);
  };
  return {
    take: ({ to }) => ({
      rows: upTo('rows', json.rows, ({ from }) => from < to),
      orders: upTo('orders', json.orders, ({ from }) => from < to),
      makespans: upTo('makespans', json.makespans, ({ offset }) => offset < to),
      ignored: upTo('ignored', json.ignored, ({ from }) => from < to),
    }),
    covers(line) {
      while (mask < masks.length && masks[mask].to <= line.from) mask++;
      return masks[mask]?.from < line.to;
    },
  };
}

/** The parts of the text that are JSON, in ascending order. */
function jsonMasks({ rows, orders, ignored }: JsonFound): { from: number; to: number }[] {
  for (const list of [rows, orders, ignored]) list.sort((a, b) => a.from - b.from);
  const spans = [...rows, ...orders, ...ignored].map(({ from, to }) => ({ from, to }));
  spans.sort((a, b) => a.from - b.from);
  const masks: { from: number; to: number }[] = [];
  for (const span of spans) {
    const top = masks.at(-1);
    if (top !== undefined && span.from < top.to) top.to = Math.max(top.to, span.to);
    else masks.push(span);
  }
  return masks;
}
