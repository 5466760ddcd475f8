import type { Instance } from '../../../jssp/instance.js';
import type { ClauseChannel } from './clause-channel.js';
import { type ConflictSearch, createConflictSearch } from './conflict-search.js';

/** The gap to close, and its callbacks. */
export interface ClosingOptions {
  /** A lower bound, and the makespan of a known schedule. */
  readonly value: number;
  readonly upper: number;
  /** The least makespan found so far by others; it may decrease. Polled at every contradiction, like `isOver`. */
  readonly upperBoundNow: () => number;
  readonly isOver: () => boolean;
  /** To share clauses with others that close the same gap; null for none. */
  readonly channel?: ClauseChannel | null;
  /** The index of this search among those that share clauses; only the first one tries makespans from below. */
  readonly variant?: number;
  /** Whether to try makespans from below first: for instances too large to be closed soon. Default: false. */
  readonly fromBelow?: boolean;
  /** Receives every proven bound, each larger than the one before. */
  readonly onBound: (value: number) => void;
  /**
   * Receives every schedule (starts, N entries) that is shorter than all earlier ones; the array is valid only during
   * the call.
   */
  readonly onSchedule: (starts: Int32Array, makespan: number) => void;
}

/** Conflicts in the first turn below the least makespan, and the growth factor per turn. */
const FIRST_CONFLICTS = 1000;
const MORE_CONFLICTS = 2;
/** The share of a turn that each trial just above the bound gets, and the number of trials per turn. */
const TRIAL_SHARE = 1 / 8;
const TRIALS = 2;

/**
 * Searches for schedules below the least makespan until their absence is proven, and alternately raises the bound by
 * trials from below (destructive improvement). Clauses learned below the least makespan remain valid as it decreases;
 * trials from below start empty. Calendars and deadlines are ignored.
 *
 * @returns the bound, which equals the least makespan unless the work was stopped early
 */
export function closeGap(instance: Instance, options: ClosingOptions): number {
  const { upperBoundNow, isOver, onBound, onSchedule, channel = null, variant = 0 } = options;
  let { value, upper } = options;
  let trial = Infinity;
  const isTurnOver = () => {
    upper = Math.min(upper, upperBoundNow());
    return upper <= trial || isOver();
  };
  let closing: ConflictSearch | null = null;

  /** A turn of one search for a schedule within a makespan. */
  const turn = (search: ConflictSearch, makespan: number, conflicts: number): void => {
    trial = makespan;
    const verdict = search.search(conflicts);
    if (verdict === 'refuted') {
      value = makespan + 1;
      onBound(value);
    } else if (verdict === 'possible') {
      const found = makespanOf(instance, search.starts);
      if (found < upper) {
        upper = found;
        onSchedule(search.starts, found);
      }
    }
  };

  const lift = (conflicts: number): void => {
    let step = 1;
    for (let x = 0; x < TRIALS; ) {
      const makespan = Math.min(value + step - 1, (value + upper) >> 1, upper - 1);
      if (value >= upper || isOver()) return;
      const before = value;
      turn(createConflictSearch(instance, makespan, isTurnOver), makespan, conflicts);
      step = value > before ? 2 * step : 1;
      if (value === before) x++;
    }
  };

  if (options.fromBelow && variant === 0) lift(FIRST_CONFLICTS * TRIAL_SHARE);
  for (let conflicts = FIRST_CONFLICTS; ; conflicts *= MORE_CONFLICTS) {
    let left = conflicts;
    while (left > 0) {
      upper = Math.min(upper, upperBoundNow());
      if (value >= upper || isOver()) return Math.min(value, upper);
      closing ??= createConflictSearch(instance, upper - 1, isTurnOver, channel, variant);
      closing.limitTo(upper - 1);
      const before = closing.conflicts;
      turn(closing, upper - 1, left);
      left -= Math.max(1, closing.conflicts - before);
    }
    if (variant === 0) lift(Math.ceil(conflicts * TRIAL_SHARE));
  }
}

function makespanOf({ operations, duration }: Instance, starts: Int32Array): number {
  let makespan = 0;
  for (let op = 0; op < operations; op++) {
    makespan = Math.max(makespan, starts[op] + duration[op]);
  }
  return makespan;
}
