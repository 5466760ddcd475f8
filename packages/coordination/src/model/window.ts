import { formatClock, parseClock } from './clock.js';

/** Earliest and latest minute; without a limit −Infinity and Infinity. */
export interface Window {
  readonly earliest: number;
  readonly latest: number;
}

/** The same times as disjoint windows, in order. */
export function joinWindows(windows: readonly Window[]): Window[] {
  const joined: Window[] = [];
  for (const window of windows.toSorted((a, b) => a.earliest - b.earliest)) {
    const last = joined.at(-1);
    if (last === undefined || window.earliest > last.latest) joined.push(window);
    else joined.splice(-1, 1, { ...last, latest: Math.max(last.latest, window.latest) });
  }
  return joined;
}

/** A clock time in minutes, or the default. */
export function clockOr(text: string | null | undefined, otherwise: number): number {
  return text === null || text === undefined ? otherwise : parseClock(text);
}

/** The window of two clock times, either of which may be missing. */
export function windowOf(pair: readonly (string | null)[] | undefined): Window {
  return {
    earliest: clockOr(pair?.[0], Number.NEGATIVE_INFINITY),
    latest: clockOr(pair?.[1], Number.POSITIVE_INFINITY),
  };
}

/** Whether a time lies in a window, ends included. */
export function isWithin(time: number, { earliest, latest }: Window): boolean {
  return earliest <= time && time <= latest;
}

/** A window in words: `from 12:00 to 14:00`, `by 14:00`. */
export function windowInWords({ earliest, latest }: Window): string {
  if (earliest === latest) return `at ${formatClock(earliest)}`;
  if (earliest === Number.NEGATIVE_INFINITY) return `by ${formatClock(latest)}`;
  if (latest === Number.POSITIVE_INFINITY) return `from ${formatClock(earliest)} on`;
  return `from ${formatClock(earliest)} to ${formatClock(latest)}`;
}
