import { checkJson, faultError, InputError } from '@alas-jssp/core';
import * as z from 'zod';
import { formatClock, parseClock } from '../model/clock.js';
import { type Problem, readProblem } from '../model/problem.js';
import { clock, id, type ProblemFacts, personSchema, rideSchema } from '../model/problem-schema.js';

/** The schema id in files of events. */
export const EVENTS_SCHEMA = 'alas-coordination/events@1';

/** The minute at which the event becomes known. */
const at = clock;
const event = z.discriminatedUnion('kind', [
  /** Delays the arrival of a person or a vehicle in the problem. */
  z
    .strictObject({
      kind: z.literal('delay'),
      at,
      person: id.optional(),
      vehicle: id.optional(),
      until: clock,
    })
    .refine(({ person, vehicle }) => (person === undefined) !== (vehicle === undefined), {
      error: 'give either `person` or `vehicle`',
    }),
  z.strictObject({
    kind: z.literal('traffic'),
    at,
    places: z.array(id).optional(),
    roads: z.array(z.tuple([id, id])).optional(),
    factor: z.number().min(0.01).max(1000),
    /** The start. Default: when the event becomes known. */
    from: clock.optional(),
    until: clock.optional(),
  }),
  z.strictObject({
    kind: z.literal('closed_road'),
    at,
    roads: z.array(z.tuple([id, id])).min(1),
    from: clock.optional(),
    until: clock.optional(),
  }),
  z.strictObject({ kind: z.literal('cancellation'), at, ride: id }),
  /** Adds a ride, and people who are new with it. */
  z.strictObject({
    kind: z.literal('request'),
    at,
    ride: rideSchema,
    people: z.array(personSchema).default([]),
  }),
  /** Takes a vehicle out of service. */
  z.strictObject({ kind: z.literal('breakdown'), at, vehicle: id }),
  /** Limits the kilometres that a vehicle drives in the whole plan. */
  z.strictObject({ kind: z.literal('range'), at, vehicle: id, range_km: z.number().min(0) }),
  z.strictObject({ kind: z.literal('drop_out'), at, person: id }),
  z.strictObject({
    kind: z.literal('longer'),
    at,
    activity: id,
    minutes: z.int().min(0).max(100_000),
  }),
]);

export const eventsSchema = z.strictObject({
  schema: z.literal(EVENTS_SCHEMA),
  problem: id,
  source: z.string().optional(),
  events: z.array(event).min(1),
});

export type EventsFile = z.input<typeof eventsSchema>;
type EventsFacts = z.output<typeof eventsSchema>;
export type CoordinationEvent = z.output<typeof event>;

/** Events in the order in which they become known, with the name of their problem. */
export interface EventList {
  readonly problem: string;
  readonly source?: string | undefined;
  readonly events: readonly CoordinationEvent[];
}

/**
 * Parses a list of events from the contents of its file.
 *
 * @throws InputError `bad_events` with the JSON path of the malformed part
 */
export function readEventList(value: unknown, file?: string): EventList {
  const checked = checkJson<EventsFacts>(eventsSchema, value);
  if (checked.fault !== undefined) throw faultError('bad_events', checked.fault, file);
  const { problem, source, events } = checked.data;
  return {
    problem,
    source,
    events: events.toSorted((a, b) => parseClock(a.at) - parseClock(b.at)),
  };
}

/** The events of a file, as {@link readEventList} parses it. */
export function readEvents(value: unknown, file?: string): readonly CoordinationEvent[] {
  return readEventList(value, file).events;
}

/**
 * The problem after an event: a new object, so that the same judge serves plans before and after.
 *
 * @throws InputError `bad_event` if the event names something that does not exist
 */
export function applyEvent(problem: Problem, one: CoordinationEvent): Problem {
  return readProblem(factsAfter(problem.facts, one));
}

