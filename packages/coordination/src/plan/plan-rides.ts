import { judge } from '../judge/judge.js';
import type { Past } from '../judge/past.js';
import { costOfPlan, metresOfDrive } from '../model/cost.js';
import type { Action, CoordinationPlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { begunActions } from './begun.js';
import type { Effort } from './effort.js';
import { inOrder } from './next-actions.js';
import { directTours } from './rides/direct-tours.js';
import { type RestRoutes, restRoutes } from './rides/rest-routes.js';
import { networkOf, type RideNetwork } from './rides/ride-network.js';
import { type RideParts, ridePartsNow, withoutOverlaps, withoutSeats } from './rides/ride-parts.js';
import { searchRides } from './rides/ride-search.js';
import { routeOfTour } from './rides/tours.js';

/** Maximum number of rides for an exact search; beyond it the whole budget is for insertion. */
const MOST_EXACT = 12;
/** Iterations of insertion per ride before an exact search, if a plan is found. */
const ITERATIONS = 1000;
/** Factor by which the iterations may grow until a plan is found, if there is another attempt to make. */
const PATIENCE = 10;
/** Shares of the time between two rides of the same people that the first one gets, in the order of the attempts. */
const SHARES = [0.5, 0.8, 0.2];

/** The rides to plan, after the begun actions. */
interface RidesToPlan {
  readonly begun: readonly Action[];
  readonly parts: RideParts;
  /** The rest of the previous plan. */
  readonly rest: RestRoutes;
}

/** The rides of a problem to plan; null if the problem has more than rides, or nothing to plan. */
export function ridesToPlan(problem: Problem, past: Past | undefined): RidesToPlan | null {
  const { plan, now } = past ?? { plan: { actions: [] }, now: 0 };
  const begun = begunActions(problem, plan.actions, now);
  const parts = ridePartsNow(problem, begun, now);
  return parts && { begun, parts, rest: restRoutes(parts, plan.actions, now) };
}

/** A result of insertion: a plan that the judge accepts, or null, and a bound. */
export interface InsertedRides {
  readonly plan: CoordinationPlan | null;
  /** The least cost of plans without changes of vehicles; null if unknown, Infinity if there are none. */
  readonly direct: number | null;
  /** Number of iterations used. */
  readonly iterations: number;
}

/**
 * Plans rides by insertion. The first attempt keeps all passengers in their current vehicles. If it finds no plan, they
 * may get out, and people with two rides get more or less time for the first one. Each attempt has its part of the
 * budget, which is the whole one for many rides, else half of it. Null if there are no rides, or rides have company
 * rules.
 *
 * @param isKept whether it begins with the vehicles' current tours, rather than with the shortest known ones
 */
export function* planRides(
  rides: RidesToPlan,
  effort: Effort,
  past: Past | undefined,
  isKept: boolean,
): Generator<void, InsertedRides | null> {
  const { begun, parts, rest } = rides;
  const before = effort.iterations;
  const attempts = attemptsFor(rides, isKept);
  if (attempts.length === 0) return null;
  const most = isLarge(rides) ? 1 : 0.5;
  let direct: number | null = Number.POSITIVE_INFINITY;
  for (const [at, { net, isCut }] of attempts.entries()) {
    const shortest = directTours(net);
    const cost = shortest && costOfMetres(parts.problem, begun, shortest.metres);
    if (direct === Number.POSITIVE_INFINITY) direct = isCut ? null : cost;
    if (cost === Number.POSITIVE_INFINITY) continue;
    const own = startOf(net, rest);
    const starts = shortest === null ? [own] : isKept ? [own, shortest.stops] : [shortest.stops];
    for (const [n, start] of starts.entries()) {
      const left = attempts.length - at + (starts.length - 1 - n);
      const until = effort.share() + Math.max(0, most - effort.share()) / left;
      const search = { net, begun, start, least: cost, until, isLarge: isLarge(rides) };
      const plan = yield* planByInsertion(search, effort, past);
      if (plan !== null) return { plan, direct, iterations: effort.iterations - before };
    }
  }
  return { plan: null, direct, iterations: effort.iterations - before };
}

/** Whether there are too many rides for an exact search. */
export function isLarge({ parts }: RidesToPlan): boolean {
  return parts.rides.length > MOST_EXACT;
}

/** A network in which one attempt searches for a plan. */
interface Attempt {
  readonly net: RideNetwork;
  /** Whether windows of people with two rides are narrower than necessary. */
  readonly isCut: boolean;
}

function attemptsFor({ parts, rest }: RidesToPlan, isKept: boolean): Attempt[] {
  const free = withoutSeats(parts);
  const cuts = SHARES.map((share, i) =>
    withoutOverlaps(i === 0 ? parts : free, share, isKept && i === 0 ? rest.arrivals : []),
  );
  const tried =
    cuts[0] === parts
      ? [parts, free]
      : [cuts[0], withoutOverlaps(free, SHARES[0]), ...cuts.slice(1)];
  return [...new Set(tried)].flatMap((one) => {
    const net = networkOf(one);
    return net === null ? [] : { net, isCut: one !== parts && one !== free };
  });
}

/** The current tours of vehicles: each begins with the people inside. */
export function startOf(net: RideNetwork, { stops }: RestRoutes): number[][] {
  return stops.map((planned, v) => {
    const inside = planned.filter((stop) => stop % 2 === 1 && !planned.includes(stop - 1));
    return [2 * net.rides.length + v, ...inside.map((stop) => stop - 1), ...planned];
  });
}

function costOfMetres(problem: Problem, begun: readonly Action[], metres: number): number {
  const driven = begun.map((one) => (one.do === 'drive' ? metresOfDrive(problem, one) : 0));
  const all = driven.reduce((sum, one) => sum + one, metres);
  if (metres === Number.POSITIVE_INFINITY) return metres;
  return problem.objective.km === 0 ? 0 : (problem.objective.km * all) / 1000;
}

/** A search for tours in a network. */
interface TourSearch {
  readonly net: RideNetwork;
  readonly begun: readonly Action[];
  readonly start: readonly (readonly number[])[];
  /** The least possible cost; null if unknown. */
  readonly least: number | null;
  /** The share of the budget at which it ends if it has no plan by then. */
  readonly until: number;
  readonly isLarge: boolean;
}

/** A plan of rides by insertion; null if it finds none that the judge accepts. */
function* planByInsertion(
  { net, begun, start, least, until, isLarge }: TourSearch,
  effort: Effort,
  past: Past | undefined,
): Generator<void, CoordinationPlan | null> {
  const { problem, rides } = net;
  const { finish_minutes, idle_minutes } = problem.objective;
  const isByMetres = finish_minutes + idle_minutes + problem.preferences.length === 0;
  const began = effort.iterations;
  const begunAt = effort.share();
  let cost = Number.POSITIVE_INFINITY;
  const tours = yield* searchRides(net, {
    effort,
    start,
    share: () => {
      if (least !== null && cost <= least + 1e-9) return 1;
      const used = (effort.iterations - began) / (ITERATIONS * rides.length);
      if (cost === Number.POSITIVE_INFINITY && until < 1) {
        const share = (effort.share() - begunAt) / Math.max(1e-9, until - begunAt);
        return Math.min(1, Math.max(share, used / PATIENCE));
      }
      return isLarge ? effort.share() : Math.max(2 * effort.share(), used);
    },
    onBetter: (metres) => {
      cost = costOfMetres(problem, begun, metres);
      if (isByMetres) effort.improve(cost);
    },
  });
  if (tours === null) return null;
  const drives = tours.flatMap((tour) => routeOfTour(net, tour)?.drives ?? []);
  const plan = { problem: problem.name, actions: inOrder([...begun, ...drives]), claims: {} };
  if (!judge(problem, plan, past).valid) return null;
  if (!isByMetres) effort.improve(costOfPlan(problem, plan).total);
  return plan;
}
