import type { Problem } from '../model/problem.js';

/** What places are passed through for. */
export interface Ways {
  /** Whether who is at `from` may be better off by way of `via` than by the road to `to`; false only if it is certain. */
  leadsTo(from: string, via: string, to: string): boolean;
}

const known = new WeakMap<Problem, Ways>();

/** The ways of a problem, which are worked out once. */
export function waysOf(problem: Problem): Ways {
  const ways = known.get(problem) ?? createWays(problem);
  known.set(problem, ways);
  return ways;
}

/**
 * Where traffic changes, or roads are missing, any place may be passed through. Else only those on a way that no
 * other beats in both metres and minutes.
 */
function createWays(problem: Problem): Ways {
  const { places, roads, traffic } = problem;
  const isComplete = [...places.keys()].every(
    (id) => (roads.get(id)?.size ?? 0) === places.size - 1,
  );
  if (!isComplete || traffic.length > 0) return { leadsTo: () => true };
  const nearest = shortestWays(problem, ({ metres, minutes }) => [metres, minutes]);
  const quickest = shortestWays(problem, ({ metres, minutes }) => [minutes, metres]);
  return {
    leadsTo: (from, via, to) => {
      const road = roads.get(from)?.get(via);
      const near = nearest.get(from)?.get(to);
      const quick = quickest.get(from)?.get(to);
      // From the middle of a road all is possible.
      if (road === undefined || near === undefined || quick === undefined) return true;
      const metres = road.metres + (nearest.get(via)?.get(to)?.[0] ?? 0);
      const minutes = road.minutes + (quickest.get(via)?.get(to)?.[0] ?? 0);
      const isOnBest = metres <= near[0] || minutes <= quick[0];
      return isOnBest || (metres < quick[1] && minutes < near[1]);
    },
  };
}

/** Two numbers of a way, of which the first counts, and of equal ones the second. */
type Length = readonly [number, number];

/** Shortest ways between all places (Floyd, doi:10.1145/367766.368168). */
function shortestWays(
  { places, roads }: Problem,
  lengthOf: (road: { readonly metres: number; readonly minutes: number }) => Length,
): Map<string, Map<string, Length>> {
  const ids = [...places.keys()];
  const ways = new Map(
    ids.map((from) => [
      from,
      new Map<string, Length>([
        [from, [0, 0]],
        ...Array.from(roads.get(from) ?? [], ([to, road]) => [to, lengthOf(road)] as const),
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
