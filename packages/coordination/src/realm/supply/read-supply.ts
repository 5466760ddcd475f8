import { checkJson, faultError } from '@alas-jssp/core';
import * as z from 'zod';
import { id } from '../../model/problem-schema.js';
import type { RealmFinding } from '../realm-reading.js';
import { instanceName } from '../realm-schema.js';
import { badCompletion, completedNumber, completedTable } from '../suites/completions.js';
import type { RealmCompletion, RealmCompletions, SuiteInstance } from '../suites/suite.js';
import type { Facility, Supply } from './supply.js';
import { type SupplyEvent, supplyProblem } from './supply-problem.js';

const units = z.int().min(0).max(10_000_000);
const days = z.number().min(0).max(100_000);
const money = z.number().min(0).max(1e12);

const disruption = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('resource_shortage'),
    component: id,
    shortage: z.number().min(0).max(1),
  }),
  z.strictObject({ type: z.literal('machine_breakdown'), facility: id, duration: days }),
]);

/** An instance of P10 as it is published. */
const supplySchema = z.strictObject({
  instance_id: instanceName,
  description: z.string().optional(),
  suppliers: z
    .array(
      z.strictObject({
        supplier_id: id,
        location: z.string().optional(),
        capacity: units,
        lead_time: days,
        cost_multiplier: z.number().min(0).max(1000),
      }),
    )
    .min(1),
  components: z.array(id).min(1),
  facilities: z
    .array(
      z.strictObject({
        facility_id: id,
        location: z.string().optional(),
        capacity: units,
        cost_per_unit: money,
      }),
    )
    .min(1),
  budget: money,
  delivery_deadlines: z.record(z.string(), days),
  dependencies: z.array(z.tuple([id, id])).default([]),
  disruption_scenarios: z.array(disruption).default([]),
});

type SupplyFile = z.output<typeof supplySchema>;

/** Facts that files of P10 leave open. */
export const SUPPLY_COMPLETIONS: readonly RealmCompletion[] = [
  {
    key: 'demand',
    ours: '100',
    states: 'units of the product that have to be made',
    isNeeded: true,
  },
  {
    key: 'prices',
    ours: 'gpu_chips:400/memory:120/cooling:60/power_supply:80/pcb:40',
    states: 'price of a unit of each component at cost_multiplier 1, in the currency of the budget',
    isNeeded: true,
  },
];

const ASSUMPTIONS = [
  'Days count from 0, and a lead time is in days from the order to the delivery.',
  'Each unit of the product needs one unit of each component, and passes all facilities in the order of the file.',
  'Capacities of suppliers are units of all components together; those of facilities are units of the product; both hold for the whole plan.',
  'A unit costs the price of its component times the multiplier of its supplier; deliveries cost nothing.',
  'The first facility needs all components.',
  'Disruptions are known before anything is ordered: of a short component each supplier has that share less of its capacity; a broken facility works from the end of the duration, in days, on.',
];

/** Reads an instance of P10. @throws InputError `bad_realm`, `bad_complete` */
export function readSupply(
  value: unknown,
  file: string | undefined,
  given: RealmCompletions,
): SuiteInstance {
  const checked = checkJson<SupplyFile>(supplySchema, value);
  if (checked.fault !== undefined) throw faultError('bad_realm', checked.fault, file);
  const stated = checked.data;
  const findings = findingsOf(stated, given);
  const { demand, prices } = given;
  const refused = findings.filter(({ code }) => code !== 'unused_fact');
  const base = {
    name: stated.instance_id,
    completed: given,
    contradictions: findings.filter(({ code }) => code === 'unused_fact'),
    refused,
  };
  if (demand === undefined || prices === undefined || refused.length > 0)
    return { ...base, problem: null };
  const supply = supplyOf(stated, demand, prices);
  const facts = {
    ...stated,
    demand: supply.demand,
    component_prices: Object.fromEntries(supply.prices),
  };
  return {
    ...base,
    problem: supplyProblem(supply, facts, ASSUMPTIONS, stated.disruption_scenarios.map(eventOf)),
  };
}

