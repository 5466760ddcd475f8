import type { Islands } from './islands.js';
import type { Prover } from './prover.js';

/** After this many seconds without improvement, proofs get most of the time if they can close the gap. */
const PATIENCE = 2;
/** How many seconds they may get it: this many of a budget of {@link SHORT} seconds or less, … */
const FIRST = 4;
const SHORT = 10;
/** … and this share of what the budget has beyond that. */
const LATER = 0.5;

/**
 * Divides the time of the cores between a search and the proofs beside it. One of them may yield most of its time to the
 * other: at first neither does; then the search, while it does not improve. If that does not close the gap within
 * `most` seconds, the proofs yield for the rest of the search.
 *
 * @param most the seconds for which the search yields
 * @returns takes the seconds since the beginning, as often as possible
 */
export function createTurns(
  search: Pick<Islands, 'cost' | 'rest'>,
  prover: Pick<Prover, 'press' | 'rest'>,
  most: number,
): (seconds: number) => void {
  let best = Number.POSITIVE_INFINITY;
  let improvedAt = 0;
  let yielded = 0;
  let last = 0;
  return (seconds) => {
    if (search.cost < best) {
      best = search.cost;
      improvedAt = seconds;
    }
    const isOver = yielded >= most;
    const yields = !isOver && seconds - improvedAt > PATIENCE && prover.press();
    if (yields) yielded += seconds - last;
    last = seconds;
    search.rest(yields);
    prover.rest(isOver);
  };
}

/** The seconds of a budget for which a search yields to proofs that do not succeed. */
export function secondsToYield(budget: number): number {
  return FIRST + LATER * Math.max(0, budget - SHORT);
}
