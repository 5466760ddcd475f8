import type { Trail } from '../learning/trail.js';
import type { BoundHistory } from './bound-history.js';
import type { ShopWants } from './facts.js';
import type { ShopModel } from './shop-model.js';

/**
 * Creates the explanations of bounds of modes and of their sums.
 *
 * @param limitNow the event to explain: only facts before it count
 */
export function createSumReasons(
  { duration, use, gap }: ShopModel,
  { value, eventOf }: Trail,
  history: BoundHistory,
  rules: { readonly limit: number },
  wants: ShopWants,
  limitNow: () => number,
) {
  const { before, slotWith } = history;

  const wantMode = (direction: number, mode: number, least: number): void => {
    const x = slotWith(direction, mode, least);
    wants.bound(x, least);
  };
  const wantUse = (mode: number): void => {
    if (use[mode] >= 0) wants.literal(use[mode]);
  };
  /** Whether a literal was true before the explained event. */
  const wasTrue = (literal: number): boolean =>
    value[literal] === 1 && eventOf[literal >> 1] < limitNow();

  /** Explains why the sum of the head of one mode and the tail of another is at least `least`. */
  const wantSum = (direction: number, one: number, other: number, least: number): void => {
    let a = before(direction, one, limitNow());
    let ea = history.event;
    let b = before(1 - direction, other, limitNow());
    let eb = history.event;
    let surplus = a + b - least;
    for (;;) {
      const e = Math.max(ea, eb);
      if (e < 0) break;
      if (e === ea) {
        const lower = before(direction, one, e);
        if (a - lower > surplus) break;
        surplus -= a - lower;
        a = lower;
        ea = history.event;
      } else {
        const lower = before(1 - direction, other, e);
        if (b - lower > surplus) break;
        surplus -= b - lower;
        b = lower;
        eb = history.event;
      }
    }
    if (ea >= eb) a -= surplus;
    else b -= surplus;
    wantMode(direction, one, a);
    wantMode(1 - direction, other, b);
  };

  /** Explains why one mode cannot come before another in real time. */
  const wantExclusion = (one: number, other: number): void => {
    const free = duration[one] + gap(one, other) + duration[other];
    wantSum(0, one, other, rules.limit + 1 - free);
  };
  return { wantMode, wantUse, wasTrue, wantSum, wantExclusion };
}
