import type { Problem, Ride, Vehicle } from '../../model/problem.js';
import { waysOf } from '../ways.js';

/**
 * Rides and vehicles as numbers. Stop `2r` picks up the people of ride `r`, stop `2r + 1` is where they arrive, and
 * stop `2 · rides + v` is where vehicle `v` begins. Times are minutes.
 */
export interface RideNetwork {
  readonly problem: Problem;
  readonly rides: readonly Ride[];
  readonly vehicles: readonly Vehicle[];
  readonly stops: number;
  /** Minutes and metres of the quickest way from stop to stop, row by row. */
  readonly minutes: Int32Array;
  readonly metres: Float64Array;
  /** Window of each stop: of leaving where people get in, of arriving where they get out. */
  readonly ready: Int32Array;
  readonly due: Int32Array;
  /** People of each ride. */
  readonly size: Int32Array;
  /** Minute at which each vehicle has to be where it stays. */
  readonly until: Int32Array;
  /** Whether vehicle `v` may take ride `r`, at `r · vehicles + v`. */
  readonly mayTake: Uint8Array;
  /** Whether times and windows of stops are all there is to check: no traffic, no place that is passed through or stopped at twice. */
  readonly isPlain: boolean;
}

/** Minutes of a way that there is not. */
const NO_WAY = 1e8;
/** Later than anything: the due time of a stop that has none. */
export const LATE = 5e7;

/** The network of a problem of rides; null if there is more to plan than rides. */
export function createRideNetwork(problem: Problem): RideNetwork | null {
  if (!hasOnlyRides(problem)) return null;
  const rides = [...problem.rides.values()];
  const vehicles = [...problem.vehicles.values()];
  const places = [...rides.flatMap(({ from, to }) => [from, to]), ...vehicles.map(({ at }) => at)];
  const stops = places.length;
  const ways = waysOf(problem);
  const minutes = new Int32Array(stops * stops);
  const metres = new Float64Array(stops * stops);
  let isPlain =
    problem.traffic.length === 0 &&
    new Set(places.slice(0, 2 * rides.length)).size === 2 * rides.length;
  for (const [a, from] of places.entries()) {
    for (const [b, to] of places.entries()) {
      minutes[a * stops + b] = Math.min(NO_WAY, ways.minutes(from, to));
      metres[a * stops + b] = ways.metres(from, to);
      if (isPlain && ways.quickest(from, to).length > 1) isPlain = false;
    }
  }
  const ready = new Int32Array(stops);
  const due = new Int32Array(stops).fill(LATE);
  for (const [r, { people, pickup, arrive }] of rides.entries()) {
    const who = people.map((person) => problem.people.get(person));
    const [start, end] = [2 * r, 2 * r + 1];
    const takes = minutes[start * stops + end];
    ready[start] = Math.max(0, pickup.earliest, ...who.map((one) => one?.from ?? 0));
    ready[end] = Math.max(ready[start] + takes, arrive.earliest);
    due[end] = Math.min(LATE, arrive.latest, ...who.map((one) => one?.until ?? LATE));
    due[start] = Math.min(pickup.latest, due[end] - takes);
  }
  for (const [v, { from }] of vehicles.entries()) ready[2 * rides.length + v] = Math.max(0, from);
  const mayTake = rides.flatMap(({ vehicles: some, people }) =>
    vehicles.map(({ id, seats }) => people.length <= seats && (some?.includes(id) ?? true)),
  );
  return {
    ...{ problem, rides, vehicles, stops, minutes, metres, ready, due, isPlain },
    size: Int32Array.from(rides, ({ people }) => people.length),
    until: Int32Array.from(vehicles, ({ until }) => Math.min(LATE, until)),
    mayTake: Uint8Array.from(mayTake, Number),
  };
}

/** Whether a problem is of rides by vehicles with drivers of their own, and everybody rides once, from where they are. */
function hasOnlyRides({ activities, rides, vehicles, people }: Problem): boolean {
  const riders = [...rides.values()].flatMap((ride) => ride.people);
  return (
    rides.size > 0 &&
    activities.size === 0 &&
    [...vehicles.values()].every(({ drivers, after }) => drivers === null && after.length === 0) &&
    [...rides.values()].every(
      ({ from, to, people: who, together, apart }) =>
        from !== to &&
        together.length + apart.length === 0 &&
        who.every((person) => people.get(person)?.at === from),
    ) &&
    new Set(riders).size === riders.length
  );
}
