import { metresOfDrive } from '../model/cost.js';
import type { Drive } from '../model/plan.js';
import type { Problem, Vehicle } from '../model/problem.js';
import { earliestArrival, firstDeparture, waysBetween } from '../model/travel.js';
import { type PlanState, riderKey } from './state.js';
import { waysOf } from './ways.js';

/** The destination of people who only need transport, and a return. */
const ANYWHERE = '';

/** The places where each person still has something to do. */
export function wantsOf(
  problem: Problem,
  { started, rides, people: standings }: PlanState,
): Map<string, Set<string>> {
  const wants = new Map([...problem.people.keys()].map((id) => [id, new Set<string>()]));
  for (const { id, at, all, any, watchedBy } of problem.activities.values()) {
    if (started.has(id)) continue;
    for (const person of [...all, ...any, ...(watchedBy ?? [])]) {
      for (const place of at) wants.get(person)?.add(place);
    }
  }
  for (const { id, people, from, to } of problem.rides.values()) {
    for (const person of people) {
      const ride = rides.get(riderKey(id, person));
      if (ride === 'waiting')
        wants
          .get(person)
          ?.add(from)
          .add(from === to ? ANYWHERE : to);
      // A person who is there too early must leave and come back.
      const isThere = standings.get(person)?.at === to;
      if (ride === 'under way') wants.get(person)?.add(isThere ? ANYWHERE : to);
    }
  }
  return wants;
}

/** The useful drives of a vehicle, each as early as possible. */
export function drivesOfVehicle(
  problem: Problem,
  state: PlanState,
  vehicle: Vehicle,
  wants: ReadonlyMap<string, ReadonlySet<string>>,
): Drive[] {
  const standing = state.vehicles.get(vehicle.id);
  if (standing === undefined) return [];
  const isReady = vehicle.after.every((activity) => state.started.has(activity));
  if (!isReady) return [];
  const here = [...state.people].filter(([, { at }]) => at === standing.at).map(([id]) => id);
  const drivers =
    vehicle.drivers === null ? [null] : here.filter((id) => vehicle.drivers?.includes(id));
  const goals = [...problem.places.keys()].filter(
    (goal) => goal !== standing.at && waysBetween(problem, standing.at, goal).length > 0,
  );
  const { leadsTo } = waysOf(problem);
  return drivers.flatMap((who) => {
    // People with nothing to do elsewhere do not come along.
    const movers = here.filter(
      (id) => id !== who && [...(wants.get(id) ?? [])].some((place) => place !== standing.at),
    );
    return subsets(movers, vehicle.seats).flatMap((passengers) => {
      const useful = [...problem.places.keys()].filter((place) =>
        isOfUse(state, place, who, passengers, wants),
      );
      return goals
        .filter(
          (goal) =>
            useful.includes(goal) || useful.some((place) => leadsTo(standing.at, goal, place)),
        )
        .flatMap((goal) => driveTo(problem, state, vehicle, who, passengers, goal));
    });
  });
}

/** Whether a person aboard wants to go to a place, or a person there wants to leave it. */
function isOfUse(
  state: PlanState,
  goal: string,
  who: string | null,
  passengers: readonly string[],
  wants: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const aboard = who === null ? passengers : [who, ...passengers];
  const isWanted = aboard.some(
    (person) => wants.get(person)?.has(goal) || wants.get(person)?.has(ANYWHERE),
  );
  if (isWanted) return true;
  const waits = [...state.people].some(
    ([id, { at }]) =>
      at === goal &&
      !aboard.includes(id) &&
      [...(wants.get(id) ?? [])].some((place) => place !== goal),
  );
  return waits;
}

