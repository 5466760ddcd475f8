import type { Drive } from '../../model/plan.js';
import type { Problem, Ride, Vehicle } from '../../model/problem.js';
import { earliestArrival } from '../../model/travel.js';
import { waysOf } from '../ways.js';

/** A stop of a vehicle, at which the people of a ride get in or out. */
export interface Stop {
  readonly ride: Ride;
  readonly isPickup: boolean;
}

/** The way of a vehicle: its stops in their order, and the drives from one to the next by the quickest ways. */
export interface Route {
  readonly vehicle: Vehicle;
  readonly stops: readonly Stop[];
  readonly drives: readonly Drive[];
  readonly metres: number;
}

/**
 * The route of a vehicle by these stops, each as early as it can be, but that nobody drives to an empty place before
 * the time.
 *
 * @param begun rides whose people are aboard already
 * @returns null if a window, a seat, the range or the time of somebody is not kept
 */
export function driveRoute(
  problem: Problem,
  vehicle: Vehicle,
  stops: readonly Stop[],
  begun: readonly Ride[] = [],
): Route | null {
  const drives: Drive[] = [];
  const aboard = new Set(begun);
  let { at } = vehicle;
  let [time, metres] = [Math.max(0, vehicle.from), 0];
  let seated = begun.reduce((sum, { people }) => sum + people.length, 0);
  /** When those who have got in here have to be in, and when those who have got out have to be here. */
  let [latest, due] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { ride, isPickup } of stops) {
    const goal = isPickup ? ride.from : ride.to;
    if (goal !== at) {
      if (aboard.size === 0 && problem.traffic.length === 0) {
        time = Math.max(time, ride.pickup.earliest - waysOf(problem).minutes(at, goal));
      }
      const legs = legsTo(problem, vehicle, at, goal, time);
      if (legs === null) return null;
      const people = [...aboard].flatMap((one) => one.people);
      for (const leg of legs) {
        drives.push({ ...leg, with: people });
        metres += problem.roads.get(leg.from)?.get(leg.to)?.metres ?? 0;
        time = leg.end;
      }
      if (metres > vehicle.range || time > vehicle.until) return null;
      at = goal;
      [latest, due] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    }
    if (isPickup) {
      aboard.add(ride);
      seated += ride.people.length;
      const from = ride.people.map((person) => problem.people.get(person)?.from ?? 0);
      time = Math.max(time, ride.pickup.earliest, ...from);
      latest = Math.min(latest, ride.pickup.latest);
      if (seated > vehicle.seats || time > ride.pickup.latest) return null;
    } else {
      const until = ride.people.map((person) => problem.people.get(person)?.until ?? 0);
      due = Math.min(due, ride.arrive.latest, vehicle.until, ...until);
      // Who would be too early takes longer for the last road.
      const last = drives.length - 1;
      if (last >= 0 && drives[last].end < ride.arrive.earliest) {
        drives[last] = { ...drives[last], end: ride.arrive.earliest };
        time = Math.max(time, ride.arrive.earliest);
      }
      if (last < 0 || drives[last].end > Math.min(due, latest)) return null;
      aboard.delete(ride);
      seated -= ride.people.length;
    }
  }
  return { vehicle, stops, drives, metres };
}

/** Drives by the quickest way, one road after the other; null if there is no way, or it is closed. */
function legsTo(
  problem: Problem,
  vehicle: Vehicle,
  from: string,
  to: string,
  depart: number,
): Drive[] | null {
  const legs: Drive[] = [];
  let [at, time] = [from, depart];
  for (const next of waysOf(problem).quickest(from, to)) {
    const usual = problem.roads.get(at)?.get(next)?.minutes ?? Number.POSITIVE_INFINITY;
    const end =
      problem.traffic.length === 0 ? time + usual : earliestArrival(problem, at, next, time);
    if (end === null) return null;
    const times = { start: time, end };
    legs.push({
      do: 'drive',
      vehicle: vehicle.id,
      who: null,
      with: [],
      from: at,
      to: next,
      ...times,
    });
    [at, time] = [next, end];
  }
  return legs.length === 0 ? null : legs;
}
