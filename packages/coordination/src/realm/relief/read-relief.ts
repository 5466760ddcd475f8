import { checkJson, faultError } from '@alas-jssp/core';
import * as z from 'zod';
import { id } from '../../model/problem-schema.js';
import type { RealmFinding } from '../realm-reading.js';
import { instanceName } from '../realm-schema.js';
import { badCompletion, completedTable } from '../suites/completions.js';
import type { RealmCompletion, RealmCompletions, SuiteInstance } from '../suites/suite.js';
import { type GeoPoint, kilometresBetween, middleOf } from './earth.js';
import type { Relief } from './relief.js';
import { type ReliefEvent, reliefProblem } from './relief-problem.js';

const units = z.int().min(0).max(100_000_000);
const hours = z.number().min(0).max(900);
const point = z.strictObject({
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
});

const disruption = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('weather_event'),
    region: id,
    impact: z.string().optional(),
    duration: hours,
  }),
  z.strictObject({
    type: z.literal('resource_shortage'),
    resource: id,
    shortage: z.number().min(0).max(1),
  }),
]);

/** An instance of P7 as it is published. */
const reliefSchema = z.strictObject({
  instance_id: instanceName,
  description: z.string().optional(),
  regions: z
    .array(
      z.strictObject({
        id,
        severity: z.string(),
        needs: z.array(id),
        population: units,
        location: point,
      }),
    )
    .min(1)
    .max(6),
  resources: z.record(id, units),
  personnel: z.record(z.string(), units).default({}),
  vehicles: z
    .array(
      z.strictObject({
        id,
        type: z.string().optional(),
        capacity: units,
        speed: z.string(),
        location: z.string().optional(),
      }),
    )
    .min(1),
  /** Hours by severity. */
  deadlines: z.record(z.string(), hours),
  disruption_scenarios: z.array(disruption).default([]),
});

type ReliefFile = z.output<typeof reliefSchema>;

/** Facts that files of P7 leave open. */
export const RELIEF_COMPLETIONS: readonly RealmCompletion[] = [
  {
    key: 'speeds',
    ours: 'fast:250/slow:60',
    states: 'kilometres an hour of each speed',
    isNeeded: true,
  },
  {
    key: 'base',
    ours: 'middle',
    states: 'place of the base: LAT/LON, or middle (of the regions)',
    isNeeded: true,
  },
  {
    key: 'amounts',
    ours: 'medical:0.2/food:1/water:0.5/shelter:0.25',
    states: 'units of each need that a person needs',
    isNeeded: true,
  },
];

const ASSUMPTIONS = [
  'Vehicles are at the base at the beginning, and go straight to one region and back, in whole minutes, rounded up; loading takes no time.',
  'The capacity of a vehicle is in units of all resources together.',
  'A deadline is in hours from the beginning, by the severity of the region; later deliveries are not allowed.',
  'A need is of the resource of its name, or of the one whose name begins with it.',
  'Disruptions are known before any vehicle leaves: no vehicle arrives at a blocked region within the duration, in hours; of a short resource that share is missing.',
  'Personnel is not used: no need and no vehicle says whom it takes.',
];

/** Reads an instance of P7. @throws InputError `bad_realm`, `bad_complete` */
export function readRelief(
  value: unknown,
  file: string | undefined,
  given: RealmCompletions,
): SuiteInstance {
  const checked = checkJson<ReliefFile>(reliefSchema, value);
  if (checked.fault !== undefined) throw faultError('bad_realm', checked.fault, file);
  const stated = checked.data;
  const refused = gapsOf(stated, given);
  const unused = Object.keys(stated.personnel);
  const contradictions: RealmFinding[] =
    unused.length === 0
      ? []
      : [
          {
            code: 'unused_fact',
            message: `personnel (${unused.join(', ')}) is not used: nothing says what it is for`,
          },
        ];
  const base = { name: stated.instance_id, completed: given, contradictions, refused };
  const { speeds, base: where, amounts } = given;
  if (refused.length > 0 || speeds === undefined || where === undefined || amounts === undefined) {
    return { ...base, problem: null };
  }
  const relief = reliefOf(stated, { speeds, base: where, amounts });
  const facts = { ...stated, speeds_kmh: speeds, base: where, amounts_per_person: amounts };
  const events = stated.disruption_scenarios.map(eventOf);
  return { ...base, problem: reliefProblem(relief, facts, ASSUMPTIONS, events) };
}

