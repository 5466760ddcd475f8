import { InputError } from 'alas-jssp';
import { z } from 'zod';
import { parseClock } from './clock.js';
import { type ProblemFacts, problemSchema } from './problem-schema.js';

/** Earliest and latest minute; without a limit −Infinity and Infinity. */
export interface Window {
  readonly earliest: number;
  readonly latest: number;
}

export interface Place {
  readonly id: string;
  readonly name: string;
  /** Windows in which activities can be done there; null if always. */
  readonly open: readonly Window[] | null;
}

/** A road in one direction. */
export interface Road {
  readonly from: string;
  readonly to: string;
  readonly minutes: number;
  readonly metres: number;
}

/** A change of the roads for a while: `factor` times as slow, or closed to those who are not on them yet. */
export interface Traffic {
  readonly from: number;
  readonly until: number;
  /** Infinity if closed. */
  readonly factor: number;
  readonly concerns: (from: string, to: string) => boolean;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly at: string;
  readonly from: number;
  readonly until: number;
  readonly leavesAfter: readonly string[];
}

export interface Vehicle {
  readonly id: string;
  readonly name: string;
  readonly at: string;
  readonly from: number;
  readonly until: number;
  readonly seats: number;
  /** Null if it has a driver of its own. */
  readonly drivers: readonly string[] | null;
  readonly after: readonly string[];
  /** Metres; Infinity if it goes as far as it likes. */
  readonly range: number;
}

export interface Activity {
  readonly id: string;
  readonly name: string;
  readonly at: readonly string[];
  readonly minutes: number;
  readonly start: Window;
  readonly end: Window;
  readonly all: readonly string[];
  readonly any: readonly string[];
  /** How many of `any`, at least. */
  readonly count: number;
  /** For how many of the first minutes it keeps those who do it busy. */
  readonly busy: number;
  readonly after: readonly string[];
  readonly watchedBy: readonly string[] | null;
  readonly uses: readonly string[];
  readonly optional: boolean;
}

export interface Ride {
  readonly id: string;
  readonly people: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly pickup: Window;
  readonly arrive: Window;
  readonly vehicles: readonly string[] | null;
  readonly together: readonly string[];
  readonly apart: readonly string[];
}

export type Preference = ProblemFacts['preferences'][number];

/** A coordination problem: times are minutes since midnight, distances metres, everything by its id. */
export interface Problem {
  readonly name: string;
  readonly places: ReadonlyMap<string, Place>;
  /** Roads by where they begin and then by where they lead. */
  readonly roads: ReadonlyMap<string, ReadonlyMap<string, Road>>;
  readonly traffic: readonly Traffic[];
  readonly people: ReadonlyMap<string, Person>;
  readonly vehicles: ReadonlyMap<string, Vehicle>;
  readonly activities: ReadonlyMap<string, Activity>;
  readonly resources: ReadonlyMap<string, { readonly id: string; readonly capacity: number }>;
  readonly rides: ReadonlyMap<string, Ride>;
  readonly preferences: readonly Preference[];
  readonly objective: ProblemFacts['objective'];
  /** The statement that it was read from. */
  readonly facts: ProblemFacts;
}

/**
 * Reads a problem from what its file holds.
 *
 * @throws InputError `bad_problem` with the JSON path of what is wrong: its form, a name that is not
 *   declared, a name declared twice, a window that ends before it begins
 */
export function readProblem(value: unknown, file?: string): Problem {
  const parsed = problemSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw wrong(
      z.prettifyError({ issues: [issue] } as z.ZodError).split('\n')[0],
      issue.path,
      file,
    );
  }
  const facts = parsed.data;
  checkNames(facts, file);
  return {
    name: facts.name,
    places: byId(
      facts.places.map(({ id, name = id, open }) => ({
        id,
        name,
        open: open === undefined ? null : open.map((pair) => windowOf(pair)),
      })),
    ),
    roads: roadsOf(facts),
    traffic: facts.traffic.map(trafficOf),
    people: byId(
      facts.people.map(({ id, name = id, at, from, until, leaves_after }) => ({
        ...{ id, name, at, from: clockOr(from, Number.NEGATIVE_INFINITY) },
        ...{ until: clockOr(until, Number.POSITIVE_INFINITY), leavesAfter: leaves_after },
      })),
    ),
    vehicles: byId(
      facts.vehicles.map(({ id, name = id, at, from, until, seats, drivers, after, range_km }) => ({
        ...{ id, name, at, seats, after, drivers: drivers ?? null },
        from: clockOr(from, Number.NEGATIVE_INFINITY),
        until: clockOr(until, Number.POSITIVE_INFINITY),
        range: range_km === undefined ? Number.POSITIVE_INFINITY : Math.round(1000 * range_km),
      })),
    ),
    activities: byId(
      facts.activities.map(({ id, name = id, start, end, any, count, busy, ...rest }) => ({
        ...{ id, name, at: rest.at, minutes: rest.minutes, all: rest.all, any },
        ...{ start: windowOf(start), end: windowOf(end), after: rest.after, uses: rest.uses },
        count: any.length === 0 ? 0 : count,
        busy: Math.min(busy ?? rest.minutes, rest.minutes),
        ...{ watchedBy: rest.watched_by ?? null, optional: rest.optional },
      })),
    ),
    resources: byId(facts.resources),
    rides: byId(
      facts.rides.map(({ id, people, from, to, pickup, arrive, vehicles, together, apart }) => ({
        ...{ id, people, from, to, together, apart, vehicles: vehicles ?? null },
        ...{ pickup: windowOf(pickup), arrive: windowOf(arrive) },
      })),
    ),
    preferences: facts.preferences,
    objective: facts.objective,
    facts,
  };
}

