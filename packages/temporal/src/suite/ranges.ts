/**
 * Numbers of tasks as a text: single ones and ranges, ascending, such as `0-199 205`. An untouched
 * matrix of a million tasks takes a few bytes.
 */
export function formatRanges(indices: Iterable<number>): string {
  const parts: string[] = [];
  let first = -1;
  let last = -1;
  const end = () => {
    if (first >= 0) parts.push(first === last ? `${first}` : `${first}-${last}`);
  };
  for (const index of indices) {
    if (index !== last + 1 || first < 0) {
      end();
      first = index;
    }
    last = index;
  }
  end();
  return parts.join(' ');
}

/** The numbers in such a text, in order. */
export function* readRanges(text: string): Generator<number> {
  for (const [first, last] of rangesOf(text)) {
    for (let index = first; index <= last; index++) yield index;
  }
}

/** The count of numbers in a text. */
export function countRanges(text: string): number {
  return rangesOf(text).reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/** Cuts the numbers of a text into slices of a size, each of them a text again. */
export function sliceRanges(text: string, size: number): string[] {
  const slices: string[] = [];
  let parts: string[] = [];
  let room = size;
  const end = () => {
    if (parts.length > 0) slices.push(parts.join(' '));
    parts = [];
    room = size;
  };
  for (const [from, last] of rangesOf(text)) {
    for (let first = from; first <= last; ) {
      const to = Math.min(last, first + room - 1);
      parts.push(first === to ? `${first}` : `${first}-${to}`);
      room -= to - first + 1;
      first = to + 1;
      if (room === 0) end();
    }
  }
  end();
  return slices;
}

function rangesOf(text: string): [first: number, last: number][] {
  const parts = text.split(' ').filter((part) => part !== '');
  return parts.map((part) => {
    const [first, last = first] = part.split('-').map(Number);
    return [first, last];
  });
}
