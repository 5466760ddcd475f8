const CONTEXT = 3;
/** Beyond so many differing lines, the whole of what differs is given as replaced. */
const MOST_DIFFERENCES = 1000;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/**
 * The differences of two texts in the unified format that `patch` and `git apply` read, or nothing
 * if there are none. Lines are compared by the greedy algorithm of Myers (1986),
 * doi:10.1007/BF01840446.
 *
 * @param oldName name of the old file, `/dev/null` if there is none; `newName` likewise
 */
export function unifiedDiff(
  oldName: string,
  newName: string,
  oldText: string,
  newText: string,
): string {
  const lines = compare(linesOf(oldText), linesOf(newText));
  const hunks = hunksOf(lines).map(([from, to]) => formatHunk(lines, from, to));
  return hunks.length === 0 ? '' : `--- ${oldName}\n+++ ${newName}\n${hunks.join('')}`;
}

/** Lines with their line breaks: a last line without one differs from one that has it. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function compare(a: readonly string[], b: readonly string[]): Line[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  const shorter = Math.min(a.length, b.length) - head;
  while (tail < shorter && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return [
    ...a.slice(0, head).map((text): Line => ({ sign: ' ', text })),
    ...compareMiddle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map((text): Line => ({ sign: ' ', text })),
  ];
}

function compareMiddle(a: readonly string[], b: readonly string[]): Line[] {
  const fronts = frontsOf(a, b);
  if (fronts === undefined) {
    return [
      ...a.map((text): Line => ({ sign: '-', text })),
      ...b.map((text): Line => ({ sign: '+', text })),
    ];
  }
  const lines: Line[] = [];
  let x = a.length;
  let y = b.length;
  for (let d = fronts.length; d > 0; d--) {
    const front = fronts[d - 1];
    const k = x - y;
    const down = k === -d || (k !== d && reach(front, k - 1) < reach(front, k + 1));
    const from = reach(front, down ? k + 1 : k - 1);
    const start = down ? from : from + 1;
    for (; x > start; y--) lines.push({ sign: ' ', text: a[--x] });
    lines.push(down ? { sign: '+', text: b[--y] } : { sign: '-', text: a[--x] });
  }
  while (x > 0) lines.push({ sign: ' ', text: a[--x] });
  return lines.reverse();
}

/**
 * How far into `a` each diagonal k (place in a − place in b) is reached with 0, 1, 2… differences,
 * up to one less than are needed; undefined if that is too many.
 */
function frontsOf(a: readonly string[], b: readonly string[]): Map<number, number>[] | undefined {
  const fronts: Map<number, number>[] = [];
  for (let d = 0; d <= MOST_DIFFERENCES; d++) {
    const front = new Map<number, number>();
    const last = fronts.at(-1);
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && reach(last, k - 1) < reach(last, k + 1));
      let x = d === 0 ? 0 : down ? reach(last, k + 1) : reach(last, k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      front.set(k, x);
      if (x >= a.length && x - k >= b.length) return fronts;
    }
    fronts.push(front);
  }
  return undefined;
}

function reach(front: Map<number, number> | undefined, k: number): number {
  return front?.get(k) ?? Number.NEGATIVE_INFINITY;
}

/** Ranges of lines that hold all differences with their context. */
function hunksOf(lines: readonly Line[]): [number, number][] {
  const hunks: [number, number][] = [];
  lines.forEach(({ sign }, index) => {
    if (sign === ' ') return;
    const last = hunks.at(-1);
    const to = Math.min(index + CONTEXT + 1, lines.length);
    if (last !== undefined && index - CONTEXT <= last[1]) last[1] = to;
    else hunks.push([Math.max(0, index - CONTEXT), to]);
  });
  return hunks;
}

function formatHunk(lines: readonly Line[], from: number, to: number): string {
  const hunk = lines.slice(from, to);
  const text = hunk.map((line) =>
    line.text.endsWith('\n')
      ? line.sign + line.text
      : `${line.sign}${line.text}\n\\ No newline at end of file\n`,
  );
  const range = (sign: '-' | '+') => {
    const count = (part: readonly Line[]) =>
      part.filter((line) => line.sign === ' ' || line.sign === sign).length;
    const length = count(hunk);
    const before = count(lines.slice(0, from));
    return `${sign}${length === 0 ? before : before + 1},${length}`;
  };
  return `@@ ${range('-')} ${range('+')} @@\n${text.join('')}`;
}