function byId<T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

function clockOr(text: string | null | undefined, otherwise: number): number {
  return text === null || text === undefined ? otherwise : parseClock(text);
}

function windowOf(pair: readonly (string | null)[] | undefined): Window {
  return {
    earliest: clockOr(pair?.[0], Number.NEGATIVE_INFINITY),
    latest: clockOr(pair?.[1], Number.POSITIVE_INFINITY),
  };
}

function roadsOf({ roads }: ProblemFacts): Map<string, Map<string, Road>> {
  const found = new Map<string, Map<string, Road>>();
  const put = (from: string, to: string, minutes: number, km: number) => {
    const row = found.get(from) ?? new Map<string, Road>();
    found.set(from, row.set(to, { from, to, minutes, metres: Math.round(1000 * km) }));
  };
  for (const { from, to, minutes, km, one_way } of roads) {
    put(from, to, minutes, km);
    if (!one_way) put(to, from, minutes, km);
  }
  return found;
}

function trafficOf({
  from,
  until,
  places,
  roads,
  factor,
}: ProblemFacts['traffic'][number]): Traffic {
  const isEverywhere = places === undefined && roads === undefined;
  return {
    from: clockOr(from, Number.NEGATIVE_INFINITY),
    until: clockOr(until, Number.POSITIVE_INFINITY),
    factor: factor ?? Number.POSITIVE_INFINITY,
    concerns: (a, b) =>
      isEverywhere ||
      places?.includes(a) ||
      places?.includes(b) ||
      roads?.some(([one, other]) => one === a && other === b) ||
      false,
  };
}

/** Refuses names that are declared twice or not at all, and windows that end before they begin. */
function checkNames(facts: ProblemFacts, file: string | undefined): void {
  const declared = (
    key: 'places' | 'people' | 'vehicles' | 'activities' | 'resources' | 'rides',
  ) => {
    const ids = facts[key].map(({ id }) => id);
    const twice = ids.findIndex((id, at) => ids.indexOf(id) !== at);
    if (twice >= 0) throw wrong(`'${ids[twice]}' is declared twice`, [key, twice, 'id'], file);
    return { what: key, ids: new Set(ids) };
  };
  const [places, people, vehicles] = [declared('places'), declared('people'), declared('vehicles')];
  const [activities, resources, rides] = [
    declared('activities'),
    declared('resources'),
    declared('rides'),
  ];
  type Declared = typeof places;
  const known = ({ what, ids }: Declared, names: readonly string[] | undefined, path: Path) => {
    const at = (names ?? []).findIndex((name) => !ids.has(name));
    if (at >= 0) throw wrong(`there is no '${names?.[at]}' in ${what}`, [...path, at], file);
  };
  const one = (among: Declared, name: string, path: Path) =>
    known(among, [name], path.slice(0, -1));
  const ordered = (pair: readonly (string | null)[] | undefined, path: Path) => {
    const { earliest, latest } = windowOf(pair);
    if (earliest > latest) throw wrong('a window that ends before it begins', path, file);
  };
  facts.places.forEach(({ open }, i) => {
    open?.forEach((pair, k) => void ordered(pair, ['places', i, 'open', k]));
  });
  facts.roads.forEach(({ from, to }, i) => {
    one(places, from, ['roads', i, 'from']);
    one(places, to, ['roads', i, 'to']);
  });
  facts.traffic.forEach((each, i) => {
    known(places, each.places, ['traffic', i, 'places']);
    known(places, each.roads?.flat(), ['traffic', i, 'roads']);
    ordered([each.from ?? null, each.until ?? null], ['traffic', i]);
  });
  facts.people.forEach((each, i) => {
    one(places, each.at, ['people', i, 'at']);
    known(activities, each.leaves_after, ['people', i, 'leaves_after']);
  });
  facts.vehicles.forEach((each, i) => {
    one(places, each.at, ['vehicles', i, 'at']);
    known(people, each.drivers, ['vehicles', i, 'drivers']);
    known(activities, each.after, ['vehicles', i, 'after']);
  });
  facts.activities.forEach((each, i) => {
    known(places, each.at, ['activities', i, 'at']);
    for (const key of ['all', 'any', 'watched_by'] as const) {
      known(people, each[key], ['activities', i, key]);
    }
    known(activities, each.after, ['activities', i, 'after']);
    known(resources, each.uses, ['activities', i, 'uses']);
    ordered(each.start, ['activities', i, 'start']);
    ordered(each.end, ['activities', i, 'end']);
  });
  facts.rides.forEach((each, i) => {
    one(places, each.from, ['rides', i, 'from']);
    one(places, each.to, ['rides', i, 'to']);
    known(people, each.people, ['rides', i, 'people']);
    known(vehicles, each.vehicles, ['rides', i, 'vehicles']);
    known(rides, [...each.together, ...each.apart], ['rides', i, 'together']);
    ordered(each.pickup, ['rides', i, 'pickup']);
    ordered(each.arrive, ['rides', i, 'arrive']);
  });
  facts.preferences.forEach((each, i) => {
    const named = [each.passenger, ...(each.drivers ?? []), ...(each.apart ?? [])];
    known(
      people,
      named.filter((name) => name !== undefined),
      ['preferences', i, 'people'],
    );
    known(activities, each.activities, ['preferences', i, 'activities']);
  });
}

type Path = readonly PropertyKey[];

function wrong(problem: string, path: Path, file: string | undefined): InputError {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return new InputError('bad_problem', problem, 'docs/coordination.md describes the format', {
    file,
    path: `$${steps.join('')}`,
  });
}
