import { createRandom, deriveSeed } from '@alas-jssp/core';
import type { Effort } from '../effort.js';
import { createRideInsertion, type InsertionRule, type TourPlan } from './insertion.js';
import { createRemovals } from './removal.js';
import type { RideNetwork } from './ride-network.js';
import { createTour, type Tour } from './tours.js';

/** Number of rides removed in an iteration: at most this share of all, between `few` and `many`. */
const REMOVED = { part: 0.25, few: 10, many: 25 };
/** Numbers of choices for the regret insertion; each iteration uses one of them. */
const CHOICES = [1, 2, 3, 4];
/** The noise of every other iteration, as a share of the longest way. */
const NOISE = 0.025;
/**
 * Share by which a plan may be longer to be accepted with probability 0.5 at first; `end` scales that share at the end.
 */
const WARMTH = { few: 0.05, many: 0.01, end: 0.002 };
/** Minimum number of rides that count as many. Fewer rides leave enough iterations to accept bad plans at first. */
const MANY = 40;

/** Limits and callbacks of a search for rides. */
interface RideSearch {
  readonly effort: Effort;
  /** Progress of the search from 0 to 1, at which it ends. */
  readonly share: () => number;
  /** The initial stops of each vehicle. Default: none. */
  readonly start?: readonly (readonly number[])[];
  /** Whether the search ends with the first plan that serves all rides. */
  readonly isHasty?: boolean;
  /** Receives the metres of each better plan that serves all rides. */
  readonly onBetter: (metres: number) => void;
}

/**
 * Large neighbourhood search with simulated annealing (Ropke and Pisinger 2006, doi:10.1287/trsc.1050.0135): each
 * iteration removes some rides from their tours and reinserts them. A longer plan is accepted with a probability that falls with
 * its length and with time. The search yields between iterations.
 *
 * @returns the tours of the shortest plan; null if none serves all rides
 */
export function* searchRides(
  net: RideNetwork,
  { effort, share, start, isHasty = false, onBetter }: RideSearch,
): Generator<void, readonly Tour[] | null> {
  const random = createRandom(deriveSeed('rides', net.problem.name, effort.seed));
  const insert = createRideInsertion(net);
  const removals = createRemovals(net);
  const longest = net.metres.reduce(
    (most, one) => (Number.isFinite(one) ? Math.max(most, one) : most),
    0,
  );
  const begun = begin(net, start);
  const all = net.rides.map((_, r) => r);
  const waiting = all.filter((r) => begun.every(({ stops }) => !stops.includes(2 * r + 1)));
  const first = insert(begun, waiting, { choices: 2, noise: 0 }, random);
  const part = Math.min(REMOVED.many, Math.ceil(REMOVED.part * all.length));
  const most = Math.min(all.length, Math.max(REMOVED.few, part));
  const warmest = ((all.length < MANY ? WARMTH.few : WARMTH.many) * first.metres) / Math.LN2;
  let [now, best] = [first, first];
  if (best.unserved.length === 0) onBetter(best.metres);
  while (share() < 1 && !effort.isOver() && !(isHasty && best.unserved.length === 0)) {
    yield;
    effort.count();
    const warmth = warmest * WARMTH.end ** share();
    const remove = removals[random.integer(0, removals.length - 1)];
    const removed = remove(now, random.integer(1, most), random);
    const left = withoutRides(net, now.tours, removed);
    if (left === null) continue;
    const rule: InsertionRule = {
      choices: CHOICES[random.integer(0, CHOICES.length - 1)],
      noise: random.next() < 0.5 ? 0 : NOISE * longest,
    };
    const next = insert(left, [...removed], rule, random);
    const more = next.unserved.length - now.unserved.length;
    const limit = now.metres - warmth * Math.log(1 - random.next());
    if (more < 0 || (more === 0 && next.metres < limit)) now = next;
    if (!isShorter(now, best)) continue;
    best = now;
    if (best.unserved.length === 0) onBetter(best.metres);
  }
  return best.unserved.length > 0 ? null : best.tours;
}

/** The tours of all vehicles from their initial stops, as far as these are feasible. */
function begin(net: RideNetwork, start: RideSearch['start']): Tour[] {
  return net.vehicles.map((_, v) => {
    const bare = [2 * net.rides.length + v];
    const given = start?.[v] ?? bare;
    // A repeated stop comes from a passenger who rides back and forth, which no tour expresses.
    const isTour = new Set(given).size === given.length;
    const tour = (isTour ? createTour(net, v, given) : null) ?? createTour(net, v, bare);
    if (tour === null) throw new RangeError(`vehicle ${v} cannot even stay where it is`);
    return tour;
  });
}

/** Whether a plan serves more rides than another, or as many with fewer metres. */
function isShorter(one: TourPlan, other: TourPlan): boolean {
  const more = one.unserved.length - other.unserved.length;
  return more < 0 || (more === 0 && one.metres < other.metres - 1e-6);
}

/** The tours without some rides; null if one of them becomes infeasible. */
function withoutRides(
  net: RideNetwork,
  tours: readonly Tour[],
  removed: ReadonlySet<number>,
): Tour[] | null {
  const left = tours.map((tour) => {
    const stops = tour.stops.filter((stop, at) => at === 0 || !removed.has(stop >> 1));
    return stops.length === tour.stops.length ? tour : createTour(net, tour.vehicle, stops);
  });
  const possible = left.filter((tour) => tour !== null);
  return possible.length === left.length ? possible : null;
}
