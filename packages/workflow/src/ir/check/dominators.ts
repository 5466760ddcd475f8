/** The nodes of a graph through which all paths to a node lead. */
export interface Dominators {
  /**
   * Whether every path from the starts to `later` leads through `earlier`; true for unreachable
   * nodes.
   */
  dominates(earlier: string, later: string): boolean;
  /** The last node through which all paths to each of these lead; undefined if there is none. */
  nearest(ids: readonly string[]): string | undefined;
  isReached(id: string): boolean;
  /** The nodes reachable from the starts in topological order, except for cycles. */
  readonly order: readonly string[];
}

type Neighbours = (id: string) => readonly string[];

/** A virtual node before all starts. */
const ROOT = 0;

/**
 * The dominators of a graph, after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"
 * (2001): one pass over an acyclic graph. Not recursive: graphs may be chains of any length.
 */
export function dominatorsOf(
  starts: readonly string[],
  after: Neighbours,
  before: Neighbours,
): Dominators {
  const order = orderOf(starts, after);
  const numbers = new Map(order.map((id, i) => [id, i + 1]));
  const parents = parentsOf(order, numbers, new Set(starts), before);
  const [opened, closed] = intervalsOf(parents);
  const numberOf = (id: string) => numbers.get(id);
  return {
    order,
    isReached: (id) => numbers.has(id),
    dominates(earlier, later) {
      const one = numberOf(earlier);
      const other = numberOf(later);
      if (other === undefined) return true;
      if (one === undefined) return false;
      return opened[one] <= opened[other] && closed[other] <= closed[one];
    },
    nearest(ids) {
      const known = ids.map(numberOf).filter((one) => one !== undefined);
      if (known.length === 0) return undefined;
      const common = known.reduce((one, other) => meet(parents, one, other));
      return common === ROOT ? undefined : order[common - 1];
    },
  };
}

/** The reverse postorder of a depth-first search. */
function orderOf(starts: readonly string[], after: Neighbours): string[] {
  const seen = new Set<string>();
  const left: string[] = [];
  for (const start of starts) {
    const open = seen.has(start) ? [] : [{ id: start, next: after(start), at: 0 }];
    seen.add(start);
    while (open.length > 0) {
      const top = open[open.length - 1];
      const id = top.next[top.at++];
      if (id === undefined) left.push((open.pop() as typeof top).id);
      else if (!seen.has(id)) {
        seen.add(id);
        open.push({ id, next: after(id), at: 0 });
      }
    }
  }
  return left.reverse();
}

/** The parent of each node in the dominator tree, by number. */
function parentsOf(
  order: readonly string[],
  numbers: ReadonlyMap<string, number>,
  starts: ReadonlySet<string>,
  before: Neighbours,
): Int32Array {
  const parents = new Int32Array(order.length + 1).fill(-1);
  parents[ROOT] = ROOT;
  for (let changed = true; changed; ) {
    changed = false;
    for (const [i, id] of order.entries()) {
      let parent = starts.has(id) ? ROOT : -1;
      for (const one of before(id)) {
        const number = numbers.get(one) ?? -1;
        if (number < 0 || parents[number] < 0) continue;
        parent = parent < 0 ? number : meet(parents, parent, number);
      }
      changed ||= parents[i + 1] !== parent && parents[i + 1] >= 0;
      parents[i + 1] = parent;
    }
  }
  return parents;
}

/** The nearest common ancestor: parents have lower numbers. */
function meet(parents: Int32Array, one: number, other: number): number {
  let a = one;
  let b = other;
  while (a !== b) {
    if (a > b) a = parents[a];
    else b = parents[b];
  }
  return a;
}

/**
 * When a walk over the tree enters and leaves each node: descendants are entered and left in
 * between.
 */
function intervalsOf(parents: Int32Array): [opened: Int32Array, closed: Int32Array] {
  const size = parents.length;
  const below = new Int32Array(size).fill(1);
  for (let i = size - 1; i > 0; i--) below[parents[i]] += below[i];
  const opened = new Int32Array(size);
  const closed = new Int32Array(size);
  const free = new Int32Array(size);
  closed[ROOT] = size;
  free[ROOT] = 1;
  for (let i = 1; i < size; i++) {
    opened[i] = free[parents[i]];
    free[parents[i]] += below[i];
    closed[i] = opened[i] + below[i];
    free[i] = opened[i] + 1;
  }
  return [opened, closed];
}
