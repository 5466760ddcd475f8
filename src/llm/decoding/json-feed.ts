import type { JsonFound } from './json-rows.js';
import type { TextLine } from './lines.js';

/** What was found in the JSON of a text, line by line. */
export interface JsonFeed {
  /** What stands in the JSON before the end of a line and was not taken yet. */
  take(line: TextLine): JsonFound;
  /** Whether JSON was found in a line, so that it is not read again. Lines come in order. */
  covers(line: TextLine): boolean;
}

/** Hands out what was found in the JSON of a text as the text is read. */
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

/** The parts of the text that JSON has taken, in ascending order. */
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
