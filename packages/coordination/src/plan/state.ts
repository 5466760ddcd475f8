import { type Action, type Drive, engagedUntil, takesPart } from '../model/plan.js';
import type { Problem, Ride } from '../model/problem.js';

/** Position of a person or a vehicle after the actions so far. */
export interface Standing {
  readonly at: string;
  /** Arrival there; −Infinity if it has been there from the beginning. */
  readonly since: number;
  /** The earliest time of its next action. */
  readonly free: number;
}

/** An activity that has been started. */
interface Started {
  readonly start: number;
  readonly end: number;
  readonly at: string;
}

/** Progress of a person in a ride. */
export type RideState = 'waiting' | 'under way' | 'served';

/** A partial plan: its actions in the order of their starts, and the resulting state. */
export interface PlanState {
  readonly actions: readonly Action[];
  /** The start of the latest action: no later action starts before it. */
  readonly time: number;
  readonly people: ReadonlyMap<string, Standing>;
  readonly vehicles: ReadonlyMap<string, Standing & { readonly driven: number }>;
  readonly started: ReadonlyMap<string, Started>;
  /** By ride and person, joined by a line break. */
  readonly rides: ReadonlyMap<string, RideState>;
  /** The trips of people with company rules, from each place where their ride may have begun, by the same key. */
  readonly journeys: ReadonlyMap<string, readonly (readonly Drive[])[]>;
  readonly metres: number;
  readonly idle: number;
  /** Preferences that are already broken. */
  readonly broken: ReadonlySet<string>;
}

/** The key of a person in a ride. */
export const riderKey = (ride: string, person: string) => `${ride}\n${person}`;

/** The state before any action. */
export function emptyState(problem: Problem, now: number): PlanState {
  const standing = ({ at, from }: { readonly at: string; readonly from: number }) => ({
    at,
    since: from,
    free: Math.max(from, now),
  });
  return {
    actions: [],
    time: now,
    people: new Map([...problem.people.values()].map((one) => [one.id, standing(one)])),
    vehicles: new Map(
      [...problem.vehicles.values()].map((one) => [one.id, { ...standing(one), driven: 0 }]),
    ),
    started: new Map(),
    rides: new Map(
      [...problem.rides.values()].flatMap(({ id, people }) =>
        people.map((person) => [riderKey(id, person), 'waiting' as const]),
      ),
    ),
    journeys: new Map(),
    metres: 0,
    idle: 0,
    broken: new Set(),
  };
}

/**
 * The state after one more action. The action is not checked, except for missed deadlines of rides.
 *
 * @param metres length of its drive
 * @returns null if it makes a ride late, or breaks its company rules
 */
export function afterAction(
  problem: Problem,
  state: PlanState,
  action: Action,
  metres = 0,
): PlanState | null {
  const people = new Map(state.people);
  const { start, end } = action;
  let idle = state.idle;
  const move = (person: string, at: string, until: number) => {
    const before = people.get(person);
    if (before === undefined) return;
    // A person who becomes free only now may have waited before.
    const ends = state.actions.flatMap((one) =>
      one.do !== 'stay' && takesPart(one, person) ? engagedUntil(problem, one) : [],
    );
    if (ends.length > 0) idle += Math.max(0, start - Math.max(...ends));
    const since = at === before.at ? before.since : until;
    people.set(person, { at, since, free: Math.max(before.free, until) });
  };
  const next = { ...state, actions: [...state.actions, action], time: Math.max(state.time, start) };
  if (action.do === 'stay') return next;
  if (action.do === 'activity') {
    const until = engagedUntil(problem, action);
    for (const person of action.who) move(person, action.at, until);
    const started = new Map(state.started).set(action.activity, { start, end, at: action.at });
    const broken = brokenBy(problem, next.actions, state.broken);
    return { ...next, people, started, idle, broken };
  }
  const aboard = action.who === null ? action.with : [action.who, ...action.with];
  for (const person of aboard) move(person, action.to, end);
  const vehicle = state.vehicles.get(action.vehicle);
  const driven = (vehicle?.driven ?? 0) + metres;
  const vehicles = new Map(state.vehicles);
  vehicles.set(action.vehicle, { at: action.to, since: end, free: end, driven });
  const progress = ridesAfter(problem, state, action);
  if (progress === null) return null;
  const broken = brokenBy(problem, next.actions, state.broken);
  const driving = { people, vehicles, idle, broken, metres: state.metres + metres };
  return { ...next, ...driving, ...progress };
}

type RideProgress = Pick<PlanState, 'rides' | 'journeys'>;

