import type { Random } from '@alas-jssp/core';
import type { TourPlan } from './insertion.js';
import { LATE, type RideNetwork } from './ride-network.js';

/** Selects rides to remove from their tours. */
export type RideRemoval = (plan: TourPlan, count: number, random: Random) => ReadonlySet<number>;

/** Exponent of the preference for the first rides of a list: greater values prefer them more. */
const GREED = { related: 6, worst: 3 };

/**
 * Three removals (Ropke and Pisinger 2006, sections 3.1.1 to 3.1.3): random; rides with similar places and times (Shaw
 * 1997); the rides that cost the most metres.
 */
export function createRemovals(net: RideNetwork): readonly RideRemoval[] {
  const near = relatedRides(net);
  const all = net.rides.length;
  const chosen = (random: Random, length: number, greed: number) =>
    Math.floor(random.next() ** greed * length);
  const removeRandom: RideRemoval = ({ unserved }, count, random) => {
    const removed = new Set(unserved);
    while (removed.size < Math.min(all, count + unserved.length)) {
      removed.add(random.integer(0, all - 1));
    }
    return removed;
  };
  const removeRelated: RideRemoval = ({ unserved }, count, random) => {
    const seeds = unserved.length > 0 ? [...unserved] : [random.integer(0, all - 1)];
    const removed = new Set(seeds);
    const size = Math.min(all, count + unserved.length);
    while (removed.size < size) {
      const rest = near[seeds[random.integer(0, seeds.length - 1)]].filter((r) => !removed.has(r));
      const next = rest[chosen(random, rest.length, GREED.related)];
      removed.add(next);
      seeds.push(next);
    }
    return removed;
  };
  const removeWorst: RideRemoval = (plan, count, random) => {
    const gains = gainsOf(net, plan);
    const removed = new Set(plan.unserved);
    const served = Array.from(gains.keys()).filter((ride) => !removed.has(ride));
    const rest = served.toSorted((a, b) => gains[b] - gains[a]);
    const size = Math.min(all, count + removed.size);
    while (removed.size < size) {
      const [next] = rest.splice(chosen(random, rest.length, GREED.worst), 1);
      removed.add(next);
    }
    return removed;
  };
  return [removeRandom, removeRelated, removeWorst];
}

/** The other rides of each ride, the most similar first. */
function relatedRides({ rides, stops, metres, ready, due, size }: RideNetwork): number[][] {
  const all = rides.map((_, r) => r);
  const finite = metres.filter(Number.isFinite);
  const far = Math.max(
    1,
    finite.reduce((most, one) => Math.max(most, one), 0),
  );
  const horizon = due.reduce((most, one) => (one < LATE ? Math.max(most, one) : most), 1);
  const time = (stop: number) => Math.min(horizon, ready[stop]) + Math.min(horizon, due[stop]);
  const apart = (a: number, b: number) =>
    9 * (Math.min(far, metres[a * stops + b]) / far) +
    (3 * Math.abs(time(a) - time(b))) / (2 * horizon);
  return all.map((r) => {
    const distance = all.map(
      (q) =>
        apart(2 * r, 2 * q) + apart(2 * r + 1, 2 * q + 1) + (2 * Math.abs(size[r] - size[q])) / 10,
    );
    return all.filter((q) => q !== r).toSorted((a, b) => distance[a] - distance[b]);
  });
}

/** Metres saved by removing each ride; −Infinity for unserved rides. */
function gainsOf({ rides, stops: width, metres }: RideNetwork, { tours }: TourPlan): Float64Array {
  const gains = new Float64Array(rides.length).fill(Number.NEGATIVE_INFINITY);
  for (const tour of tours) {
    for (const pickup of tour.stops.slice(1).filter((stop) => stop % 2 === 0)) {
      let rest = 0;
      let before = tour.stops[0];
      for (const stop of tour.stops.slice(1)) {
        if (stop >> 1 === pickup >> 1) continue;
        rest += metres[before * width + stop];
        before = stop;
      }
      gains[pickup >> 1] = tour.metres - rest;
    }
  }
  return gains;
}