function gapsOf(stated: ReliefFile, given: RealmCompletions): RealmFinding[] {
  const { regions, vehicles, resources, deadlines, disruption_scenarios: events } = stated;
  const gaps: RealmFinding[] = [];
  const gap = (code: RealmFinding['code'], message: string) => void gaps.push({ code, message });
  if (given.speeds === undefined) {
    const speeds = [...new Set(vehicles.map(({ speed }) => `'${speed}'`))].join(', ');
    gap('unsaid_speed', `speeds are only ${speeds}: --complete speeds=fast:KMH/slow:KMH`);
  }
  if (given.base === undefined)
    gap('unsaid_base', 'where the base is, is not stated: --complete base=LAT/LON');
  if (given.amounts === undefined) {
    gap('unsaid_amount', 'how much a person needs is not stated: --complete amounts=NEED:UNITS/…');
  }
  const names = [...regions.map((one) => one.id), ...vehicles.map((one) => one.id)];
  for (const name of new Set(names.filter((one, at) => names.indexOf(one) !== at))) {
    gap('repeated_name', `${name} is there more than once`);
  }
  for (const { id: region, severity, needs } of regions) {
    if (deadlines[severity] === undefined)
      gap('unsaid_goal', `${region} is '${severity}', which has no deadline`);
    for (const need of needs) {
      if (resourceOf(resources, need) === undefined)
        gap('unknown_place', `${region} needs ${need}, of which there is no stock`);
    }
  }
  for (const one of events) {
    const name = one.type === 'weather_event' ? one.region : one.resource;
    if (regions.some((region) => region.id === name) || name in resources) continue;
    gap('unknown_place', `the ${one.type} is of '${name}', which is not there`);
  }
  return gaps;
}

function resourceOf(resources: ReliefFile['resources'], need: string): string | undefined {
  if (need in resources) return need;
  return Object.keys(resources).find((name) => name.startsWith(need));
}

function reliefOf(
  stated: ReliefFile,
  given: Readonly<Record<'speeds' | 'base' | 'amounts', string>>,
): Relief {
  const { regions, vehicles, resources, deadlines } = stated;
  const needs = [...new Set(regions.flatMap((one) => one.needs))];
  const amounts = completedTable('amounts', given.amounts, needs, [0.001, 1000]);
  const speeds = completedTable(
    'speeds',
    given.speeds,
    vehicles.map(({ speed }) => speed),
    [0.1, 10_000],
  );
  const base =
    given.base === 'middle'
      ? middleOf(regions.map(({ location }) => location))
      : pointOf(given.base);
  const amountOf = (need: string) => completedValue(amounts, 'amounts', need, given.amounts);
  return {
    name: stated.instance_id,
    regions: regions.map(({ id: region, severity, needs: own, population }) => ({
      id: region,
      needs: new Map(
        own.map((need) => [
          resourceOf(resources, need) ?? need,
          Math.ceil(population * amountOf(need)),
        ]),
      ),
      deadline: Math.floor(60 * deadlines[severity]),
      blockedUntil: 0,
    })),
    vehicles: vehicles.map(({ id: vehicle, capacity, speed }) => ({
      id: vehicle,
      capacity,
      minutes: new Map(
        regions.map(({ id: region, location }) => {
          const kmh = completedValue(speeds, 'speeds', speed, given.speeds);
          return [region, Math.ceil((60 * kilometresBetween(base, location)) / kmh)];
        }),
      ),
    })),
    stock: new Map(Object.entries(resources)),
    persons: new Map(
      needs.map((need) => [resourceOf(resources, need) ?? need, Math.round(1000 / amountOf(need))]),
    ),
  };
}

function completedValue(
  table: ReadonlyMap<string, number>,
  key: string,
  name: string,
  text: string,
): number {
  const found = table.get(name);
  if (found !== undefined) return found;
  throw badCompletion(
    key,
    text,
    `'${name}' is missing`,
    `add ${name}:1, or give one number for all`,
  );
}

/** A point of the earth as a user writes it. @throws InputError `bad_complete` */
function pointOf(text: string): GeoPoint {
  const [lat, lon, ...rest] = text
    .split('/')
    .map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (rest.length === 0 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180) return { lat, lon };
  throw badCompletion('base', text, `'${text}' is no place`, 'write base=36.5/-90, or base=middle');
}

function eventOf(one: ReliefFile['disruption_scenarios'][number]): ReliefEvent {
  if (one.type === 'weather_event') {
    const until = Math.ceil(60 * one.duration);
    return {
      text: `weather: no vehicle arrives at ${one.region} in the first ${one.duration} hours`,
      apply: (relief) => ({
        ...relief,
        regions: relief.regions.map((region) =>
          region.id === one.region
            ? { ...region, blockedUntil: Math.max(region.blockedUntil, until) }
            : region,
        ),
      }),
    };
  }
  const { resource, shortage } = one;
  return {
    text: `shortage: ${Math.round(100 * shortage)} % of ${resource} is missing`,
    apply: (relief) => ({
      ...relief,
      stock: new Map(relief.stock).set(
        resource,
        Math.floor((1 - shortage) * (relief.stock.get(resource) ?? 0)),
      ),
    }),
  };
}