function supplyOf(stated: SupplyFile, demand: string, prices: string): Supply {
  const table = completedTable('prices', prices, stated.components, [0, 1_000_000]);
  const missing = stated.components.find((component) => !table.has(component));
  if (missing !== undefined) {
    throw badCompletion(
      'prices',
      prices,
      `${missing} has no price`,
      `add ${missing}:100, or give one number for all`,
    );
  }
  return {
    name: stated.instance_id,
    demand: Math.round(completedNumber('demand', demand, 0, 1_000_000)),
    prices: new Map(stated.components.map((component) => [component, table.get(component) ?? 0])),
    suppliers: stated.suppliers.map((one) => ({
      id: one.supplier_id,
      capacity: one.capacity,
      limits: new Map(),
      leadDays: Math.ceil(one.lead_time),
      multiplier: one.cost_multiplier,
    })),
    facilities: stated.facilities.map(
      (one, at): Facility => ({
        id: one.facility_id,
        capacity: one.capacity,
        unitCost: one.cost_per_unit,
        fromDay: 0,
        after: at === 0 ? stated.components : componentsBefore(stated, one.facility_id),
      }),
    ),
    deadlines: new Map(
      Object.entries(stated.delivery_deadlines).map(([key, day]) => [key, Math.floor(day)]),
    ),
    budget: stated.budget,
  };
}

function componentsBefore({ dependencies, components }: SupplyFile, facility: string): string[] {
  return dependencies
    .filter(([before, after]) => after === facility && components.includes(before))
    .map(([before]) => before);
}

/** The gaps of an instance, and facts that no rule uses. */
function findingsOf(stated: SupplyFile, { demand, prices }: RealmCompletions): RealmFinding[] {
  const findings: RealmFinding[] = [];
  if (demand === undefined) {
    const message = 'how many units have to be made is not stated: --complete demand=COUNT';
    findings.push({ code: 'unsaid_demand', message });
  }
  if (prices === undefined) {
    const message = 'components have no prices: --complete prices=COMPONENT:PRICE/…';
    findings.push({ code: 'unsaid_price', message });
  }
  const facilities = stated.facilities.map(({ facility_id }) => facility_id);
  const known = new Set([...stated.components, ...facilities]);
  for (const [before, after] of stated.dependencies) {
    if (known.has(before) && facilities.includes(after)) continue;
    const message = `'${known.has(before) ? after : before}' is no facility or component: that ${before} comes before ${after} is not used`;
    findings.push({ code: 'unused_fact', message });
  }
  for (const component of Object.keys(stated.delivery_deadlines)) {
    if (stated.components.includes(component)) continue;
    findings.push({
      code: 'unused_fact',
      message: `'${component}' has a deadline, and is no component`,
    });
  }
  const names = [
    ...stated.components,
    ...facilities,
    ...stated.suppliers.map(({ supplier_id }) => supplier_id),
  ];
  for (const name of new Set(names.filter((one, at) => names.indexOf(one) !== at))) {
    findings.push({ code: 'repeated_name', message: `${name} is there more than once` });
  }
  for (const one of stated.disruption_scenarios) {
    const name = one.type === 'resource_shortage' ? one.component : one.facility;
    if (known.has(name)) continue;
    findings.push({
      code: 'unknown_place',
      message: `the ${one.type} is of '${name}', which is not there`,
    });
  }
  return findings;
}

function eventOf(one: SupplyFile['disruption_scenarios'][number]): SupplyEvent {
  if (one.type === 'resource_shortage') {
    const { component, shortage } = one;
    return {
      text: `shortage: each supplier has ${Math.round(100 * shortage)} % less ${component}`,
      apply: (supply) => ({
        ...supply,
        suppliers: supply.suppliers.map((supplier) => ({
          ...supplier,
          limits: new Map(supplier.limits).set(
            component,
            Math.floor((1 - shortage) * supplier.capacity),
          ),
        })),
      }),
    };
  }
  const { facility, duration } = one;
  return {
    text: `breakdown: ${facility} works from day ${Math.ceil(duration)} on`,
    apply: (supply) => ({
      ...supply,
      facilities: supply.facilities.map((other) =>
        other.id === facility
          ? { ...other, fromDay: Math.max(other.fromDay, Math.ceil(duration)) }
          : other,
      ),
    }),
  };
}
