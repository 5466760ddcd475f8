import { waysOf } from '../ways.js';
import type { RideNetwork } from './ride-network.js';

/** Maximum number of rides for which the bound is computed. */
const MOST_RIDES = 10;
/** Maximum number of labels that are examined. */
const MOST_LABELS = 2_000_000;

/** The beginning of a tour: its time at the last stop, its distance, and its predecessor. */
interface Label {
  readonly stop: number;
  readonly time: number;
  readonly metres: number;
  readonly before: Label | null;
}

/** The shortest tours without changes of vehicles. */
export interface DirectTours {
  /** Lower bound of the metres of all tours together; Infinity if there are no such tours. */
  readonly metres: number;
  /** Stops of each vehicle. They may be infeasible if shorter ways are not the quickest, or traffic changes. */
  readonly stops: readonly (readonly number[])[];
}

/** The shortest tour of a vehicle for each set of rides, indexed by bit mask. */
type ToursOfSets = readonly (Label | undefined)[];

/**
 * The shortest tours without changes of vehicles and with the people of a ride together. Dynamic programming over
 * waiting, boarded and completed rides (Psaraftis 1980, doi:10.1287/trsc.14.2.130) finds the shortest tour of each
 * vehicle for each set of rides; then the cheapest partition of the rides among the vehicles is chosen.
 *
 * @returns null if unknown: there are many rides, or traffic is temporarily faster than usual
 */
export function directTours(net: RideNetwork): DirectTours | null {
  const all = net.rides.length;
  const isFaster = net.problem.traffic.some(({ factor }) => factor < 1);
  if (all > MOST_RIDES || isFaster) return null;
  const roads = leastRoads(net);
  const budget = { labels: MOST_LABELS };
  let least = new Float64Array(1 << all).fill(Number.POSITIVE_INFINITY);
  least[0] = 0;
  const shares: { readonly tours: ToursOfSets; readonly parts: Int32Array }[] = [];
  for (let v = 0; v < net.vehicles.length; v++) {
    const tours = shortestTours(net, roads, v, budget);
    if (tours === null) return null;
    const next = new Float64Array(1 << all).fill(Number.POSITIVE_INFINITY);
    const parts = new Int32Array(1 << all);
    for (let set = 0; set < next.length; set++) {
      for (let part = set; ; part = (part - 1) & set) {
        const metres = least[set & ~part] + (tours[part]?.metres ?? Number.POSITIVE_INFINITY);
        if (metres < next[set]) {
          next[set] = metres;
          parts[set] = part;
        }
        if (part === 0) break;
      }
    }
    shares.push({ tours, parts });
    least = next;
  }
  let left = (1 << all) - 1;
  const metres = least[left];
  const stops: number[][] = [];
  for (const { tours, parts } of shares.toReversed()) {
    const label = tours[parts[left]];
    stops.unshift(label === undefined ? [] : stopsOf(label));
    left &= ~parts[left];
  }
  return { metres, stops };
}

function stopsOf(last: Label): number[] {
  const stops: number[] = [];
  for (let at: Label | null = last; at !== null; at = at.before) stops.unshift(at.stop);
  return stops;
}

/** Lower bounds of minutes and metres between stops. */
interface LeastRoads {
  readonly minutes: Int32Array;
  readonly metres: Float64Array;
}

function leastRoads({ problem, rides, vehicles, stops, minutes }: RideNetwork): LeastRoads {
  const { leastMetres } = waysOf(problem);
  const places = [...rides.flatMap(({ from, to }) => [from, to]), ...vehicles.map(({ at }) => at)];
  const metres = new Float64Array(stops * stops);
  for (const [a, from] of places.entries()) {
    for (const [b, to] of places.entries()) metres[a * stops + b] = leastMetres(from, to);
  }
  return { minutes, metres };
}

/** The shortest tour of a vehicle for each set of rides; null if there are too many labels. */
function shortestTours(
  net: RideNetwork,
  { minutes, metres }: LeastRoads,
  vehicle: number,
  budget: { labels: number },
): ToursOfSets | null {
  const { rides, vehicles, stops: width, ready, due, size, until, mayTake } = net;
  const { range, seats } = vehicles[vehicle];
  const all = rides.length;
  const start = 2 * all + vehicle;
  const first: Label = { stop: start, time: ready[start], metres: 0, before: null };
  const best: (Label | undefined)[] = [first];
  /** Tours with equally many stops: labels by the sets of begun and completed rides, and the last stop. */
  let level = new Map<number, Label[]>([[keyOf(0, 0, start), [first]]]);
  function keyOf(begun: number, done: number, stop: number): number {
    return ((begun << all) | done) * width + stop;
  }
  while (level.size > 0) {
    const next = new Map<number, Label[]>();
    for (const [key, labels] of level) {
      const [stop, sets] = [key % width, Math.floor(key / width)];
      const [begun, done] = [sets >> all, sets & ((1 << all) - 1)];
      let load = 0;
      for (let r = 0; r < all; r++) if ((begun & ~done & (1 << r)) !== 0) load += size[r];
      for (let r = 0; r < all; r++) {
        const bit = 1 << r;
        if ((done & bit) !== 0 || mayTake[r * vehicles.length + vehicle] === 0) continue;
        const isPickup = (begun & bit) === 0;
        if (isPickup && load + size[r] > seats) continue;
        const to = 2 * r + (isPickup ? 0 : 1);
        const [nextBegun, nextDone] = [begun | bit, isPickup ? done : done | bit];
        const cell = stop * width + to;
        for (const label of labels) {
          const time = Math.max(label.time + minutes[cell], ready[to]);
          const driven = label.metres + metres[cell];
          if (time > due[to] || time > until[vehicle] || driven > range) continue;
          if (!isInTimeForAll(nextBegun & ~nextDone, to, time)) continue;
          const longer: Label = { stop: to, time, metres: driven, before: label };
          const isShortest = driven < (best[nextDone]?.metres ?? Number.POSITIVE_INFINITY);
          if (nextBegun === nextDone && isShortest) best[nextDone] = longer;
          if (!addLabel(next, keyOf(nextBegun, nextDone, to), longer)) continue;
          if (--budget.labels < 0) return null;
        }
      }
    }
    level = next;
  }
  return best;

  /** Whether all passengers aboard can still get out in time. */
  function isInTimeForAll(aboard: number, stop: number, time: number): boolean {
    for (let r = 0; r < all; r++) {
      if ((aboard & (1 << r)) === 0) continue;
      if (time + minutes[stop * width + 2 * r + 1] > due[2 * r + 1]) return false;
    }
    return true;
  }
}

/** Adds a label unless another one dominates it in time and distance; removes labels that it dominates. */
function addLabel(level: Map<number, Label[]>, key: number, label: Label): boolean {
  const labels = level.get(key) ?? [];
  if (labels.some((one) => one.time <= label.time && one.metres <= label.metres)) return false;
  level.set(key, [
    ...labels.filter((one) => one.time < label.time || one.metres < label.metres),
    label,
  ]);
  return true;
}
