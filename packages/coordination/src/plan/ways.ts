import type { Problem } from '../model/problem.js';

/** The quickest and shortest ways between the places of a problem, at the usual times of its roads. */
export interface Ways {
  /**
   * Whether a way from `from` by `via` may be better than the direct road to `to`; false only if it is certainly not.
   */
  leadsTo(from: string, via: string, to: string): boolean;
  /** Minutes of the quickest way; Infinity if there is none. */
  minutes(from: string, to: string): number;
  /** Metres of the quickest way, and of the shortest among equally quick ones; Infinity if there is none. */
  metres(from: string, to: string): number;
  /** Metres of the shortest way, regardless of time; Infinity if there is none. */
  leastMetres(from: string, to: string): number;
  /** The places on the quickest way, without `from` and with `to`; empty if there is none. */
  quickest(from: string, to: string): readonly string[];
}

const known = new WeakMap<Problem, Ways>();

/** The ways of a problem, computed once. */
export function waysOf(problem: Problem): Ways {
  const ways = known.get(problem) ?? createWays(problem);
  known.set(problem, ways);
  return ways;
}

function createWays(problem: Problem): Ways {
  const ids = [...problem.places.keys()];
  const index = new Map(ids.map((id, i) => [id, i]));
  const cellOf = (from: string, to: string) =>
    (index.get(from) ?? Number.NaN) * ids.length + (index.get(to) ?? Number.NaN);
  const quick = shortestWays(problem, index, ({ metres, minutes }) => [minutes, metres]);
  let short: Table | null = null;
  const steps = new Map<string, readonly string[]>();
  let leadsTo: Ways['leadsTo'] | null = null;
  return {
    leadsTo: (from, via, to) => {
      leadsTo ??= passingThrough(problem, quick, index);
      return leadsTo(from, via, to);
    },
    minutes: (from, to) => quick.first[cellOf(from, to)] ?? Number.POSITIVE_INFINITY,
    metres: (from, to) => quick.second[cellOf(from, to)] ?? Number.POSITIVE_INFINITY,
    leastMetres: (from, to) => {
      short ??= shortestWays(problem, index, ({ metres, minutes }) => [metres, minutes]);
      return short.first[cellOf(from, to)] ?? Number.POSITIVE_INFINITY;
    },
    quickest: (from, to) => {
      const key = `${from}\n${to}`;
      let places = steps.get(key);
      if (places === undefined) {
        places = Number.isFinite(quick.first[cellOf(from, to)])
          ? placesOnWay(quick, ids, index.get(from) ?? 0, index.get(to) ?? 0)
          : [];
        steps.set(key, places);
      }
      return places;
    },
  };
}

function placesOnWay({ next }: Table, ids: readonly string[], from: number, to: number): string[] {
  const places: string[] = [];
  for (let at = from; at !== to; ) {
    at = next[at * ids.length + to];
    places.push(ids[at]);
  }
  return places;
}

/**
 * With traffic changes or missing roads, any place may be an intermediate stop; else only places on a way that no other
 * dominates in metres and minutes.
 */
function passingThrough(
  problem: Problem,
  quick: Table,
  index: ReadonlyMap<string, number>,
): Ways['leadsTo'] {
  const { places, roads, traffic } = problem;
  const isComplete = [...places.keys()].every(
    (id) => (roads.get(id)?.size ?? 0) === places.size - 1,
  );
  if (!isComplete || traffic.length > 0) return () => true;
  const near = shortestWays(problem, index, ({ metres, minutes }) => [metres, minutes]);
  return (from, via, to) => {
    const road = roads.get(from)?.get(via);
    const [a, b, c] = [index.get(from), index.get(via), index.get(to)];
    // A vehicle in the middle of a road has no restriction.
    if (road === undefined || a === undefined || b === undefined || c === undefined) return true;
    const [way, rest] = [a * places.size + c, b * places.size + c];
    const metres = road.metres + near.first[rest];
    const minutes = road.minutes + quick.first[rest];
    const isOnBest = metres <= near.first[way] || minutes <= quick.first[way];
    return isOnBest || (metres < quick.second[way] && minutes < near.second[way]);
  };
}

/**
 * The best ways between all pairs of places, row by row. Ways are compared by two numbers, lexicographically; both are
 * Infinity if there is no way.
 */
interface Table {
  readonly first: Float64Array;
  readonly second: Float64Array;
  /** The place after the first road. */
  readonly next: Int32Array;
}

/** Shortest ways between all places (Floyd, doi:10.1145/367766.368168). */
function shortestWays(
  { roads }: Problem,
  index: ReadonlyMap<string, number>,
  lengthOf: (road: { readonly metres: number; readonly minutes: number }) => [number, number],
): Table {
  const size = index.size;
  const first = new Float64Array(size * size).fill(Number.POSITIVE_INFINITY);
  const second = new Float64Array(size * size).fill(Number.POSITIVE_INFINITY);
  const next = new Int32Array(size * size);
  const put = (cell: number, [one, other]: [number, number], to: number) => {
    first[cell] = one;
    second[cell] = other;
    next[cell] = to;
  };
  for (const [from, row] of roads) {
    for (const [to, road] of row) {
      const [a, b] = [index.get(from) ?? 0, index.get(to) ?? 0];
      put(a * size + b, lengthOf(road), b);
    }
  }
  for (let at = 0; at < size; at++) put(at * size + at, [0, 0], at);
  for (let via = 0; via < size; via++) {
    for (let from = 0; from < size; from++) {
      const half = from * size + via;
      if (first[half] === Number.POSITIVE_INFINITY) continue;
      for (let to = 0; to < size; to++) {
        const [cell, rest] = [from * size + to, via * size + to];
        const one = first[half] + first[rest];
        if (one > first[cell]) continue;
        const other = second[half] + second[rest];
        if (one < first[cell] || other < second[cell]) put(cell, [one, other], next[half]);
      }
    }
  }
  return { first, second, next };
}
