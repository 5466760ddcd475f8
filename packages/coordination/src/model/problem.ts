import { checkJson, faultError } from '@alas-jssp/core';
import { checkNames } from './problem-names.js';
import { type ProblemFacts, problemSchema } from './problem-schema.js';
import { clockOr, joinWindows, type Window, windowOf } from './window.js';

export type { Window } from './window.js';

export interface Place {
  readonly id: string;
  readonly name: string;
  /** Disjoint windows in which activities are possible there; null if always. */
  readonly open: readonly Window[] | null;
}

/** A road in one direction. */
export interface Road {
  readonly from: string;
  readonly to: string;
  readonly minutes: number;
  readonly metres: number;
}

/** A temporary change of roads: `factor` times as slow, or closed to vehicles that are not on them yet. */
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
  /** Null if it has its own driver. */
  readonly drivers: readonly string[] | null;
  readonly after: readonly string[];
  /** Metres; Infinity without a limit. */
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
  /** Minimum number of people out of `any`. */
  readonly count: number;
  /** Minutes from its start during which its people are occupied. */
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

/** A coordination problem: times in minutes since midnight, distances in metres, everything by id. */
export interface Problem {
  readonly name: string;
  readonly places: ReadonlyMap<string, Place>;
  /** Roads by start, then by end. */
  readonly roads: ReadonlyMap<string, ReadonlyMap<string, Road>>;
  readonly traffic: readonly Traffic[];
  readonly people: ReadonlyMap<string, Person>;
  readonly vehicles: ReadonlyMap<string, Vehicle>;
  readonly activities: ReadonlyMap<string, Activity>;
  readonly resources: ReadonlyMap<string, { readonly id: string; readonly capacity: number }>;
  readonly rides: ReadonlyMap<string, Ride>;
  readonly preferences: readonly Preference[];
  readonly objective: ProblemFacts['objective'];
  /** The parsed file. */
  readonly facts: ProblemFacts;
}

/**
 * Parses a problem from the contents of its file.
 *
 * @throws InputError `bad_problem` with the JSON path of the fault: a malformed part, an undeclared or duplicate name,
 *   or a window that ends before it begins
 */
export function readProblem(value: unknown, file?: string): Problem {
  const checked = checkJson<ProblemFacts>(problemSchema, value);
  if (checked.fault !== undefined) throw faultError('bad_problem', checked.fault, file);
  const facts = checked.data;
  checkNames(facts, file);
  return {
    name: facts.name,
    places: byId(
      facts.places.map(({ id, name = id, open }) => ({
        id,
        name,
        open: open === undefined ? null : joinWindows(open.map((pair) => windowOf(pair))),
      })),
    ),
    roads: roadsOf(facts),
    traffic: facts.traffic.map(trafficOf),
    people: byId(
      facts.people.map(({ id, name = id, at, from, until, leaves_after }) => ({
        id,
        name,
        at,
        from: clockOr(from, Number.NEGATIVE_INFINITY),
        until: clockOr(until, Number.POSITIVE_INFINITY),
        leavesAfter: leaves_after,
      })),
    ),
    vehicles: byId(
      facts.vehicles.map(({ id, name = id, at, from, until, seats, drivers, after, range_km }) => ({
        id,
        name,
        at,
        seats,
        after,
        drivers: drivers ?? null,
        from: clockOr(from, Number.NEGATIVE_INFINITY),
        until: clockOr(until, Number.POSITIVE_INFINITY),
        range: range_km === undefined ? Number.POSITIVE_INFINITY : Math.round(1000 * range_km),
      })),
    ),
    activities: byId(
      facts.activities.map(({ id, name = id, start, end, any, count, busy, ...rest }) => ({
        id,
        name,
        at: rest.at,
        minutes: rest.minutes,
        all: rest.all,
        any,
        start: windowOf(start),
        end: windowOf(end),
        after: rest.after,
        uses: rest.uses,
        count: any.length === 0 ? 0 : count,
        busy: Math.min(busy ?? rest.minutes, rest.minutes),
        watchedBy: rest.watched_by ?? null,
        optional: rest.optional,
      })),
    ),
    resources: byId(facts.resources),
    rides: byId(
      facts.rides.map(({ id, people, from, to, pickup, arrive, vehicles, together, apart }) => ({
        id,
        people,
        from,
        to,
        together,
        apart,
        vehicles: vehicles ?? null,
        pickup: windowOf(pickup),
        arrive: windowOf(arrive),
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
