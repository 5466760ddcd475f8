import type { Trail } from '../learning/trail.js';
import type { ShopModel } from './shop-model.js';

/** The bounds of modes in the past, for explanations. */
export interface BoundHistory {
  /** The bound of a mode before an event; sets `event` to the one that made it so (−1: the root). */
  before(direction: number, mode: number, limit: number): number;
  /** Set by `before`. */
  readonly event: number;
  /** The event that raised a bound to at least a value; −1 if it had this value at the root. */
  eventWith(x: number, least: number): number;
  /** The bound, of a mode or of its operation, that first reached a value. */
  slotWith(direction: number, mode: number, least: number): number;
}

/** Creates the view of a trail. */
export function createBoundHistory(
  { slots, operation, slot }: ShopModel,
  trail: Trail,
): BoundHistory {
  const { bound, last } = trail;

  const eventWith: BoundHistory['eventWith'] = (x, least) => {
    let e = last[x];
    while (e >= 0 && trail.old[e] >= least) e = trail.previous[e];
    return e;
  };

  const history = {
    event: -1,
    eventWith,
    before: (direction: number, mode: number, limit: number): number => {
      const base = direction * slots;
      const x = base + operation[mode];
      const y = base + slot[mode];
      let a = bound[x];
      let ea = last[x];
      while (ea >= limit) {
        a = trail.old[ea];
        ea = trail.previous[ea];
      }
      let b = bound[y];
      let eb = last[y];
      while (eb >= limit) {
        b = trail.old[eb];
        eb = trail.previous[eb];
      }
      if (a > b || (a === b && ea <= eb)) {
        history.event = ea;
        return a;
      }
      history.event = eb;
      return b;
    },
    slotWith: (direction: number, mode: number, least: number): number => {
      const base = direction * slots;
      const x = base + operation[mode];
      const y = base + slot[mode];
      if (x === y || bound[x] < least) return y;
      if (bound[y] < least) return x;
      return eventWith(x, least) <= eventWith(y, least) ? x : y;
    },
  };
  return history;
}
