// The least makespan or tardiness of a tiny shop, by trying every mode and every start.
import { judgePlain, plainMakespan, plainTardiness } from './plain-judge.js';
import { horizonOf, type PlainPlan, type PlainShop } from './shop.js';

export type PlainObjective = 'makespan' | 'total-weighted-tardiness';

/** The best value and a plan of it; value null if every plan has a fault. */
export interface Optimum {
  value: number | null;
  plan: PlainPlan | null;
}

/**
 * Tries every mode and start of every operation up to the horizon, apart from what is worse than the best so far.
 *
 * @returns null if that takes more than so many steps
 */
export function enumerate(
  shop: PlainShop,
  objective: PlainObjective,
  most = 300_000,
): Optimum | null {
  const horizon =
    horizonOf(shop) + shop.downtimes.reduce((sum, { from, to }) => sum + to - from, 0);
  const count = shop.operations.length;
  const plan: PlainPlan = {
    start: new Array<number | null>(count).fill(null),
    mode: shop.operations.map(({ chosen }) => chosen),
  };
  // Without setups no operation can mend the faults of others.
  const relaxed = { ...shop, setups: shop.setups.map(() => null) };
  const measure = objective === 'makespan' ? plainMakespan : plainTardiness;
  let best: Optimum = { value: null, plan: null };
  let steps = 0;
  const tryFrom = (op: number): boolean => {
    if (op === count) {
      if (judgePlain(shop, plan).length === 0) {
        const value = measure(shop, plan);
        best = { value, plan: { start: plan.start.slice(), mode: plan.mode.slice() } };
      }
      return true;
    }
    const { modes, frozen, chosen, release } = shop.operations[op];
    for (const mode of frozen === null ? modes.keys() : [chosen]) {
      plan.mode[op] = mode;
      for (let time = frozen ?? release; time <= (frozen ?? horizon); time++) {
        if (++steps > most) return false;
        plan.start[op] = time;
        const isWorse = best.value !== null && measure(shop, plan) >= best.value;
        // Later starts are no better.
        if (isWorse) break;
        if (judgePlain(relaxed, plan).length > 0) continue;
        if (!tryFrom(op + 1)) return false;
      }
    }
    plan.start[op] = null;
    return true;
  };
  return tryFrom(0) ? best : null;
}
