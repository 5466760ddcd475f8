import type { Random } from '@alas-jssp/core';
import type { RideNetwork } from './ride-network.js';
import { cheapestInsertion, createTour, type Insertion, type Tour, withRide } from './tours.js';

/** Tours of all vehicles, and the unserved rides. */
export interface TourPlan {
  readonly tours: readonly Tour[];
  readonly unserved: readonly number[];
  readonly metres: number;
}

/** Parameters of insertion. */
export interface InsertionRule {
  /**
   * Number of tours compared for each ride: 1 takes the best insertion; more compute the regret against the next best
   * tours.
   */
  readonly choices: number;
  /** Maximum random error of an insertion's metres. */
  readonly noise: number;
}

/** Inserts rides into tours, one after another. */
export type InsertRides = (
  tours: readonly Tour[],
  rides: readonly number[],
  rule: InsertionRule,
  random: Random,
) => TourPlan;

/** Cost without an alternative: more metres than any ride adds. */
const NO_CHOICE = 1e9;

/**
 * Regret insertion (Ropke and Pisinger 2006, doi:10.1287/trsc.1050.0135): of the waiting rides, the one with the
 * greatest regret is inserted into its best tour, where it adds the fewest metres. Rides that fit nowhere stay
 * unserved. Results for a ride and a tour are cached.
 */
export function createRideInsertion(net: RideNetwork): InsertRides {
  const fleet = net.vehicles.length;
  const cells = net.rides.length * fleet;
  const knownFor: (Tour | null)[] = new Array(cells).fill(null);
  const known: (Insertion | null)[] = new Array(cells).fill(null);
  const insertionOf = (ride: number, tour: Tour) => {
    const cell = ride * fleet + tour.vehicle;
    if (knownFor[cell] !== tour) {
      knownFor[cell] = tour;
      known[cell] = cheapestInsertion(net, tour, ride);
    }
    return known[cell];
  };

  return (before, rides, { choices, noise }, random) => {
    const tours = [...before];
    const waiting = [...rides];
    const unserved: number[] = [];
    const costs = new Float64Array(choices);
    /** The cheapest tour; its cost and those of the next best are in `costs`. */
    const look = (ride: number) => {
      let best = -1;
      costs.fill(NO_CHOICE);
      for (let v = 0; v < fleet; v++) {
        const found = insertionOf(ride, tours[v]);
        if (found === null) continue;
        const mistake = noise === 0 ? 0 : noise * (2 * random.next() - 1);
        const cost = Math.max(0, found.added + mistake);
        if (best < 0 || cost < costs[0]) best = v;
        let at = choices - 1;
        if (cost >= costs[at]) continue;
        for (; at > 0 && costs[at - 1] > cost; at--) costs[at] = costs[at - 1];
        costs[at] = cost;
      }
      return best;
    };
    while (waiting.length > 0) {
      let [chosen, chosenTour, most] = [-1, -1, Number.NEGATIVE_INFINITY];
      for (let w = waiting.length - 1; w >= 0; w--) {
        const tour = look(waiting[w]);
        if (tour < 0) {
          unserved.push(waiting[w]);
          waiting.splice(w, 1);
          if (chosen > w) chosen--;
          continue;
        }
        let regret = choices === 1 ? -costs[0] : 0;
        for (let c = 1; c < choices; c++) regret += costs[c] - costs[0];
        if (regret <= most) continue;
        [chosen, chosenTour, most] = [w, tour, regret];
      }
      if (chosen < 0) break;
      const [ride, tour] = [waiting[chosen], tours[chosenTour]];
      const cell = ride * fleet + chosenTour;
      const insertion = known[cell];
      if (insertion === null) break;
      const longer = createTour(net, chosenTour, withRide(tour, ride, insertion));
      if (longer === null) {
        // The drives break a rule that stops and times do not show, so the next best place is tried.
        known[cell] = cheapestInsertion(net, tour, ride, insertion);
        continue;
      }
      tours[chosenTour] = longer;
      waiting.splice(chosen, 1);
    }
    const metres = tours.reduce((sum, one) => sum + one.metres, 0);
    return { tours, unserved, metres };
  };
}
