import type { Activity, Problem } from '../model/problem.js';
import { parseRoadPoint } from '../model/travel.js';
import { type PlanState, riderKey, type Standing } from './state.js';
import { waysOf } from './ways.js';

/** Lower bounds for a state: whether it can still be completed in time, and the remaining distance. */
export interface Outlook {
  /** False if a person is late in every continuation. */
  isHopeful(state: PlanState): boolean;
  /** Lower bound of the remaining metres: the shortest roads into all places that must be entered. */
  metresLeft(state: PlanState): number;
}

export function createOutlook(problem: Problem): Outlook {
  const ways = waysOf(problem);
  // The fastest traffic bounds all travel times.
  const best = Math.min(1, ...problem.traffic.map(({ factor }) => factor));
  const into = shortestRoadsInto(problem);
  const seats = Math.max(1, ...[...problem.vehicles.values()].map((one) => one.seats)) + 1;
  // If a vehicle has no driver of its own, a passenger may also be its driver, which adds a seat.
  const riders = [...problem.vehicles.values()].every(({ drivers }) => drivers === null)
    ? seats - 1
    : seats;
  const between = (from: string, to: string) => {
    const point = parseRoadPoint(problem, from);
    // From a point on a road, no better bound than 0 is known.
    return point === null ? best * ways.minutes(from, to) : 0;
  };
  /** The earliest time at which a person can do something at a place. */
  const reaches = (state: PlanState, { at, free: since }: Standing, place: string) => {
    const free = Math.max(since, state.time);
    if (at === place) return free;
    const vehicles = [...state.vehicles.values()].map(
      (one) => Math.max(one.free, state.time) + between(one.at, at),
    );
    return Math.max(free, Math.min(...vehicles)) + between(at, place);
  };
  const reachesInTime = (state: PlanState, person: string, { at, ...activity }: Activity) => {
    const one = state.people.get(person);
    return (
      one !== undefined &&
      at.some((place) => reaches(state, one, place) <= latestStart(problem, activity, place))
    );
  };

  return {
    isHopeful: (state) => {
      for (const activity of problem.activities.values()) {
        if (activity.optional || state.started.has(activity.id)) continue;
        if (!activity.all.every((person) => reachesInTime(state, person, activity))) return false;
        const able = activity.any.filter((person) => reachesInTime(state, person, activity));
        if (able.length < activity.count) return false;
      }
      for (const { id, people, from, to, pickup, arrive } of problem.rides.values()) {
        for (const person of people) {
          const ride = state.rides.get(riderKey(id, person));
          const one = state.people.get(person);
          if (ride === 'served' || one === undefined) continue;
          const start = ride === 'waiting' ? reaches(state, one, from) : 0;
          // A person already there may be in a vehicle at that place.
          const boards = one.at === from ? one.free : start;
          if (ride === 'waiting' && boards > pickup.latest) return false;
          const end = ride === 'waiting' ? start + between(from, to) : reaches(state, one, to);
          if (end > arrive.latest) return false;
        }
      }
      return true;
    },
    metresLeft: (state) => {
      const entries = new Map<string, number>();
      const enter = (place: string, count: number) =>
        entries.set(place, Math.max(count, entries.get(place) ?? 0));
      const parked = new Set([...state.vehicles.values()].map(({ at }) => at));
      const leaving = new Set<string>();
      for (const { id, at, all, any, count, optional } of problem.activities.values()) {
        if (optional || state.started.has(id) || at.length !== 1) continue;
        const [place] = at;
        const absent = all.filter((person) => state.people.get(person)?.at !== place);
        for (const person of absent) leaving.add(person);
        const here = any.filter((person) => state.people.get(person)?.at === place).length;
        const coming = Math.max(absent.length, count - here);
        if (coming > 0) enter(place, Math.ceil(coming / seats));
      }
      const arrivals = new Map<string, number>();
      for (const { id, people, from, to } of problem.rides.values()) {
        for (const person of people) {
          const ride = state.rides.get(riderKey(id, person));
          if (ride === 'served') continue;
          if (ride === 'waiting' && !parked.has(from)) enter(from, 1);
          arrivals.set(to, (arrivals.get(to) ?? 0) + 1);
        }
      }
      for (const [place, count] of arrivals) enter(place, Math.ceil(count / riders));
      for (const person of leaving) {
        const at = state.people.get(person)?.at ?? '';
        if (!parked.has(at)) enter(at, 1);
      }
      let metres = 0;
      for (const [place, count] of entries) metres += count * (into.get(place) ?? 0);
      return metres;
    },
  };
}

/** The latest start of an activity at a place. */
function latestStart(
  problem: Problem,
  { start, end, minutes }: Omit<Activity, 'at'>,
  place: string,
): number {
  const open = problem.places.get(place)?.open ?? null;
  const closes =
    open === null ? Number.POSITIVE_INFINITY : Math.max(...open.map((one) => one.latest));
  return Math.min(start.latest, end.latest - minutes, closes - minutes);
}

/** Metres of the shortest road into each place; 0 where a vehicle may come from the middle of one. */
function shortestRoadsInto({ roads, traffic }: Problem): Map<string, number> {
  const shortest = new Map<string, number>();
  if (traffic.length > 0) return shortest;
  for (const row of roads.values()) {
    for (const { to, metres } of row.values()) {
      shortest.set(to, Math.min(metres, shortest.get(to) ?? Number.POSITIVE_INFINITY));
    }
  }
  return shortest;
}
