import { parseClock } from './clock.js';

/** Earliest and latest minute; without a limit −Infinity and Infinity. */
export interface Window {
  readonly earliest: number;
  readonly latest: number;
}

/** A clock time in minutes, or what stands for none. */
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
