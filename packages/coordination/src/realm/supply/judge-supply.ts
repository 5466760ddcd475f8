import { costOfSupply, type Supply, type SupplyOrder, type SupplyPlan } from './supply.js';

interface SupplyFault {
  readonly code:
    | 'unknown_name'
    | 'over_capacity'
    | 'shortage'
    | 'late_delivery'
    | 'missing_units'
    | 'not_ready'
    | 'over_budget';
  readonly message: string;
}

/** Judges a plan of a supply chain: what is ordered arrives in time, in the amounts, and is there before it is used. */
export function judgeSupply(supply: Supply, plan: SupplyPlan) {
  const cost = costOfSupply(supply, plan);
  const violations = [
    ...nameFaults(supply, plan),
    ...capacityFaults(supply, plan),
    ...deliveryFaults(supply, plan),
    ...amountFaults(supply, plan),
    ...orderFaults(supply, plan),
  ];
  if (cost > supply.budget) {
    const message = `the plan costs ${cost}, and the budget is ${supply.budget}`;
    violations.push({ code: 'over_budget', message });
  }
  return { valid: violations.length === 0, violations, cost };
}

function* nameFaults(supply: Supply, { orders, runs }: SupplyPlan): Generator<SupplyFault> {
  const unknown = (what: string, name: string): SupplyFault => ({
    code: 'unknown_name',
    message: `there is no ${what} '${name}'`,
  });
  for (const { component, supplier } of orders) {
    if (!supply.prices.has(component)) yield unknown('component', component);
    if (supply.suppliers.every((one) => one.id !== supplier)) yield unknown('supplier', supplier);
  }
  for (const { facility } of runs) {
    if (supply.facilities.every((one) => one.id !== facility)) yield unknown('facility', facility);
  }
}

function* capacityFaults(supply: Supply, { orders, runs }: SupplyPlan): Generator<SupplyFault> {
  for (const { id, capacity, limits } of supply.suppliers) {
    const own = orders.filter(({ supplier }) => supplier === id);
    const units = unitsOf(own);
    if (units > capacity) {
      const message = `${units} units are ordered from ${id}, which has ${capacity}`;
      yield { code: 'over_capacity', message };
    }
    for (const [component, most] of limits) {
      const some = unitsOf(own.filter((one) => one.component === component));
      if (some <= most) continue;
      const message = `${some} units of ${component} are ordered from ${id}, which has ${most}`;
      yield { code: 'shortage', message };
    }
  }
  for (const { id, capacity } of supply.facilities) {
    const units = unitsOf(runs.filter(({ facility }) => facility === id));
    if (units <= capacity) continue;
    yield {
      code: 'over_capacity',
      message: `${id} works on ${units} units, and can on ${capacity}`,
    };
  }
}

function* deliveryFaults(supply: Supply, { orders }: SupplyPlan): Generator<SupplyFault> {
  for (const order of orders) {
    const last = supply.deadlines.get(order.component);
    const day = deliveryDay(supply, order);
    if (last === undefined || order.units === 0 || day <= last) continue;
    const message = `${order.component} from ${order.supplier} arrives on day ${day}, and is due on day ${last}`;
    yield { code: 'late_delivery', message };
  }
}

/** As many units as demanded are bought of each component, and pass each facility, at the least. */
function* amountFaults(
  { demand, prices, facilities }: Supply,
  { orders, runs }: SupplyPlan,
): Generator<SupplyFault> {
  for (const component of prices.keys()) {
    const units = unitsOf(orders.filter((one) => one.component === component));
    if (units >= demand) continue;
    yield {
      code: 'missing_units',
      message: `${units} units of ${component} are ordered, and ${demand} needed`,
    };
  }
  for (const { id } of facilities) {
    const units = unitsOf(runs.filter(({ facility }) => facility === id));
    if (units >= demand) continue;
    yield {
      code: 'missing_units',
      message: `${id} works on ${units} units, and ${demand} are needed`,
    };
  }
}

/** By each day, no more units have passed a facility than components, and units of the facility before it, are there. */
function* orderFaults(supply: Supply, { orders, runs }: SupplyPlan): Generator<SupplyFault> {
  for (const [at, facility] of supply.facilities.entries()) {
    for (const { day } of runs.filter((run) => run.facility === facility.id && run.units > 0)) {
      if (day < facility.fromDay) {
        const message = `${facility.id} works on day ${day}, and can from day ${facility.fromDay} on`;
        yield { code: 'not_ready', message };
      }
      const passed = unitsOf(runs.filter((run) => run.facility === facility.id && run.day <= day));
      for (const component of facility.after) {
        const there = unitsOf(
          orders.filter((one) => one.component === component && deliveryDay(supply, one) <= day),
        );
        if (there >= passed) continue;
        const message = `by day ${day} ${facility.id} has worked on ${passed} units, and ${there} units of ${component} are there`;
        yield { code: 'not_ready', message };
      }
      const before = at === 0 ? undefined : supply.facilities[at - 1];
      if (before === undefined) continue;
      const ready = unitsOf(runs.filter((run) => run.facility === before.id && run.day <= day));
      if (ready >= passed) continue;
      const message = `by day ${day} ${facility.id} has worked on ${passed} units, and ${ready} have passed ${before.id}`;
      yield { code: 'not_ready', message };
    }
  }
}

function deliveryDay({ suppliers }: Supply, { supplier, day }: SupplyOrder): number {
  return day + (suppliers.find(({ id }) => id === supplier)?.leadDays ?? 0);
}

function unitsOf(some: readonly { readonly units: number }[]): number {
  return some.reduce((sum, { units }) => sum + units, 0);
}
