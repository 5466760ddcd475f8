import { orderByStart } from '../../jssp/shop-timing/lists.js';
import { createShopTimer } from '../../jssp/shop-timing/timer.js';
import { firstLists } from '../shop/first-lists.js';
import type { ModedOrder } from './construct.js';
import type { FlexibleKernel } from './kernel.js';

/** In larger shops, rules take longer than many moves. */
const MOST_OPERATIONS = 20_000;

/**
 * Solutions of dispatching rules, the best one first: where due dates count, they are far better than those of list
 * scheduling by remaining work. Yields after each rule; none in very large shops.
 */
export function* firstOrders(kernel: FlexibleKernel, seed: number): Generator<void, ModedOrder[]> {
  const { instance, exports } = kernel;
  if (instance.operations > MOST_OPERATIONS) return [];
  const timer = createShopTimer(instance);
  const found: { solution: ModedOrder; cost: number }[] = [];
  for (const list of firstLists(timer, seed)) {
    if (timer.time(list.order, list.modes) > 0) continue;
    const solution = { order: orderByStart(instance, timer.start), mode: list.modes };
    kernel.load(solution.order, solution.mode);
    found.push({ solution, cost: exports.bestCost() });
    yield;
  }
  return found.toSorted((a, b) => a.cost - b.cost).map(({ solution }) => solution);
}
