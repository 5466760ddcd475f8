import { cheapestFlow, type FlowArc } from '../problems/cheapest-flow.js';
import {
  costOfSupply,
  type Supply,
  type SupplyOrder,
  type SupplyPlan,
  unitCents,
} from './supply.js';

/** A kept order saves more than any plan costs. */
const KEPT = 1_000_000_000;

/**
 * The cheapest plan, exactly: orders are a cheapest flow from suppliers to components along the deliveries in time;
 * orders are on day 0, and facilities work as soon as everything is there, because nothing is cheaper later.
 *
 * @param keep orders of a plan of which as many units as possible are kept, whatever they cost
 * @returns null if no plan keeps all rules; with `keep`, also if that plan exceeds the budget
 */
export function searchSupply(supply: Supply, keep: readonly SupplyOrder[] = []): SupplyPlan | null {
  const { demand, prices, suppliers, facilities, deadlines, budget } = supply;
  if (facilities.some(({ capacity }) => capacity < demand)) return null;
  const arcs: FlowArc[] = suppliers.map(({ id, capacity }) => ({
    from: 'source',
    to: `supplier ${id}`,
    capacity,
    price: 0,
  }));
  const sold: { readonly arc: number; readonly component: string; readonly supplier: string }[] =
    [];
  for (const supplier of suppliers) {
    for (const component of prices.keys()) {
      if (supplier.leadDays > (deadlines.get(component) ?? Number.POSITIVE_INFINITY)) continue;
      const from = `supplier ${supplier.id}`;
      const sells = `${supplier.id} sells ${component}`;
      const limit = supplier.limits.get(component) ?? supplier.capacity;
      const price = unitCents(supply, component, supplier);
      const kept = keep
        .filter((one) => one.component === component && one.supplier === supplier.id)
        .reduce((sum, { units }) => sum + units, 0);
      arcs.push({ from, to: sells, capacity: limit, price: 0 });
      for (const part of [
        { capacity: Math.min(kept, limit), price: price - KEPT },
        { capacity: limit, price },
      ]) {
        if (part.capacity === 0 || (part.price < 0 && keep.length === 0)) continue;
        sold.push({ arc: arcs.length, component, supplier: supplier.id });
        arcs.push({ from: sells, to: `component ${component}`, ...part });
      }
    }
  }
  for (const component of prices.keys()) {
    arcs.push({ from: `component ${component}`, to: 'sink', capacity: demand, price: 0 });
  }
  const { units, total } = cheapestFlow(arcs, 'source', 'sink');
  if (total < demand * prices.size) return null;
  const orders = new Map<string, SupplyOrder>();
  for (const { arc, component, supplier } of sold) {
    const key = `${component}\n${supplier}`;
    const more = units[arc] + (orders.get(key)?.units ?? 0);
    if (more > 0) orders.set(key, { component, supplier, units: more, day: 0 });
  }
  const plan = { orders: [...orders.values()], runs: runsOf(supply, [...orders.values()]) };
  return costOfSupply(supply, plan) > budget ? null : plan;
}

/** Each facility works on all units on the first day on which everything is there. */
function runsOf({ demand, suppliers, facilities }: Supply, orders: readonly SupplyOrder[]) {
  let day = 0;
  return facilities.map(({ id, fromDay, after }) => {
    const deliveries = orders
      .filter(({ component }) => after.includes(component))
      .map((order) => suppliers.find((one) => one.id === order.supplier)?.leadDays ?? 0);
    day = Math.max(day, fromDay, ...deliveries);
    return { facility: id, units: demand, day };
  });
}
