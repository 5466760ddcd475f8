import type { Problem, Ride, Vehicle } from '../../model/problem.js';
import { waysOf } from '../ways.js';
import { type RideParts, ridePartsNow, withoutOverlaps } from './ride-parts.js';

/**
 * Rides and vehicles as numbers. Stop `2r` picks up the people of ride `r`, at stop `2r + 1` they arrive, and vehicle
 * `v` begins at stop `2 · rides + v`. Times are minutes.
 */
export interface RideNetwork {
  readonly problem: Problem;
  readonly rides: readonly Ride[];
  readonly vehicles: readonly Vehicle[];
  readonly stops: number;
  /** Minutes and metres of the quickest way from stop to stop, row by row. */
  readonly minutes: Int32Array;
  readonly metres: Float64Array;
  /** Window of each stop: of the departure at pick-ups, of the arrival at destinations. */
  readonly ready: Int32Array;
  readonly due: Int32Array;
  /**
   * The vehicle that the people of a ride are already in, −1 if they wait. Their pick-up is at the vehicle's start, at
   * once.
   */
  readonly inside: Int32Array;
  /** Number of people of each ride. */
  readonly size: Int32Array;
  /** Latest arrival of each vehicle at its last stop. */
  readonly until: Int32Array;
  /** Whether vehicle `v` may serve ride `r`, at `r · vehicles + v`. */
  readonly mayTake: Uint8Array;
  /**
   * Whether checking times and windows of stops suffices: no traffic, and no waiting on roads to arrive at others'
   * stops.
   */
  readonly isPlain: boolean;
}

/** Minutes between unconnected stops. */
const NO_WAY = 1e8;
/** Later than any time: the due time of a stop without a deadline. */
export const LATE = 5e7;

/** The network of a problem of rides; null if the problem has more than rides. */
export function createRideNetwork(problem: Problem): RideNetwork | null {
  const parts = ridePartsNow(problem, [], 0);
  return parts && networkOf(withoutOverlaps(parts, 0.5));
}

/** The network of parts of rides; null if rides have company rules. */
export function networkOf(parts: RideParts): RideNetwork | null {
  const { problem, vehicles, rides } = parts;
  const hasCompany = [...problem.rides.values()].some(
    ({ together, apart }) => together.length + apart.length > 0,
  );
  if (hasCompany || rides.length === 0) return null;
  const inside = Int32Array.from(parts.inside);
  const places = [...rides.flatMap(({ from, to }) => [from, to]), ...vehicles.map(({ at }) => at)];
  const stops = places.length;
  const ways = waysOf(problem);
  const minutes = new Int32Array(stops * stops);
  const metres = new Float64Array(stops * stops);
  for (const [a, from] of places.entries()) {
    for (const [b, to] of places.entries()) {
      minutes[a * stops + b] = Math.min(NO_WAY, ways.minutes(from, to));
      metres[a * stops + b] = ways.metres(from, to);
    }
  }
  const ready = new Int32Array(stops);
  const due = new Int32Array(stops).fill(LATE);
  for (const [v, { from }] of vehicles.entries()) ready[2 * rides.length + v] = Math.max(0, from);
  for (const [r, { people, pickup, arrive }] of rides.entries()) {
    const who = people.map((person) => problem.people.get(person));
    const [start, end] = [2 * r, 2 * r + 1];
    const takes = minutes[start * stops + end];
    const isInside = inside[r] >= 0;
    const begin = isInside ? ready[2 * rides.length + inside[r]] : pickup.earliest;
    ready[start] = Math.max(0, begin, ...who.map((one) => one?.from ?? 0));
    ready[end] = Math.max(ready[start] + takes, arrive.earliest);
    due[end] = Math.min(LATE, arrive.latest, ...who.map((one) => one?.until ?? LATE));
    due[start] = isInside ? ready[start] : Math.min(pickup.latest, due[end] - takes);
  }
  const mayTake = rides.flatMap(({ vehicles: some, people }, r) =>
    vehicles.map(({ id, seats }, v) =>
      inside[r] < 0 ? people.length <= seats && (some?.includes(id) ?? true) : inside[r] === v,
    ),
  );
  return {
    problem,
    rides,
    vehicles,
    stops,
    minutes,
    metres,
    ready,
    due,
    inside,
    isPlain: isPlain(problem, rides),
    size: Int32Array.from(rides, ({ people }) => people.length),
    until: Int32Array.from(vehicles, ({ until }) => Math.min(LATE, until)),
    mayTake: Uint8Array.from(mayTake, Number),
  };
}

function isPlain({ traffic }: Problem, rides: readonly Ride[]): boolean {
  const places = new Set(rides.flatMap(({ from, to }) => [from, to]));
  const mayWait = rides.some(({ arrive }) => arrive.earliest > Number.NEGATIVE_INFINITY);
  return traffic.length === 0 && (!mayWait || places.size === 2 * rides.length);
}
