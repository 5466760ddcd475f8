/** A flow of whole units along an arc. */
export interface FlowArc {
  readonly from: string;
  readonly to: string;
  readonly capacity: number;
  /** The price of a unit, a whole number, so that sums are exact. */
  readonly price: number;
}

/** Units on each arc, in the order of the arcs. */
export interface CheapestFlow {
  readonly units: readonly number[];
  readonly total: number;
  readonly price: number;
}

interface Edge {
  readonly from: number;
  readonly to: number;
  left: number;
  readonly price: number;
}

/**
 * The cheapest flow of as many units as possible from `source` to `sink`, or of the cheapest amount: successive shortest
 * ways by Bellman and Ford. Whole capacities give whole units. The network has no cycle of negative price.
 *
 * @param isFree whether the amount may be less than possible, if that is cheaper
 */
export function cheapestFlow(
  arcs: readonly FlowArc[],
  source: string,
  sink: string,
  isFree = false,
): CheapestFlow {
  const names = [...new Set(arcs.flatMap(({ from, to }) => [from, to]))];
  const number = new Map(names.map((name, at) => [name, at]));
  const at = (name: string) => number.get(name) ?? -1;
  // Each arc, then its reverse.
  const edges = arcs.flatMap(({ from, to, capacity, price }): Edge[] => [
    { from: at(from), to: at(to), left: capacity, price },
    { from: at(to), to: at(from), left: 0, price: -price },
  ]);
  let total = 0;
  let price = 0;
  for (;;) {
    const way = cheapestWay(edges, names.length, at(source), at(sink));
    if (way === null || (isFree && way.price >= 0)) break;
    const units = Math.min(...way.edges.map((edge) => edges[edge].left));
    for (const edge of way.edges) {
      edges[edge].left -= units;
      edges[edge ^ 1].left += units;
    }
    total += units;
    price += units * way.price;
  }
  return { units: arcs.map((_, arc) => edges[2 * arc + 1].left), total, price };
}

/** The cheapest way with capacity left; null if there is none. */
function cheapestWay(edges: readonly Edge[], nodes: number, source: number, sink: number) {
  const best = new Float64Array(nodes).fill(Number.POSITIVE_INFINITY);
  const by = new Int32Array(nodes).fill(-1);
  if (source < 0 || sink < 0) return null;
  best[source] = 0;
  for (let round = 0; round < nodes; round++) {
    let hasChanged = false;
    for (const [edge, { from, to, left, price }] of edges.entries()) {
      if (left <= 0 || best[from] + price >= best[to]) continue;
      best[to] = best[from] + price;
      by[to] = edge;
      hasChanged = true;
    }
    if (!hasChanged) break;
  }
  if (!Number.isFinite(best[sink])) return null;
  const way: number[] = [];
  for (let node = sink; node !== source; node = edges[by[node]].from) way.push(by[node]);
  return { edges: way, price: best[sink] };
}
