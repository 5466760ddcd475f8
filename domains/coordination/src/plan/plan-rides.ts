import { judge } from '../judge/judge.js';
import type { Past } from '../judge/past.js';
import { costOfPlan, metresOfDrive } from '../model/cost.js';
import type { Action, CoordinationPlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import type { Effort } from './effort.js';
import { inOrder } from './next-actions.js';
import { type DirectTours, directTours } from './rides/direct-tours.js';
import { createRideNetwork, type RideNetworkNow, rideNetworkNow } from './rides/ride-network.js';
import { searchRides } from './rides/ride-search.js';
import { routeOfTour } from './rides/tours.js';
import { begunActions } from './state.js';

/** Rides beyond which an exact search has no chance: the whole budget is for insertion then. */
export const MOST_EXACT = 12;
/** Rounds of insertion a ride before an exact search. */
const ROUNDS = 1000;

/** The rides that are to be planned, with what is begun already. */
interface RidesToPlan extends RideNetworkNow {
  readonly begun: readonly Action[];
  readonly shortest: DirectTours | null;
  /** The least cost of plans in which nobody changes vehicles or turns on a road; null if it is not known, Infinity if there are none. */
  readonly direct: number | null;
}

/** The rides of a problem that are to be planned; null if there is more to plan. */
export function ridesToPlan(problem: Problem, past: Past | undefined): RidesToPlan | null {
  const begun = past === undefined ? [] : begunActions(problem, past.plan.actions, past.now);
  const rides = past === undefined ? allRides(problem) : ridesLeft(problem, begun, past);
  if (rides === null) return null;
  const shortest = directTours(rides.net);
  const direct = shortest === null ? null : costOfMetres(problem, begun, shortest.metres);
  return { ...rides, begun, shortest, direct };
}

function allRides(problem: Problem): RideNetworkNow | null {
  const net = createRideNetwork(problem);
  return net && { net, stops: [] };
}

function ridesLeft(
  problem: Problem,
  begun: readonly Action[],
  { plan, now }: Past,
): RideNetworkNow | null {
  const rest = plan.actions.filter(({ start, do: kind }) => start >= now && kind !== 'stay');
  return rideNetworkNow(problem, inOrder([...begun, ...rest]), now);
}

function costOfMetres(problem: Problem, begun: readonly Action[], metres: number): number {
  const driven = begun.map((one) => (one.do === 'drive' ? metresOfDrive(problem, one) : 0));
  const all = driven.reduce((sum, one) => sum + one, metres);
  return problem.objective.km === 0 ? 0 : (problem.objective.km * all) / 1000;
}

/**
 * A plan of rides by insertion; null if none was found that the judge accepts.
 *
 * @param isKept whether it begins with the tours that vehicles have, rather than with the shortest that are known
 */
export function* planRides(
  rides: RidesToPlan,
  effort: Effort,
  past: Past | undefined,
  isKept: boolean,
): Generator<void, CoordinationPlan | null> {
  const { shortest, direct, stops } = rides;
  const known = shortest !== null && direct !== Number.POSITIVE_INFINITY ? [shortest.stops] : [];
  for (const start of isKept || known.length === 0 ? [stops, ...known] : known) {
    const plan = yield* planByInsertion(rides, start, effort, past);
    if (plan !== null) return plan;
  }
  return null;
}

/** A plan of rides by insertion; null if none was found that the judge accepts. */
function* planByInsertion(
  { net, begun, direct }: RidesToPlan,
  stops: RidesToPlan['stops'],
  effort: Effort,
  past: Past | undefined,
): Generator<void, CoordinationPlan | null> {
  const { problem, rides } = net;
  const { finish_minutes, idle_minutes } = problem.objective;
  const isByMetres = finish_minutes + idle_minutes + problem.preferences.length === 0;
  const isLarge = rides.length > MOST_EXACT;
  let cost = Number.POSITIVE_INFINITY;
  const isBest = () => direct !== null && cost <= direct + 1e-9;
  const tours = yield* searchRides(net, {
    effort,
    start: stops,
    share: () => {
      if (isBest()) return 1;
      if (isLarge) return effort.share();
      return Math.max(2 * effort.share(), effort.iterations / (ROUNDS * rides.length));
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
