import type { Action, Drive } from '../../model/plan.js';
import type { Problem, Ride, Vehicle } from '../../model/problem.js';
import { driveRoute, type Stop } from './routes.js';

/** The way that a vehicle has before it: where and when it is free, who is aboard, and its stops. */
export interface RestRoute {
  /** The vehicle as if it began where it is. */
  readonly vehicle: Vehicle;
  readonly aboard: readonly Ride[];
  readonly stops: readonly Stop[];
  /** Its drives as they are planned; other ones after they were changed. */
  readonly drives: readonly Drive[];
}

/** The rest of the way of a vehicle, without rides that there are no more. */
export function restOf(
  problem: Problem,
  vehicle: Vehicle,
  actions: readonly Action[],
  now: number,
): RestRoute {
  const own = actions.filter(
    (one): one is Drive => one.do === 'drive' && one.vehicle === vehicle.id,
  );
  const begun = own.filter(({ start }) => start < now);
  const drives = own.filter(({ start }) => start >= now);
  const last = begun.at(-1);
  const rideOf = new Map(
    [...problem.rides.values()].flatMap((ride) => ride.people.map((who) => [who, ride])),
  );
  const ridesIn = (who: readonly string[]) =>
    new Set(who.flatMap((person) => rideOf.get(person) ?? []));
  const inLast = last === undefined ? [] : [...ridesIn(last.with)];
  const aboard = inLast.filter((ride) => ride.to !== last?.to);
  const stops: Stop[] = [];
  let inside = new Set(aboard);
  for (const drive of drives) {
    const next = ridesIn(drive.with);
    for (const ride of inside) if (!next.has(ride)) stops.push({ ride, isPickup: false });
    for (const ride of next) if (!inside.has(ride)) stops.push({ ride, isPickup: true });
    inside = next;
  }
  for (const ride of inside) stops.push({ ride, isPickup: false });
  const metres = begun.reduce(
    (sum, { from, to }) => sum + (problem.roads.get(from)?.get(to)?.metres ?? 0),
    0,
  );
  const from = Math.max(now, vehicle.from, last?.end ?? 0);
  const there: Vehicle = {
    ...{ ...vehicle, at: last?.to ?? vehicle.at, from },
    range: vehicle.range - metres,
  };
  const goesNoFarther = vehicle.until <= now && aboard.length === 0;
  if (goesNoFarther) return { vehicle: there, aboard, stops: [], drives: [] };
  const hasGone = drives.some((drive) => drive.with.some((person) => !rideOf.has(person)));
  if (!hasGone) return { vehicle: there, aboard, stops, drives };
  const route = driveRoute(problem, there, stops, aboard);
  return { vehicle: there, aboard, stops, drives: route?.drives ?? withoutThem(drives, rideOf) };
}

/** The same drives without people who have no ride any more, up to the last with anybody aboard. */
function withoutThem(drives: readonly Drive[], rideOf: ReadonlyMap<string, Ride>): Drive[] {
  const emptier = drives.map((drive) => ({
    ...drive,
    with: drive.with.filter((person) => rideOf.has(person)),
  }));
  return emptier.slice(0, 1 + emptier.findLastIndex((drive) => drive.with.length > 0));
}

/** Rides of which somebody has been picked up by now. */
export function ridesBegun({ rides }: Problem, actions: readonly Action[], now: number): Ride[] {
  const riders = new Set(
    actions.flatMap((one) => (one.do === 'drive' && one.start < now ? one.with : [])),
  );
  return [...rides.values()].filter(({ people }) => people.some((person) => riders.has(person)));
}
