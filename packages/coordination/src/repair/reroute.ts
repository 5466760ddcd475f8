import { actionKey, type CoordinationPlan, type Drive } from '../model/plan.js';
import type { Problem, Ride, Vehicle } from '../model/problem.js';
import { earliestArrival } from '../model/travel.js';
import { type EffortOptions, startEffort } from '../plan/effort.js';
import { inOrder } from '../plan/next-actions.js';
import { ridesToPlan, startOf } from '../plan/plan-rides.js';
import type { RestRoutes } from '../plan/rides/rest-routes.js';
import { networkOf } from '../plan/rides/ride-network.js';
import { type RideParts, withoutOverlaps } from '../plan/rides/ride-parts.js';
import { searchRides } from '../plan/rides/ride-search.js';
import { driveRoute, type Route, type Stop } from '../plan/rides/routes.js';
import { routeOfTour } from '../plan/rides/tours.js';

/** Maximum iterations of ruin and recreate per ride, if a ride fits nowhere. */
const ITERATIONS = 1000;

/** The remaining route of a vehicle: its stops, and the drives to them. */
interface RestRoute {
  /** The vehicle as if it began at its current position. */
  readonly vehicle: Vehicle;
  readonly aboard: readonly Ride[];
  readonly stops: readonly Stop[];
  readonly drives: readonly Drive[];
}

/**
 * Inserts new rides into the routes of vehicles, and removes cancelled rides. Each vehicle keeps its stops in their
 * order. A new ride goes where it changes the fewest actions, then adds the fewest metres. Rides of vehicles out of
 * service whose people are not aboard move to others. If a ride fits nowhere, rides are exchanged between vehicles and
 * positions until all fit.
 *
 * @returns an unjudged plan; null if a ride fits nowhere, or the problem has more than rides
 */
export function rerouteRides(
  problem: Problem,
  before: CoordinationPlan,
  now: number,
  means: EffortOptions = {},
): CoordinationPlan | null {
  const rides = ridesToPlan(problem, { plan: before, now });
  if (rides === null) return null;
  const parts = withoutOverlaps(rides.parts, 0.5, rides.rest.arrivals);
  const rests = parts.vehicles.map((_, v) => routeNow(parts, rides.rest, v));
  const planned = new Set(rides.rest.stops.flat());
  const waiting = parts.rides.filter((_, r) => !planned.has(2 * r + 1));
  const known = new Set(before.actions.map(actionKey));
  let drives: readonly Drive[] | null = null;
  const routes = [...rests];
  const isPlaced = waiting.every((ride) => {
    const best = cheapestPlace(problem, routes, ride, known);
    if (best !== null) routes[best.at] = best.rest;
    return best !== null;
  });
  if (isPlaced) drives = routes.flatMap((rest) => rest.drives);
  else drives = exchangeRides(parts, rides.rest, rests, means);
  if (drives === null) return null;
  const actions = inOrder([...rides.begun, ...drives]);
  return { problem: before.problem, actions, claims: {} };
}

/** The planned route of a vehicle, with other drives if the planned ones are no longer possible. */
function routeNow(
  { problem, vehicles, rides, inside }: RideParts,
  rest: RestRoutes,
  v: number,
): RestRoute {
  const vehicle = vehicles[v];
  const aboard = rides.filter((_, r) => inside[r] === v);
  const stops = rest.stops[v].map((stop) => ({ ride: rides[stop >> 1], isPickup: stop % 2 === 0 }));
  const riders = new Set(rides.flatMap(({ people }) => people));
  const isPossible = rest.drives[v].every(
    ({ with: who, from, to, start, end }) =>
      who.every((person) => riders.has(person)) &&
      start >= vehicle.from &&
      (earliestArrival(problem, from, to, start) ?? Number.POSITIVE_INFINITY) <= end,
  );
  const planned = { vehicle, aboard, stops };
  if (isPossible) return { ...planned, drives: rest.drives[v] };
  const route = driveRoute(problem, vehicle, stops, aboard);
  return { ...planned, drives: route?.drives ?? onlyWith(rest.drives[v], riders) };
}

/** The same drives without passengers whose rides are cancelled, up to the last drive with a passenger. */
function onlyWith(drives: readonly Drive[], riders: ReadonlySet<string>): Drive[] {
  const emptier = drives.map((drive) => ({
    ...drive,
    with: drive.with.filter((person) => riders.has(person)),
  }));
  return emptier.slice(0, 1 + emptier.findLastIndex((drive) => drive.with.length > 0));
}

/** Drives that serve all rides, by tours as close to the current ones as possible; null if none were found. */
function exchangeRides(
  parts: RideParts,
  rest: RestRoutes,
  rests: readonly RestRoute[],
  means: EffortOptions,
): Drive[] | null {
  const net = networkOf(parts);
  if (net === null) return null;
  const start = startOf(net, rest);
  const effort = startEffort(means);
  const most = ITERATIONS * net.rides.length;
  const search = searchRides(net, {
    effort,
    start,
    isHasty: true,
    onBetter: () => {},
    share: () => Math.max(2 * effort.share(), effort.iterations / most),
  });
  for (;;) {
    const step = search.next();
    if (!step.done) continue;
    return (
      step.value?.flatMap((tour) => {
        const isSame = tour.stops.join() === start[tour.vehicle].join();
        const { drives } = isSame
          ? rests[tour.vehicle]
          : (routeOfTour(net, tour) ?? { drives: [] });
        return drives;
      }) ?? null
    );
  }
}

/** Delays new drives that take longer than necessary, as far as the result is accepted. */
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

/** The best position for a ride in the routes: with the fewest changed actions, then the fewest metres. */
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
