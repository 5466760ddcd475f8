import type { Drive } from '../../model/plan.js';
import type { Problem, Ride, Vehicle } from '../../model/problem.js';
import { earliestArrival } from '../../model/travel.js';
import { waysOf } from '../ways.js';

/** A stop of a vehicle, at which the people of a ride get in or out. */
export interface Stop {
  readonly ride: Ride;
  readonly isPickup: boolean;
}

/** The route of a vehicle: its stops in order, and the drives between them by the quickest ways. */
export interface Route {
  readonly vehicle: Vehicle;
  readonly stops: readonly Stop[];
  readonly drives: readonly Drive[];
  readonly metres: number;
}

/**
 * The route of a vehicle by these stops, each as early as possible; an empty vehicle does not arrive before it is
 * needed.
 *
 * @param begun rides whose people are already aboard
 * @returns null if it breaks a window, a seat limit, the range or a person's availability
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
  /** Deadlines for the people who get in here to board, and for those who get out here to arrive. */
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
      // If passengers would arrive too early, the last road takes longer.
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

/** Drives by the quickest way, one road after another; null if there is no way, or it is closed. */
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
