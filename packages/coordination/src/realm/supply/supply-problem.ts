import { createRandom } from '@alas-jssp/core';
import {
  answerClaims,
  answerCount,
  answerNamed,
  answerObject,
  answerRows,
} from '../problems/answer-json.js';
import { type PlanStatement, planJsonRequest } from '../problems/plan-prompt.js';
import type {
  RealmAnswer,
  RealmEvent,
  RealmProblem,
  RealmRepair,
  RealmSearch,
} from '../problems/realm-problem.js';
import { judgeSupply } from './judge-supply.js';
import { searchSupply } from './search-supply.js';
import {
  costOfSupply,
  readSupplyPlan,
  type Supply,
  type SupplyOrder,
  type SupplyPlan,
} from './supply.js';

/** Something that happens to a supply chain before anything is ordered. */
export interface SupplyEvent {
  readonly text: string;
  readonly apply: (supply: Supply) => Supply;
}

/** A supply chain as a problem of a suite. */
export function supplyProblem(
  supply: Supply,
  facts: unknown,
  assumptions: readonly string[],
  events: readonly SupplyEvent[],
): RealmProblem {
  return {
    instance: supply.name,
    facts,
    assumptions,
    unit: 'dollars',
    judge: (plan) => judgeSupply(supply, readSupplyPlan(plan)),
    search: async () => searchResult(supply),
    random: (seed) => randomSupply(supply, seed),
    request: () => planJsonRequest(describeSupply(supply), EXAMPLE),
    decode: (text) => decodeSupply(supply, text),
    repair: async (plan) => repairSupply(supply, readSupplyPlan(plan)),
    events: events.map(
      ({ text, apply }, at): RealmEvent => ({
        text,
        at: null,
        apply: () => supplyProblem(apply(supply), facts, assumptions, events.slice(at + 1)),
      }),
    ),
  };
}

function searchResult(supply: Supply): RealmSearch {
  const began = performance.now();
  const plan = searchSupply(supply);
  const seconds = (performance.now() - began) / 1000;
  if (plan === null) {
    const reason =
      'the suppliers that deliver in time, the facilities or the budget do not suffice for the demand';
    return { plan, cost: null, bound: null, status: 'infeasible', seconds, reason };
  }
  const cost = costOfSupply(supply, plan);
  return { plan, cost, bound: cost, status: 'optimal', seconds, reason: null };
}

/** All units of each component from any supplier, on day 0; facilities work a day after all deliveries. */
function randomSupply({ demand, prices, suppliers, facilities }: Supply, seed: number): SupplyPlan {
  const random = createRandom(seed);
  const orders = Array.from(prices.keys(), (component): SupplyOrder => {
    const { id } = suppliers[random.integer(0, suppliers.length - 1)];
    return { component, supplier: id, units: demand, day: 0 };
  });
  const ready = Math.max(
    ...suppliers.map(({ leadDays }) => leadDays),
    ...facilities.map(({ fromDay }) => fromDay),
  );
  const runs = facilities.map(({ id }) => ({ facility: id, units: demand, day: ready + 1 }));
  return { orders, runs };
}

/**
 * The valid plan that keeps the most ordered units, then the cheapest; if that exceeds the budget, the cheapest plan. An
 * edit is a unit that is bought elsewhere: days are not counted.
 */
function repairSupply(supply: Supply, plan: SupplyPlan): RealmRepair | null {
  const found = searchSupply(supply, plan.orders) ?? searchSupply(supply);
  if (found === null) return null;
  const unitsOf = (orders: readonly SupplyOrder[], component: string, supplier: string) =>
    orders
      .filter((one) => one.component === component && one.supplier === supplier)
      .reduce((sum, { units }) => sum + units, 0);
  let edits = 0;
  for (const component of supply.prices.keys()) {
    for (const { id } of supply.suppliers) {
      const units = unitsOf(found.orders, component, id) - unitsOf(plan.orders, component, id);
      edits += Math.max(0, units);
    }
  }
  const radius = edits / Math.max(1, supply.demand * supply.prices.size);
  return { plan: found, cost: costOfSupply(supply, found), edits, radius };
}

const EXAMPLE = {
  orders: [
    { component: 'wheel', supplier: 'north', units: 30, day: 0 },
    { component: 'wheel', supplier: 'south', units: 10, day: 2 },
  ],
  runs: [{ facility: 'paintshop', units: 40, day: 21 }],
  feasible: true,
  cost: 1234.5,
};

function describeSupply(supply: Supply): PlanStatement {
  const { name, demand, prices, suppliers, facilities, deadlines, budget } = supply;
  return {
    task: `Problem '${name}': procure components, and make ${demand} units of a product. Each unit of the product needs one unit of each component, and passes all facilities in their order. By each day, a facility has worked on no more units than components that it needs, and units of the facility before it, are there. Days count from 0. All units are made, and the plan costs at most ${budget}.`,
    sections: [
      {
        name: 'Components',
        lines: Array.from(prices, ([component, price]) => {
          const last = deadlines.get(component);
          return `${component}: ${price} a unit${last === undefined ? '' : `, delivered by day ${last}`}`;
        }),
      },
      {
        name: 'Suppliers',
        lines: suppliers.map(({ id, capacity, limits, leadDays, multiplier }) => {
          const few = Array.from(
            limits,
            ([component, most]) => `, of ${component} at most ${most}`,
          );
          return `${id} sells all components: at most ${capacity} units together${few.join('')}, delivered ${leadDays} days after the order, at ${multiplier} times the price`;
        }),
      },
      {
        name: 'Facilities',
        lines: facilities.map(({ id, capacity, unitCost, fromDay, after }) => {
          const from = fromDay === 0 ? '' : `, works from day ${fromDay} on`;
          const needs = after.length === 0 ? '' : `, needs ${after.join(', ')}`;
          return `${id}: at most ${capacity} units, ${unitCost} a unit${from}${needs}`;
        }),
      },
    ],
    objective: 'The best plan costs least: what is ordered, and the work of the facilities.',
  };
}

function decodeSupply(supply: Supply, text: string): RealmAnswer {
  const answer = answerObject(text, 'orders');
  const claims = answerClaims(answer);
  if (answer === null) return { plan: null, claims, form: 'none', unread: [] };
  const unread: string[] = [];
  const counted = (value: unknown, where: string) => {
    const found = answerCount(value);
    if (found !== null) return found;
    unread.push(`${where}: ${JSON.stringify(value ?? null)}`);
    return null;
  };
  const orders = answerRows(answer, 'orders').flatMap((row, i): SupplyOrder[] => {
    const units = counted(row.units, `orders[${i}].units`);
    const day = counted(row.day ?? 0, `orders[${i}].day`);
    if (units === null || day === null) return [];
    const component = answerNamed(row.component, supply.prices.keys());
    return [
      {
        component,
        supplier: answerNamed(
          row.supplier,
          supply.suppliers.map(({ id }) => id),
        ),
        units,
        day,
      },
    ];
  });
  const runs = answerRows(answer, 'runs').flatMap((row, i) => {
    const units = counted(row.units, `runs[${i}].units`);
    const day = counted(row.day, `runs[${i}].day`);
    if (units === null || day === null) return [];
    return [
      {
        facility: answerNamed(
          row.facility,
          supply.facilities.map(({ id }) => id),
        ),
        units,
        day,
      },
    ];
  });
  return { plan: { orders, runs }, claims, form: 'json', unread };
}