/** The progress of all rides after one more drive; null if it makes one late, or breaks its company rules. */
function ridesAfter(problem: Problem, state: PlanState, drive: Drive): RideProgress | null {
  const { start, end } = drive;
  const rides = new Map(state.rides);
  const journeys = new Map(state.journeys);
  for (const ride of problem.rides.values()) {
    const { id, people, from, to, pickup, arrive, vehicles } = ride;
    const isBy = vehicles === null || vehicles.includes(drive.vehicle);
    for (const person of people.filter((one) => takesPart(drive, one))) {
      const key = riderKey(id, person);
      if (rides.get(key) === 'served') continue;
      // A drive of a vehicle that the ride does not permit restarts the ride; passing the pick-up place, or the
      // destination too early, does not.
      if (!isBy) {
        rides.set(key, 'waiting');
        journeys.delete(key);
        continue;
      }
      const begins =
        drive.from === from &&
        start >= pickup.earliest &&
        boardsFrom(problem, state, drive, person) <= pickup.latest;
      if (begins) rides.set(key, 'under way');
      if (rides.get(key) !== 'under way') continue;
      if (hasCompany(problem, ride)) {
        const before = begins ? [...(journeys.get(key) ?? []), []] : (journeys.get(key) ?? []);
        journeys.set(
          key,
          before.map((trip) => [...trip, drive]),
        );
      }
      if (drive.to !== to) continue;
      if (end > arrive.latest) return null;
      if (end >= arrive.earliest) rides.set(key, 'served');
    }
  }
  return isCompanyKept(problem, { rides, journeys }) ? { rides, journeys } : null;
}

/** The minute from which a person can board the departing vehicle: both are at the place. */
function boardsFrom(
  { vehicles }: Problem,
  state: PlanState,
  { vehicle, start }: Drive,
  person: string,
): number {
  const ready = (vehicles.get(vehicle)?.after ?? []).map(
    (activity) => state.started.get(activity)?.end ?? start,
  );
  const stands = state.vehicles.get(vehicle)?.since ?? start;
  return Math.min(start, Math.max(stands, state.people.get(person)?.free ?? start, ...ready));
}

function hasCompany({ rides }: Problem, { id, together, apart }: Ride): boolean {
  if (together.length + apart.length > 0) return true;
  return [...rides.values()].some((one) => [...one.together, ...one.apart].includes(id));
}

/** Whether completed rides may keep their company rules, tested pair by pair: all drives shared, or none. */
function isCompanyKept({ rides }: Problem, progress: RideProgress): boolean {
  /** The possible drives of a ride, from the trips that its people may have begun. */
  const waysOf = (id: string) => {
    const keys = (rides.get(id)?.people ?? []).map((person) => riderKey(id, person));
    const served = keys.filter((key) => progress.rides.get(key) === 'served');
    const ways = served.reduce<ReadonlySet<Drive>[]>(
      (found, key) =>
        found.flatMap((one) =>
          (progress.journeys.get(key) ?? [[]]).map((trip) => new Set([...one, ...trip])),
        ),
      [new Set()],
    );
    return { ways, isOver: served.length === keys.length };
  };
  return [...rides.values()].every(({ id, together, apart }) => {
    if (together.length + apart.length === 0) return true;
    const own = waysOf(id);
    return (
      apart.every((other) =>
        waysOf(other).ways.some((theirs) =>
          own.ways.some((one) => [...one].every((drive) => !theirs.has(drive))),
        ),
      ) &&
      together.every((other) => {
        const theirs = waysOf(other);
        if (!own.isOver || !theirs.isOver) return true;
        return theirs.ways.some((way) =>
          own.ways.some(
            (one) => one.size === way.size && [...one].every((drive) => way.has(drive)),
          ),
        );
      })
    );
  });
}

/** Preferences for drivers broken by the last action or before. */
function brokenBy(
  { preferences }: Problem,
  actions: readonly Action[],
  before: ReadonlySet<string>,
): ReadonlySet<string> {
  const last = actions.at(-1);
  const found = preferences.filter(({ passenger, drivers, apart, activities }) => {
    if (last?.do === 'drive' && passenger !== undefined) {
      return last.with.includes(passenger) && !drivers?.includes(last.who ?? '');
    }
    if (last?.do !== 'activity' || !activities?.includes(last.activity)) return false;
    return actions.some((one) => {
      if (one.do !== 'activity' || !activities.includes(one.activity)) return false;
      if (one.end <= last.start || last.end <= one.start) return false;
      const who = new Set([...one.who, ...last.who]);
      return (apart ?? []).filter((person) => who.has(person)).length > 1;
    });
  });
  return found.length === 0 ? before : new Set([...before, ...found.map(({ id }) => id)]);
}
