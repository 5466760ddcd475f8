import { metresOfDrive } from '../model/cost.js';
import { type Action, actorsOf, type Doing, type Drive } from '../model/plan.js';
import type { Activity, Problem, Vehicle } from '../model/problem.js';
import { earliestArrival, firstDeparture, waysBetween } from '../model/travel.js';
import { afterAction, type PlanState, riderKey } from './state.js';
import { waysOf } from './ways.js';

/** Limits of what may be decided. */
export interface Restriction {
  /** Actions that are made as they are, in the order of time. */
  readonly fixed?: readonly Action[];
  /** People and vehicles that may do something else; all, unless said. */
  readonly free?: ReadonlySet<string>;
}

/** The states that one more action leads to: every drive and activity that may be of use, as early as it can be. */
export function nextStates(
  problem: Problem,
  state: PlanState,
  { fixed = [], free }: Restriction = {},
): PlanState[] {
  const wants = wantsOf(problem, state);
  const drives = [...problem.vehicles.values()].flatMap((vehicle) =>
    drivesOfVehicle(problem, state, vehicle, wants),
  );
  const settled = new Set(fixed.map((one) => (one.do === 'activity' ? one.activity : '')));
  const doings = [...problem.activities.values()]
    .filter(({ id }) => !settled.has(id))
    .flatMap((activity) => doingsOf(problem, state, activity));
  const isFree = (action: Action) =>
    free === undefined || actorsOf(action).every((who) => free.has(who));
  const due = fixed.find((one) => !state.actions.includes(one));
  const actions = [...doings, ...drives].filter(
    (action) => isFree(action) && (due === undefined || action.start <= due.start),
  );
  if (due !== undefined && canBeMade(problem, state, due)) actions.push(due as Doing | Drive);
  return actions
    .map((action) =>
      afterAction(
        problem,
        state,
        action,
        action.do === 'drive' ? metresOfDrive(problem, action) : 0,
      ),
    )
    .filter((next) => next !== null);
}

/** Whether everybody is there in time for an action that is made as it is. */
function canBeMade(problem: Problem, state: PlanState, action: Action): boolean {
  const from = action.do === 'drive' ? action.from : action.at;
  const isThere = actorsOf(action).every((who) => {
    const one = state.people.get(who) ?? state.vehicles.get(who);
    return one !== undefined && one.at === from && one.free <= action.start;
  });
  if (!isThere || action.start < state.time) return false;
  if (action.do !== 'drive') return true;
  const arrives = earliestArrival(problem, from, action.to, action.start);
  return arrives !== null && arrives <= action.end;
}

/** Whether all is done that has to be. */
export function isComplete(problem: Problem, { started, rides }: PlanState): boolean {
  const isDone = [...problem.activities.values()].every(
    ({ id, optional }) => optional || started.has(id),
  );
  return isDone && [...rides.values()].every((ride) => ride === 'served');
}

/** The places where each person has something to do yet. */
function wantsOf(problem: Problem, { started, rides }: PlanState): Map<string, Set<string>> {
  const wants = new Map([...problem.people.keys()].map((id) => [id, new Set<string>()]));
  for (const { id, at, all, any } of problem.activities.values()) {
    if (started.has(id)) continue;
    for (const person of [...all, ...any]) for (const place of at) wants.get(person)?.add(place);
  }
  for (const { id, people, from, to } of problem.rides.values()) {
    for (const person of people) {
      const ride = rides.get(riderKey(id, person));
      if (ride === 'waiting') wants.get(person)?.add(from).add(to);
      if (ride === 'under way') wants.get(person)?.add(to);
    }
  }
  return wants;
}

