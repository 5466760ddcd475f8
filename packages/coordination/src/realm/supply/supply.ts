import { checkJson, faultError } from '@alas-jssp/core';
import * as z from 'zod';
import { id } from '../../model/problem-schema.js';

/** A supplier of all components. */
export interface Supplier {
  readonly id: string;
  /** Units of all components together. */
  readonly capacity: number;
  /** Units of one component, where there is a shortage. */
  readonly limits: ReadonlyMap<string, number>;
  /** Days from an order to its delivery. */
  readonly leadDays: number;
  readonly multiplier: number;
}

/** A facility that every unit of the product passes. */
export interface Facility {
  readonly id: string;
  readonly capacity: number;
  readonly unitCost: number;
  /** The first day on which it works. */
  readonly fromDay: number;
  /** Components that must be there before it works. */
  readonly after: readonly string[];
}

/** Procurement and production of a product that needs one unit of each component (P10). */
export interface Supply {
  readonly name: string;
  /** Units to be made. */
  readonly demand: number;
  /** Prices of components at multiplier 1. */
  readonly prices: ReadonlyMap<string, number>;
  readonly suppliers: readonly Supplier[];
  /** In the order in which the product passes them. */
  readonly facilities: readonly Facility[];
  /** The last day of delivery, by component. */
  readonly deadlines: ReadonlyMap<string, number>;
  readonly budget: number;
}

/** An order of one component. */
export interface SupplyOrder {
  readonly component: string;
  readonly supplier: string;
  readonly units: number;
  /** The day of the order, from 0. */
  readonly day: number;
}

/** The day on which a facility works on units. */
interface SupplyRun {
  readonly facility: string;
  readonly units: number;
  readonly day: number;
}

/** Orders at suppliers, and the days on which facilities work. */
export interface SupplyPlan {
  readonly orders: readonly SupplyOrder[];
  readonly runs: readonly SupplyRun[];
}

const count = z.int().min(0).max(1_000_000_000);
const planSchema = z.strictObject({
  orders: z.array(z.strictObject({ component: id, supplier: id, units: count, day: count })),
  runs: z.array(z.strictObject({ facility: id, units: count, day: count })),
});

/** Reads a plan of a supply chain. @throws InputError `bad_plan` */
export function readSupplyPlan(value: unknown): SupplyPlan {
  const checked = checkJson<z.output<typeof planSchema>>(planSchema, value);
  if (checked.fault !== undefined) throw faultError('bad_plan', checked.fault);
  return checked.data;
}

/** The price of a unit from a supplier, in whole cents, so that sums are exact. */
export function unitCents({ prices }: Supply, component: string, { multiplier }: Supplier): number {
  return Math.round(100 * (prices.get(component) ?? 0) * multiplier);
}

/** The price of a plan: orders, and the work of facilities. */
export function costOfSupply(supply: Supply, { orders, runs }: SupplyPlan): number {
  const bought = orders.reduce((sum, { component, supplier, units }) => {
    const from = supply.suppliers.find((one) => one.id === supplier);
    return sum + (from === undefined ? 0 : units * unitCents(supply, component, from));
  }, 0);
  const made = runs.reduce((sum, { facility, units }) => {
    const one = supply.facilities.find((other) => other.id === facility);
    return sum + units * Math.round(100 * (one?.unitCost ?? 0));
  }, 0);
  return (bought + made) / 100;
}
