import type { Trail } from '../learning/trail.js';
import type { ShopWants } from './facts.js';
import type { LoadBudget } from './load-budgets.js';
import type { ShopModel } from './shop-model.js';

/** An operation whose cheapest modes were excluded: its least cost then, and at the root. */
interface Rise {
  readonly op: number;
  readonly cost: number;
  readonly before: number;
}

/**
 * Creates the explanations of budgets: modes that were excluded before, as few as suffice.
 *
 * @param wasTrue whether a literal was true before the explained event
 */
export function createLoadReasons(
  { modeOffset, use, operation }: ShopModel,
  { value, eventOf }: Trail,
  wants: ShopWants,
  wasTrue: (literal: number) => boolean,
) {
  /** The rise of the least cost of an operation above that at the root. */
  const riseOf = ({ cost }: LoadBudget, op: number): Rise => {
    let now = Infinity;
    let before = Infinity;
    for (let mode = modeOffset[op]; mode < modeOffset[op + 1]; mode++) {
      const literal = use[mode];
      const isExcluded = literal >= 0 && value[literal] === -1;
      if (!(isExcluded && eventOf[literal >> 1] < 0)) before = Math.min(before, cost[mode]);
      if (!(isExcluded && wasTrue(literal ^ 1))) now = Math.min(now, cost[mode]);
    }
    return { op, cost: now, before };
  };

  /** Explains that an operation costs at least so much: by the mode that is used, or by those that are excluded. */
  const wantCost = ({ cost }: LoadBudget, op: number, least: number): void => {
    let count = 0;
    let used = -1;
    for (let mode = modeOffset[op]; mode < modeOffset[op + 1]; mode++) {
      if (cost[mode] < least && eventOf[use[mode] >> 1] >= 0) count++;
      if (wasTrue(use[mode])) used = mode;
    }
    if (count > 1 && used >= 0) {
      wants.literal(use[used]);
      return;
    }
    for (let mode = modeOffset[op]; mode < modeOffset[op + 1]; mode++) {
      if (cost[mode] < least) wants.literal(use[mode] ^ 1);
    }
  };

  /**
   * Explains why a budget excludes a mode, or why it is exceeded.
   *
   * @param mode −1: it is exceeded
   */
  return (budget: LoadBudget, mode: number): void => {
    const excluded = mode < 0 ? -1 : operation[mode];
    let surplus = -budget.room - 1 + (mode < 0 ? 0 : budget.cost[mode]);
    const rises: Rise[] = [];
    for (const op of budget.operations) {
      if (op === excluded) continue;
      const rise = riseOf(budget, op);
      surplus += rise.cost;
      if (rise.cost > rise.before) rises.push(rise);
    }
    rises.sort((a, b) => a.cost - a.before - (b.cost - b.before));
    for (const { op, cost, before } of rises) {
      if (cost - before <= surplus) {
        surplus -= cost - before;
        continue;
      }
      wantCost(budget, op, cost - surplus);
      surplus = 0;
    }
  };
}