function drivesOfVehicle(
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
    // Who has nothing to do elsewhere does not come along.
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

/** Whether somebody aboard wants to go to a place, or somebody to leave it. */
function isOfUse(
  state: PlanState,
  goal: string,
  who: string | null,
  passengers: readonly string[],
  wants: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const aboard = who === null ? passengers : [who, ...passengers];
  if (aboard.some((person) => wants.get(person)?.has(goal))) return true;
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
  let earliestEnd = Number.NEGATIVE_INFINITY;
  for (const { id, people, from: origin, to, pickup, arrive, vehicles } of problem.rides.values()) {
    for (const person of people.filter((one) => aboard.includes(one))) {
      const ride = state.rides.get(riderKey(id, person));
      const begins = ride === 'waiting' && origin === from;
      if (begins) ready = Math.max(ready, pickup.earliest);
      if (!begins && ride !== 'under way') continue;
      if (vehicles !== null && !vehicles.includes(vehicle.id)) return [];
      if (goal === to) earliestEnd = Math.max(earliestEnd, arrive.earliest);
    }
  }
  let start = ready;
  for (let isOpen = false; !isOpen; ) {
    const watched = whenWatched(problem, state, aboard, from, start);
    const open = firstDeparture(problem, from, goal, watched);
    if (open === null) return [];
    isOpen = open === watched;
    start = open;
  }
  const arrives = earliestArrival(problem, from, goal, start) ?? Number.POSITIVE_INFINITY;
  // Who would be too early leaves later, as long as nobody minds.
  const late = Math.max(0, earliestEnd - arrives);
  const later = whenWatched(problem, state, aboard, from, start + late);
  const begin = earliestArrival(problem, from, goal, later) === null ? start : later;
  const end = Math.max(earliestArrival(problem, from, goal, begin) ?? arrives, earliestEnd);
  const people = aboard.map((person) => problem.people.get(person));
  if (end > Math.min(vehicle.until, ...people.map((one) => one?.until ?? 0))) return [];
  const drive: Drive = {
    ...{ do: 'drive', vehicle: vehicle.id, who, with: passengers, from, to: goal },
    ...{ start: begin, end },
  };
  return standing.driven + metresOfDrive(problem, drive) > vehicle.range ? [] : [drive];
}

/**
 * The first time from `ready` on at which some people may leave a place without leaving something there
 * unwatched.
 */
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

function doingsOf(problem: Problem, state: PlanState, activity: Activity): Doing[] {
  if (state.started.has(activity.id)) return [];
  const ends = activity.after.map((before) => state.started.get(before)?.end);
  if (ends.includes(undefined)) return [];
  const ready = Math.max(state.time, activity.start.earliest, ...ends.map((end) => end ?? 0));
  return activity.at.flatMap((at) => {
    const isHere = (person: string) => state.people.get(person)?.at === at;
    if (!activity.all.every(isHere)) return [];
    const others = activity.any.filter((one) => isHere(one) && !activity.all.includes(one));
    const already = activity.any.filter((one) => activity.all.includes(one)).length;
    return subsets(others, activity.count - already, Math.max(0, activity.count - already)).flatMap(
      (chosen) => doing(problem, state, activity, at, [...activity.all, ...chosen], ready),
    );
  });
}

/** An activity at the earliest time at which these people can do it. */
function doing(
  problem: Problem,
  state: PlanState,
  activity: Activity,
  at: string,
  who: readonly string[],
  ready: number,
): Doing[] {
  const { id, minutes, busy, start, end, watchedBy, uses } = activity;
  const people = who.map((person) => state.people.get(person));
  let time = Math.max(ready, end.earliest - minutes, ...people.map((one) => one?.free ?? 0));
  if (time === Number.NEGATIVE_INFINITY) time = 0;
  for (let changed = true; changed; ) {
    const before = time;
    if (watchedBy !== null) {
      const since = watchedBy.flatMap((person) => {
        const one = state.people.get(person);
        return one?.at === at ? [one.since] : [];
      });
      time = Math.max(time, Math.min(...since, Number.POSITIVE_INFINITY));
    }
    const open = problem.places.get(at)?.open ?? null;
    if (open !== null) {
      const fits = open.filter(({ latest }) => time + minutes <= latest);
      time = Math.max(
        time,
        Math.min(...fits.map(({ earliest }) => earliest), Number.POSITIVE_INFINITY),
      );
    }
    for (const resource of uses) time = whenFree(problem, state, resource, time);
    if (time === Number.POSITIVE_INFINITY) return [];
    changed = time > before;
  }
  const isLate = time > start.latest || time + minutes > end.latest;
  const leaves = who.some((person) => time + busy > (problem.people.get(person)?.until ?? 0));
  if (isLate || leaves) return [];
  return [{ do: 'activity', activity: id, who, at, start: time, end: time + minutes }];
}

/** The first time from `time` on at which a resource has room. */
function whenFree(problem: Problem, state: PlanState, resource: string, time: number): number {
  const capacity = problem.resources.get(resource)?.capacity ?? 1;
  const ends = [...state.started]
    .filter(([id, { end }]) => end > time && problem.activities.get(id)?.uses.includes(resource))
    .map(([, { end }]) => end)
    .toSorted((a, b) => b - a);
  return ends.length < capacity ? time : ends[capacity - 1];
}

/** All subsets of at most `most` members, and at least `least`. */
function subsets<T>(members: readonly T[], most: number, least = 0): T[][] {
  let all: T[][] = [[]];
  for (const member of members) {
    all = [...all, ...all.filter((one) => one.length < most).map((one) => [...one, member])];
  }
  return all.filter((one) => one.length >= least);
}

/** Actions in the order of time, as plans list them. */
export function inOrder(actions: readonly Action[]): Action[] {
  return actions.toSorted((a, b) => a.start - b.start || a.end - b.end);
}
