import type { Problem } from '../model/problem.js';

/** The ways between the places of a problem, by the usual times of its roads. */
export interface Ways {
  /** Whether who is at `from` may be better off by way of `via` than by the road to `to`; false only if it is certain. */
  leadsTo(from: string, via: string, to: string): boolean;
  /** Minutes of the quickest way; Infinity if there is none. */
  minutes(from: string, to: string): number;
  /** The places on the quickest way, without `from` and with `to`; empty if there is none. */
  quickest(from: string, to: string): readonly string[];
}

const known = new WeakMap<Problem, Ways>();

/** The ways of a problem, which are worked out once. */
export function waysOf(problem: Problem): Ways {
  const ways = known.get(problem) ?? createWays(problem);
  known.set(problem, ways);
  return ways;
}

function createWays(problem: Problem): Ways {
  const { roads } = problem;
  const quickest = shortestWays(problem, ({ metres, minutes }) => [minutes, metres]);
  const minutes = (from: string, to: string) =>
    quickest.get(from)?.get(to)?.[0] ?? Number.POSITIVE_INFINITY;
  const steps = new Map<string, readonly string[]>();
  return {
    leadsTo: passingThrough(problem, quickest),
    minutes,
    quickest: (from, to) => {
      const key = `${from}\n${to}`;
      let places = steps.get(key);
      if (places === undefined) {
        places = placesOnWay(roads, quickest, from, to);
        steps.set(key, places);
      }
      return places;
    },
  };
}

/**
 * Where traffic changes, or roads are missing, any place may be passed through. Else only those on a way that no
 * other beats in both metres and minutes.
 */
function passingThrough(problem: Problem, quickest: Table): Ways['leadsTo'] {
  const { places, roads, traffic } = problem;
  const isComplete = [...places.keys()].every(
    (id) => (roads.get(id)?.size ?? 0) === places.size - 1,
  );
  if (!isComplete || traffic.length > 0) return () => true;
  const nearest = shortestWays(problem, ({ metres, minutes }) => [metres, minutes]);
  return (from, via, to) => {
    const road = roads.get(from)?.get(via);
    const near = nearest.get(from)?.get(to);
    const quick = quickest.get(from)?.get(to);
    // From the middle of a road all is possible.
    if (road === undefined || near === undefined || quick === undefined) return true;
    const metres = road.metres + (nearest.get(via)?.get(to)?.[0] ?? 0);
    const minutes = road.minutes + (quickest.get(via)?.get(to)?.[0] ?? 0);
    const isOnBest = metres <= near[0] || minutes <= quick[0];
    return isOnBest || (metres < quick[1] && minutes < near[1]);
  };
}

function placesOnWay(
  roads: Problem['roads'],
  quickest: Table,
  from: string,
  to: string,
): readonly string[] {
  const places: string[] = [];
  for (let at = from; at !== to; ) {
    const [minutes, metres] = quickest.get(at)?.get(to) ?? [];
    const next = Array.from(roads.get(at)?.values() ?? []).find((road) => {
      const rest = quickest.get(road.to)?.get(to);
      const isOnWay = rest?.[0] === (minutes ?? 0) - road.minutes;
      return isOnWay && rest[1] === (metres ?? 0) - road.metres && !places.includes(road.to);
    });
    if (minutes === undefined || next === undefined) return [];
    places.push(next.to);
    at = next.to;
  }
  return places;
}

/** Two numbers of a way, of which the first counts, and of equal ones the second. */
type Length = readonly [number, number];
type Table = ReadonlyMap<string, ReadonlyMap<string, Length>>;

/** Shortest ways between all places (Floyd, doi:10.1145/367766.368168). */
function shortestWays(
  { places, roads }: Problem,
  lengthOf: (road: { readonly metres: number; readonly minutes: number }) => Length,
): Table {
  const ways = new Map(
    Array.from(places.keys(), (from) => [
      from,
      new Map<string, Length>([
        ...Array.from(roads.get(from) ?? [], ([to, road]) => [to, lengthOf(road)] as const),
        [from, [0, 0]],
      ]),
    ]),
  );
  for (const [via, onwards] of ways) {
    for (const row of ways.values()) {
      const first = row.get(via);
      if (first === undefined) continue;
      for (const [to, rest] of onwards) {
        const way: Length = [first[0] + rest[0], first[1] + rest[1]];
        const best = row.get(to);
        const isBetter =
          best === undefined || way[0] < best[0] || (way[0] === best[0] && way[1] < best[1]);
        if (isBetter) row.set(to, way);
      }
    }
  }
  return ways;
}