function driveTo(
  problem: Problem,
  state: PlanState,
  vehicle: Vehicle,
  who: string | null,
  passengers: readonly string[],
  goal: string,
): Drive[] {
  const standing = state.vehicles.get(vehicle.id);
  if (standing === undefined) return [];
  const aboard = who === null ? [...passengers] : [who, ...passengers];
  const from = standing.at;
  let ready = Math.max(state.time, standing.free, vehicle.from);
  for (const activity of vehicle.after)
    ready = Math.max(ready, state.started.get(activity)?.end ?? 0);
  for (const person of aboard) {
    ready = Math.max(ready, state.people.get(person)?.free ?? 0);
    const { at, leavesAfter } = problem.people.get(person) ?? { at: '', leavesAfter: [] };
    for (const activity of at === from ? leavesAfter : []) {
      const done = state.started.get(activity)?.end;
      if (done === undefined) return [];
      ready = Math.max(ready, done);
    }
  }
  // Rides need not begin or end here: a person with more to do may come by without riding, and one who would be too
  // early may continue.
  const [starts, ends] = [new Set<number>(), new Set<number>()];
  for (const { id, people, from: origin, to, pickup, arrive, vehicles } of problem.rides.values()) {
    for (const person of people.filter((one) => aboard.includes(one))) {
      const ride = state.rides.get(riderKey(id, person));
      const begins = ride === 'waiting' && origin === from;
      if (!begins && ride !== 'under way') continue;
      const isFree = person === who || hasMoreToDo(problem, state, person, id);
      const isBy = vehicles === null || vehicles.includes(vehicle.id);
      if (!isBy && !isFree) return [];
      if (!isBy) continue;
      if (begins && isFree) starts.add(pickup.earliest);
      else if (begins) ready = Math.max(ready, pickup.earliest);
      if (goal === to) ends.add(arrive.earliest);
    }
  }
  const people = aboard.map((person) => problem.people.get(person));
  const until = Math.min(vehicle.until, ...people.map((one) => one?.until ?? 0));
  const tries = [ready, ...[...starts].filter((start) => start > ready)].flatMap((start) =>
    [Number.NEGATIVE_INFINITY, ...ends].map((end) =>
      timesOfDrive(problem, state, aboard, { from, to: goal, start, earliestEnd: end }),
    ),
  );
  const times = new Map(tries.map((one) => [`${one?.start} ${one?.end}`, one]));
  return [...times.values()].flatMap((one) => {
    if (one === null || one.end > until) return [];
    const drive: Drive = {
      do: 'drive',
      vehicle: vehicle.id,
      who,
      with: passengers,
      from,
      to: goal,
      ...one,
    };
    return standing.driven + metresOfDrive(problem, drive) > vehicle.range ? [] : [drive];
  });
}

/** Whether a person has a reason to travel besides a ride. */
function hasMoreToDo(problem: Problem, state: PlanState, person: string, ride: string): boolean {
  const { rides, activities } = problem;
  return (
    [...rides.values()].some(
      ({ id, people }) =>
        id !== ride &&
        people.includes(person) &&
        state.rides.get(riderKey(id, person)) !== 'served',
    ) ||
    [...activities.values()].some(
      ({ id, all, any, watchedBy }) =>
        !state.started.has(id) && [...all, ...any, ...(watchedBy ?? [])].includes(person),
    )
  );
}

/**
 * Start and end of a drive that begins as early as possible, but does not end too early; null if it is never possible.
 */
function timesOfDrive(
  problem: Problem,
  state: PlanState,
  aboard: readonly string[],
  {
    from,
    to,
    start: ready,
    earliestEnd,
  }: {
    readonly from: string;
    readonly to: string;
    readonly start: number;
    readonly earliestEnd: number;
  },
): { readonly start: number; readonly end: number } | null {
  let start = ready;
  for (let isOpen = false; !isOpen; ) {
    const watched = whenWatched(problem, state, aboard, from, start);
    const open = firstDeparture(problem, from, to, watched);
    if (open === null) return null;
    isOpen = open === watched;
    start = open;
  }
  const arrives = earliestArrival(problem, from, to, start) ?? Number.POSITIVE_INFINITY;
  // A drive that would arrive too early departs later, if no activity is left unwatched then.
  const latest = latestDeparture(problem, { from, to, start, by: earliestEnd });
  const later = whenWatched(problem, state, aboard, from, latest);
  const arrivesLater = earliestArrival(problem, from, to, later);
  return arrivesLater === null || later > latest
    ? { start, end: Math.max(arrives, earliestEnd) }
    : { start: later, end: Math.max(arrivesLater, earliestEnd) };
}

/** The last departure from `start` on that arrives by a time; `start` if even that is late. */
function latestDeparture(
  problem: Problem,
  {
    from,
    to,
    start,
    by,
  }: { readonly from: string; readonly to: string; readonly start: number; readonly by: number },
): number {
  const isInTime = (depart: number) =>
    (earliestArrival(problem, from, to, depart) ?? Number.POSITIVE_INFINITY) <= by;
  if (by === Number.NEGATIVE_INFINITY || !isInTime(start)) return start;
  // Binary search is valid because a later departure never arrives earlier.
  let [low, high] = [start, by];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isInTime(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The first time from `ready` on at which these people may leave a place without leaving an activity unwatched. */
function whenWatched(
  problem: Problem,
  state: PlanState,
  leaving: readonly string[],
  at: string,
  ready: number,
): number {
  let time = ready;
  for (const [id, { at: place, end }] of state.started) {
    const watchers = problem.activities.get(id)?.watchedBy ?? null;
    if (place !== at || end <= time || watchers === null) continue;
    if (!leaving.some((person) => watchers.includes(person))) continue;
    const others = watchers.filter((person) => {
      const one = state.people.get(person);
      return !leaving.includes(person) && one?.at === at && one.since < end;
    });
    const since = others.map((person) => state.people.get(person)?.since ?? end);
    time = Math.max(time, Math.min(end, ...since));
  }
  return time;
}

/** All subsets of at least `least` and at most `most` members. */
export function subsets<T>(members: readonly T[], most: number, least = 0): T[][] {
  let all: T[][] = [[]];
  for (const member of members) {
    all = [...all, ...all.filter((one) => one.length < most).map((one) => [...one, member])];
  }
  return all.filter((one) => one.length >= least);
}
