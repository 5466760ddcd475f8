import { createRandom, deriveSeed } from 'alas-jssp/core';
import type { Drive } from '../model/plan.js';
import type { Problem, Ride } from '../model/problem.js';
import { driveRoute, type Route } from './routes.js';

/** Rounds of ruin and recreate without a better plan, a ride. */
const PATIENCE = 30;
/** Rides that are taken out of their routes in a round, at most. */
const MOST_REMOVED = 8;

/** Routes, and the rides that none of them makes. */
interface RoutePlan {
  readonly routes: readonly Route[];
  readonly unserved: readonly Ride[];
}

/**
 * Plans rides by insertion with regret, and by ruin and recreate (after Ropke and Pisinger 2006,
 * doi:10.1287/trsc.1050.0135): some rides are taken out of their routes and put in again where they add the fewest
 * metres, those first that lose most by waiting; a plan that is no worse is kept.
 *
 * @returns the drives; null if no plan was found that serves everybody, or there is more to plan than rides
 */
export function insertRides(problem: Problem, isOver: () => boolean): Drive[] | null {
  if (!hasOnlyRides(problem)) return null;
  const random = createRandom(deriveSeed('insertion', problem.name));
  const rides = [...problem.rides.values()];
  const empty = [...problem.vehicles.values()].flatMap(
    (vehicle) => driveRoute(problem, vehicle, []) ?? [],
  );
  let best = recreate(problem, { routes: empty, unserved: rides }, () => 1);
  let idle = 0;
  while (idle < PATIENCE * rides.length && !isOver()) {
    const removed = new Set(best.unserved);
    const count = 1 + random.integer(0, Math.min(MOST_REMOVED, rides.length) - 1);
    for (let i = 0; i < count; i++) removed.add(rides[random.integer(0, rides.length - 1)]);
    const ruined = best.routes.map((route) => without(problem, route, removed));
    if (ruined.includes(null)) {
      idle++;
      continue;
    }
    const routes = ruined.filter((route) => route !== null);
    const next = recreate(
      problem,
      { routes, unserved: [...removed] },
      () => 0.7 + 0.6 * random.next(),
    );
    const gain = best.unserved.length - next.unserved.length || metresOf(best) - metresOf(next);
    idle = gain > 0 ? 0 : idle + 1;
    if (gain >= 0) best = next;
  }
  return best.unserved.length > 0 ? null : best.routes.flatMap(({ drives }) => drives);
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

const metresOf = ({ routes }: RoutePlan) => routes.reduce((sum, { metres }) => sum + metres, 0);

function without(problem: Problem, route: Route, removed: ReadonlySet<Ride>): Route | null {
  const stops = route.stops.filter(({ ride }) => !removed.has(ride));
  return stops.length === route.stops.length ? route : driveRoute(problem, route.vehicle, stops);
}

/** Puts rides into routes, those with the greatest regret first; what fits nowhere stays unserved. */
function recreate(
  problem: Problem,
  { routes, unserved }: RoutePlan,
  noise: () => number,
): RoutePlan {
  const now = [...routes];
  const waiting = new Map(
    unserved.map((ride) => [ride, now.map((route) => cheapestInsertion(problem, route, ride))]),
  );
  const left: Ride[] = [];
  while (waiting.size > 0) {
    let chosen: { ride: Ride; at: number; route: Route; regret: number } | null = null;
    for (const [ride, options] of waiting) {
      const priced = options.flatMap((route, at) =>
        route === null ? [] : [{ route, at, added: (route.metres - now[at].metres) * noise() }],
      );
      const [first, second] = priced.toSorted((a, b) => a.added - b.added);
      if (first === undefined) {
        left.push(ride);
        waiting.delete(ride);
        continue;
      }
      const regret = (second?.added ?? Number.POSITIVE_INFINITY) - first.added;
      if (chosen === null || regret > chosen.regret) chosen = { ...first, ride, regret };
    }
    if (chosen === null) break;
    const { ride, at, route } = chosen;
    now[at] = route;
    waiting.delete(ride);
    for (const [other, options] of waiting) options[at] = cheapestInsertion(problem, route, other);
  }
  return { routes: now, unserved: left };
}

/** The shortest route with one more ride; null if it does not fit. */
function cheapestInsertion(problem: Problem, { vehicle, stops }: Route, ride: Ride): Route | null {
  if (ride.vehicles !== null && !ride.vehicles.includes(vehicle.id)) return null;
  let best: Route | null = null;
  for (let i = 0; i <= stops.length; i++) {
    const before = [...stops.slice(0, i), { ride, isPickup: true }];
    if (driveRoute(problem, vehicle, before) === null) continue;
    for (let k = i; k <= stops.length; k++) {
      const tour = [...before, ...stops.slice(i, k), { ride, isPickup: false }, ...stops.slice(k)];
      const route = driveRoute(problem, vehicle, tour);
      if (route !== null && route.metres < (best?.metres ?? Number.POSITIVE_INFINITY)) best = route;
    }
  }
  return best;
}
