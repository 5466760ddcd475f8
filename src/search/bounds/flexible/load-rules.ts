import { type ShopConclusions, type ShopFacts, ShopReason } from './facts.js';
import { createLoadBudgets, type LoadBudget } from './load-budgets.js';
import type { ShopModel } from './shop-model.js';

/** The rules of budgets: cheap modes that are excluded leave less for others. */
export interface LoadRules {
  readonly budgets: readonly LoadBudget[];
  /** At the root: derives budgets from its bounds. */
  derive(limit: number): void;
  /** A mode was excluded. */
  touch(): void;
  /** Compares all budgets with the least costs, if there are changes. */
  visit(): boolean;
  clear(): void;
}

/** Creates the rules of {@link LoadRules}, without budgets. */
export function createLoadRules(
  model: ShopModel,
  facts: ShopFacts,
  { imply, fail }: ShopConclusions,
): LoadRules {
  const { modeOffset, use, operations } = model;
  const least = new Float64Array(operations);
  let budgets: LoadBudget[] = [];
  let isTouched = false;

  const compare = ({ cost, room, operations: those }: LoadBudget, index: number): boolean => {
    let sum = 0;
    for (const op of those) {
      let cheapest = Infinity;
      for (let mode = modeOffset[op]; mode < modeOffset[op + 1]; mode++) {
        if (cost[mode] < cheapest && facts.useOf(mode) !== -1) cheapest = cost[mode];
      }
      least[op] = cheapest;
      sum += cheapest;
    }
    if (sum > room) return fail(ShopReason.load, index, -1);
    for (const op of those) {
      const most = room - sum + least[op];
      for (let mode = modeOffset[op]; mode < modeOffset[op + 1]; mode++) {
        if (cost[mode] <= most || facts.useOf(mode) !== 0) continue;
        if (!imply(use[mode] ^ 1, ShopReason.load, index)) return false;
      }
    }
    return true;
  };

  return {
    get budgets() {
      return budgets;
    },
    derive: (limit) => {
      budgets = createLoadBudgets(model, facts, limit);
      isTouched = budgets.length > 0;
    },
    touch: () => {
      isTouched = true;
    },
    visit: () => {
      if (!isTouched) return true;
      isTouched = false;
      return budgets.every(compare);
    },
    clear: () => {
      isTouched = false;
    },
  };
}
