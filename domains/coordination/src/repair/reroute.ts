import { type Action, actionKey, type CoordinationPlan, type Drive } from '../model/plan.js';
import type { Problem, Ride } from '../model/problem.js';
import { doneBy, earliestArrival, formatRoadPoint } from '../model/travel.js';
import { type EffortOptions, startEffort } from '../plan/effort.js';
import { inOrder } from '../plan/next-actions.js';
import { type RestRoute, restOf, ridesBegun } from '../plan/rides/rest-routes.js';
import { rideNetworkNow } from '../plan/rides/ride-network.js';
import { searchRides } from '../plan/rides/ride-search.js';
import { driveRoute, type Route, type Stop } from '../plan/rides/routes.js';
import { routeOfTour } from '../plan/rides/tours.js';

/** Rounds of ruin and recreate a ride, at most, where a ride fits nowhere. */
const ROUNDS = 1000;

/**
 * Puts new rides into the ways of vehicles, and leaves out rides that are cancelled: each vehicle goes on by the stops
 * that it has, in their order. A new ride goes where it changes the fewest actions, and adds the fewest metres. Rides
 * of vehicles that go no farther, and of which nobody is aboard, go to others. Where one fits nowhere, rides change
 * vehicles and places, until there is room for all.
 *
 * @returns a plan that is yet to be judged; null if a ride fits nowhere, or there is more to plan than rides
 */
export function rerouteRides(
  problem: Problem,
  before: CoordinationPlan,
  now: number,
  means: EffortOptions = {},
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
  let drives: readonly Drive[] | null = null;
  const routes = [...rests];
  const isPlaced = waiting.every((ride) => {
    const best = cheapestPlace(problem, routes, ride, known);
    if (best !== null) routes[best.at] = best.rest;
    return best !== null;
  });
  if (isPlaced) drives = routes.flatMap((rest) => rest.drives);
  else drives = exchangeRides(problem, actions, rests, now, means);
  if (drives === null) return null;
  const begun = actions
    .filter(({ start }) => start < now)
    .map((action) => brokenOff(problem, action, now));
  return { problem: before.problem, actions: inOrder([...begun, ...drives]), claims: {} };
}

/** Drives that serve all rides, by tours that change as much as it takes from those there are; null if none were found. */
function exchangeRides(
  problem: Problem,
  actions: readonly Action[],
  rests: readonly RestRoute[],
  now: number,
  means: EffortOptions,
): Drive[] | null {
  const rides = rideNetworkNow(problem, actions, now);
  if (rides === null) return null;
  const { net, stops } = rides;
  const effort = startEffort(means);
  const most = ROUNDS * net.rides.length;
  const search = searchRides(net, {
    ...{ effort, start: stops, isHasty: true, onBetter: () => {} },
    share: () => Math.max(2 * effort.share(), effort.iterations / most),
  });
  for (;;) {
    const step = search.next();
    if (!step.done) continue;
    return (
      step.value?.flatMap((tour) => {
        const isSame = tour.stops.join() === stops[tour.vehicle].join();
        const { drives } = isSame
          ? rests[tour.vehicle]
          : (routeOfTour(net, tour) ?? { drives: [] });
        return drives;
      }) ?? null
    );
  }
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