function factsAfter(facts: ProblemFacts, one: CoordinationEvent): ProblemFacts {
  switch (one.kind) {
    case 'delay': {
      if (one.person !== undefined) {
        const people = changed(facts.people, one.person, { from: one.until });
        return { ...facts, people };
      }
      return {
        ...facts,
        vehicles: changed(facts.vehicles, one.vehicle ?? '', { from: one.until }),
      };
    }
    case 'traffic':
    case 'closed_road': {
      const { roads, from = one.at, until } = one;
      const places = one.kind === 'traffic' ? one.places : undefined;
      const traffic = {
        from,
        ...(until !== undefined && { until }),
        ...(places !== undefined && { places }),
        ...(roads !== undefined && { roads }),
        ...(one.kind === 'traffic' ? { factor: one.factor } : { closed: true as const }),
      };
      return { ...facts, traffic: [...facts.traffic, traffic] };
    }
    case 'cancellation': {
      const rides = without(facts.rides, one.ride).map(({ together, apart, ...ride }) => ({
        ...ride,
        together: together.filter((other) => other !== one.ride),
        apart: apart.filter((other) => other !== one.ride),
      }));
      return { ...facts, rides };
    }
    case 'request': {
      const known = new Set(facts.people.map((person) => person.id));
      const people = one.people.filter((person) => !known.has(person.id));
      return { ...facts, people: [...facts.people, ...people], rides: [...facts.rides, one.ride] };
    }
    case 'breakdown':
      return { ...facts, vehicles: changed(facts.vehicles, one.vehicle, { until: one.at }) };
    case 'range':
      return {
        ...facts,
        vehicles: changed(facts.vehicles, one.vehicle, { range_km: one.range_km }),
      };
    case 'drop_out':
      return withoutPerson(facts, one.person, one.at);
    case 'longer': {
      const activities = changed(facts.activities, one.activity, { minutes: one.minutes });
      return { ...facts, activities };
    }
  }
}

/**
 * Ends a person's availability at `at`, and removes the person from required activities and from rides. Actions that
 * the person has already done stay valid.
 */
function withoutPerson(facts: ProblemFacts, person: string, at: string): ProblemFacts {
  const others = (names: readonly string[]) => names.filter((name) => name !== person);
  return {
    ...facts,
    people: changed(facts.people, person, { until: at }),
    activities: facts.activities.map((activity) => {
      const { all, any, count } = activity;
      if (!all.includes(person)) return activity;
      const isNew = !any.includes(person);
      const rest = { any: isNew ? [...any, person] : any, count: any.length === 0 ? 0 : count };
      return { ...activity, all: others(all), ...rest };
    }),
    rides: facts.rides
      .map((ride) => ({ ...ride, people: others(ride.people) }))
      .filter(({ people }) => people.length > 0),
    preferences: facts.preferences.filter(
      ({ passenger, apart }) => passenger !== person && !apart?.includes(person),
    ),
  };
}

function changed<T extends { readonly id: string }>(
  items: readonly T[],
  name: string,
  change: Partial<T>,
): T[] {
  if (!items.some((item) => item.id === name)) throw unknown(name, items);
  return items.map((item) => (item.id === name ? { ...item, ...change } : item));
}

function without<T extends { readonly id: string }>(items: readonly T[], name: string): T[] {
  if (!items.some((item) => item.id === name)) throw unknown(name, items);
  return items.filter((item) => item.id !== name);
}

function unknown(name: string, items: readonly { readonly id: string }[]): InputError {
  const names = items.map((item) => item.id).join(', ');
  return new InputError(
    'bad_event',
    `there is no '${name}'`,
    `use one of ${names || 'none'}`,
    {},
    name,
  );
}

/** An event in words. */
export function describeEvent(one: CoordinationEvent): string {
  const when = formatClock(parseClock(one.at));
  const roads = 'roads' in one ? one.roads?.map(([a, b]) => `${a} to ${b}`).join(', ') : undefined;
  switch (one.kind) {
    case 'delay':
      return `${when}: ${one.person ?? one.vehicle} is there from ${one.until} only`;
    case 'traffic': {
      const where = one.places?.map((place) => `to and from ${place}`).join(', ') ?? roads;
      return `${when}: roads ${where ?? 'everywhere'} take ${one.factor} times as long`;
    }
    case 'closed_road':
      return `${when}: ${roads} is closed`;
    case 'cancellation':
      return `${when}: ${one.ride} is cancelled`;
    case 'request':
      return `${when}: ${one.ride.id} from ${one.ride.from} to ${one.ride.to} is asked for`;
    case 'breakdown':
      return `${when}: ${one.vehicle} has broken down`;
    case 'range':
      return `${when}: ${one.vehicle} goes ${one.range_km} km in all`;
    case 'drop_out':
      return `${when}: ${one.person} drops out`;
    case 'longer':
      return `${when}: '${one.activity}' takes ${one.minutes} min`;
  }
}
