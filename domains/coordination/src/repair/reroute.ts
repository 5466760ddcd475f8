import { type Action, actionKey, type CoordinationPlan, type Drive } from '../model/plan.js';
import type { Problem, Ride, Vehicle } from '../model/problem.js';
import { doneBy, earliestArrival, formatRoadPoint } from '../model/travel.js';
import { inOrder } from '../plan/next-actions.js';
import { driveRoute, type Route, type Stop } from '../plan/rides/routes.js';

/** The way that a vehicle has before it: where and when it is free, who is aboard, and its stops. */
interface RestRoute {
  /** The vehicle as if it began where it is. */
  readonly vehicle: Vehicle;
  readonly aboard: readonly Ride[];
  readonly stops: readonly Stop[];
  /** Its drives as they are planned; other ones after they were changed. */
  readonly drives: readonly Drive[];
}

/**
 * Puts new rides into the ways of vehicles, and leaves out rides that are cancelled: each vehicle goes on by the stops
 * that it has, in their order. A new ride goes where it changes the fewest actions, and adds the fewest metres. Rides
 * of vehicles that go no farther, and of which nobody is aboard, go to others.
 *
 * @returns a plan that is yet to be judged; null if a ride fits nowhere, or there is more to plan than rides
 */
export function rerouteRides(
  problem: Problem,
  before: CoordinationPlan,
  now: number,
): CoordinationPlan | null {
  const riders = [...problem.rides.values()].flatMap(({ people }) => people);
  const vehicles = [...problem.vehicles.values()];
  const hasOnlyRides =
    problem.activities.size === 0 &&
    vehicles.every(({ drivers }) => drivers === null) &&
    new Set(riders).size === riders.length;
  if (!hasOnlyRides) return null;
  const actions = inOrder(before.actions.filter(({ do: kind }) => kind !== 'stay'));
  const rests = vehicles.map((vehicle) => restOf(problem, vehicle, actions, now));
  const served = new Set([
    ...rests.flatMap(({ stops, aboard }) => [...stops.map(({ ride }) => ride), ...aboard]),
    ...ridesBegun(problem, actions, now),
  ]);
  const waiting = [...problem.rides.values()].filter((ride) => !served.has(ride));
  const known = new Set(actions.map(actionKey));
  for (const ride of waiting) {
    const best = cheapestPlace(problem, rests, ride, known);
    if (best === null) return null;
    rests[best.at] = best.rest;
  }
  const begun = actions
    .filter(({ start }) => start < now)
    .map((action) => brokenOff(problem, action, now));
  const drives = rests.flatMap((rest) => rest.drives);
  return { problem: before.problem, actions: inOrder([...begun, ...drives]), claims: {} };
}

/** Drives that are new and take longer than they need leave later, as far as that is accepted. */
export function leaveLater(
  problem: Problem,
  plan: CoordinationPlan,
  before: CoordinationPlan,
  isAccepted: (plan: CoordinationPlan) => boolean,
): CoordinationPlan {
  const known = new Set(before.actions.map(actionKey));
  let made = plan;
  for (const action of plan.actions.toReversed()) {
    if (action.do !== 'drive' || known.has(actionKey(action))) continue;
    const { from, to, end } = action;
    const isInTime = (depart: number) =>
      (earliestArrival(problem, from, to, depart) ?? end + 1) <= end;
    let { start } = action;
    while (isInTime(start + 1)) start++;
    const actions = made.actions.map((one) => (one === action ? { ...action, start } : one));
    const later = { ...made, actions: inOrder(actions) };
    if (isAccepted(later)) made = later;
  }
  return made;
}

/** A drive that is under way, without passengers, of a vehicle that goes no farther: it ends where it is. */
function brokenOff(problem: Problem, action: Action, now: number): Action {
  if (action.do !== 'drive' || action.end <= now || action.with.length > 0) return action;
  const { vehicle, from, to, start } = action;
  const road = problem.roads.get(from)?.get(to);
  const goesOn = (problem.vehicles.get(vehicle)?.until ?? now) > now;
  if (goesOn || road === undefined) return action;
  const done = doneBy(problem, road, start, now);
  return { ...action, to: formatRoadPoint({ from, to, done }), end: now };
}

/** The rest of the way of a vehicle, without rides that there are no more. */
function restOf(
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
function ridesBegun({ rides }: Problem, actions: readonly Action[], now: number): Ride[] {
  const riders = new Set(
    actions.flatMap((one) => (one.do === 'drive' && one.start < now ? one.with : [])),
  );
  return [...rides.values()].filter(({ people }) => people.some((person) => riders.has(person)));
}

/** The place for a ride in one of the ways: with the fewest other actions than are known, then the fewest metres. */
function cheapestPlace(
  problem: Problem,
  rests: readonly RestRoute[],
  ride: Ride,
  known: ReadonlySet<string>,
): { readonly at: number; readonly rest: RestRoute } | null {
  let best: { at: number; rest: RestRoute; others: number; added: number } | null = null;
  for (const [at, rest] of rests.entries()) {
    const { vehicle, aboard, stops } = rest;
    const metresBefore = metresOf(problem, rest.drives);
    for (let i = 0; i <= stops.length; i++) {
      for (let k = i; k <= stops.length; k++) {
        const more = withStops(stops, ride, i, k);
        const route: Route | null = driveRoute(problem, vehicle, more, aboard);
        if (route === null) continue;
        const others = route.drives.filter((drive) => !known.has(actionKey(drive))).length;
        const added = route.metres - metresBefore;
        const isBetter =
          best === null || others < best.others || (others === best.others && added < best.added);
        if (isBetter)
          best = { at, rest: { ...rest, stops: more, drives: route.drives }, others, added };
      }
    }
  }
  return best;
}

function withStops(stops: readonly Stop[], ride: Ride, i: number, k: number): Stop[] {
  const pickup = { ride, isPickup: true };
  const dropOff = { ride, isPickup: false };
  return [...stops.slice(0, i), pickup, ...stops.slice(i, k), dropOff, ...stops.slice(k)];
}

function metresOf({ roads }: Problem, drives: readonly Drive[]): number {
  return drives.reduce((sum, { from, to }) => sum + (roads.get(from)?.get(to)?.metres ?? 0), 0);
}
