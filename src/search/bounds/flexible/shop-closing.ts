import type { Instance } from '../../../jssp/instance.js';
import type { ClosingOptions } from '../learning/closing.js';
import { createShopModel } from './shop-model.js';
import { createShopSearch, type ShopSearch } from './shop-search.js';

/** The gap of a shop to close, and its callbacks. */
export interface ShopClosingOptions extends Omit<ClosingOptions, 'onSchedule'> {
  /** Receives every schedule that is shorter than all earlier ones; the arrays are valid only during the call. */
  readonly onSchedule: (starts: Int32Array, chosen: Int32Array, makespan: number) => void;
}

/** Conflicts in the first turn below the least makespan, and the growth factor per turn. */
const FIRST_CONFLICTS = 1000;
const MORE_CONFLICTS = 2;
/** The share of a turn that each trial just above the bound gets, and the number of trials per turn. */
const TRIAL_SHARE = 1 / 8;
const TRIALS = 2;

/**
 * Closes the gap of a shop with alternatives, setups and the like, as `closeGap` does for the classic job shop: searches
 * below the least makespan alternate with trials just above the bound.
 *
 * @returns the bound, which equals the least makespan unless the work was stopped early, or resources that more than one
 *   operation can use at a time keep it open
 */
export function closeShopGap(instance: Instance, options: ShopClosingOptions): number {
  const { upperBoundNow, isOver, onBound, onSchedule, channel = null, variant = 0 } = options;
  const model = createShopModel(instance);
  let { value, upper } = options;
  let trial = Infinity;
  const isTurnOver = () => {
    upper = Math.min(upper, upperBoundNow());
    return upper <= trial || isOver();
  };
  let closing: ShopSearch | null = null;
  let isExhausted = false;
  // Whether not even the least makespan can be excluded: then no trial excludes any.
  let isStuck = false;

  /** A turn of one search for a schedule within a makespan. */
  const turn = (search: ShopSearch, makespan: number, conflicts: number): void => {
    trial = makespan;
    const verdict = search.search(conflicts);
    if (verdict === 'refuted') {
      value = makespan + 1;
      onBound(value);
    } else if (verdict === 'possible' && search.makespan < upper) {
      upper = search.makespan;
      onSchedule(search.starts, search.chosen, upper);
    }
  };

  const lift = (conflicts: number): void => {
    let step = 1;
    for (let x = 0; x < TRIALS; ) {
      const makespan = Math.min(value + step - 1, (value + upper) >> 1, upper - 1);
      if (value >= upper || isOver()) return;
      const before = value;
      const search = createShopSearch(instance, model, makespan, isTurnOver);
      turn(search, makespan, conflicts);
      isStuck = search.isExhausted && makespan === value;
      if (isStuck) return;
      step = value > before ? 2 * step : 1;
      if (value === before) x++;
    }
  };

  for (let conflicts = FIRST_CONFLICTS; ; conflicts *= MORE_CONFLICTS) {
    let left = conflicts;
    while (left > 0 && !isExhausted) {
      upper = Math.min(upper, upperBoundNow());
      if (value >= upper || isOver()) return Math.min(value, upper);
      closing ??= createShopSearch(instance, model, upper - 1, isTurnOver, channel, variant);
      closing.limitTo(upper - 1);
      const before = closing.conflicts;
      turn(closing, upper - 1, left);
      left -= Math.max(1, closing.conflicts - before);
      isExhausted = closing.isExhausted;
    }
    if (variant === 0) lift(Math.ceil(conflicts * TRIAL_SHARE));
    if (value >= upper || isOver()) return Math.min(value, upper);
    if (isExhausted && (isStuck || variant !== 0)) return value;
  }
}
