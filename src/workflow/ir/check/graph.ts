import { once } from '../../../core/once.js';
import { policyOf } from '../policy.js';
import type { Body, Node, Workflow } from '../workflow.js';
import { type Dominators, dominatorsOf } from './dominators.js';

/** One way from a node to another: an edge, or where an error is routed. */
interface Route {
  readonly from: string;
  readonly to: string;
  readonly kind: 'sequence' | 'branch' | 'default' | 'catch';
  /** Place among the edges of the body; undefined for catch routes. */
  readonly index?: number;
}

/** How the nodes of one body hang together. */
export interface Graph {
  /** The first node of each id. */
  readonly nodes: ReadonlyMap<string, Node>;
  readonly routes: readonly Route[];
  /** Nodes that nothing leads to: they run first. */
  readonly starts: readonly string[];
  /** The routes from a node, and those to it. */
  from(id: string): readonly Route[];
  to(id: string): readonly Route[];
  readonly dominators: () => Dominators;
}

/** The graph of a body; edges and routes to nowhere are left out. */
export function graphOf(workflow: Workflow, body: Body): Graph {
  const nodes = new Map<string, Node>();
  for (const node of body.nodes) if (!nodes.has(node.id)) nodes.set(node.id, node);
  const edges = body.edges.map(({ from, to, kind }, index): Route => ({ from, to, kind, index }));
  // A handler that has the default policy does not catch its own errors.
  const caught = body.nodes.flatMap((node) =>
    (policyOf(workflow, node)?.catch ?? []).flatMap(({ handler }): Route[] =>
      handler === undefined ? [] : [{ from: node.id, to: handler, kind: 'catch' }],
    ),
  );
  const routes = [...edges, ...caught.filter(({ from, to }) => from !== to)].filter(
    ({ from, to }) => nodes.has(from) && nodes.has(to),
  );
  const leaving = new Map<string, Route[]>([...nodes.keys()].map((id) => [id, []]));
  const arriving = new Map<string, Route[]>([...nodes.keys()].map((id) => [id, []]));
  for (const route of routes) {
    leaving.get(route.from)?.push(route);
    arriving.get(route.to)?.push(route);
  }
  const from = (id: string) => leaving.get(id) ?? [];
  const to = (id: string) => arriving.get(id) ?? [];
  const starts = [...nodes.keys()].filter((id) => to(id).length === 0);
  const dominators = once(() =>
    dominatorsOf(
      starts,
      (id) => from(id).map((route) => route.to),
      (id) => to(id).map((route) => route.from),
    ),
  );
  return { nodes, routes, starts, from, to, dominators };
}

/** All nodes that can be reached from the starts along some routes. */
export function reachable(
  { starts, from }: Graph,
  isRoute: (route: Route) => boolean,
): ReadonlySet<string> {
  const reached = new Set(starts);
  // A set grows while it is walked, and the walk goes on to what is new.
  for (const id of reached) for (const route of from(id)) if (isRoute(route)) reached.add(route.to);
  return reached;
}

/** Whether a walk back from a node, which does not go beyond what `isEnd` says, comes to a node that is looked for. */
function comesFrom(
  graph: Graph,
  id: string,
  isFound: (id: string) => boolean,
  isRoute: (route: Route) => boolean = () => true,
): boolean {
  const met = new Set([id]);
  for (const one of met) {
    for (const route of graph.to(one)) {
      if (!isRoute(route)) continue;
      if (isFound(route.from)) return true;
      met.add(route.from);
    }
  }
  return false;
}

/** Whether a node comes before another on some way. */
export function isBefore(graph: Graph, earlier: string, later: string): boolean {
  if (earlier !== later && isPassed(graph, earlier, later)) return true;
  return comesFrom(graph, later, (id) => id === earlier);
}

/** Whether a node is reached at all, and every way to it passes another. */
function isPassed({ dominators }: Graph, earlier: string, later: string): boolean {
  return dominators().isReached(later) && dominators().dominates(earlier, later);
}

/** The nodes of some cycle in their order, the last before the first; undefined if there is none. */
export function findCycle({ nodes, from }: Graph): readonly string[] | undefined {
  const done = new Set<string>();
  for (const start of nodes.keys()) {
    const way = new Map<string, number>();
    const open = done.has(start) ? [] : [start];
    if (open.length > 0) way.set(start, 0);
    while (open.length > 0) {
      const id = open[open.length - 1];
      const at = way.get(id) as number;
      const next = from(id)[at]?.to;
      way.set(id, at + 1);
      if (next === undefined) {
        done.add(id);
        way.delete(id);
        open.pop();
      } else if (way.has(next)) return open.slice(open.indexOf(next));
      else if (!done.has(next)) {
        way.set(next, 0);
        open.push(next);
      }
    }
  }
  return undefined;
}

/**
 * Whether of some nodes never two run: some node decides (a choice between its edges, a task between its edges and
 * its catch routes), and its ways to the one are not its ways to the other. That can only be the last node through
 * which every way to both leads: from any before it all ways to the one lead to the other, too.
 */
export function areExclusive(graph: Graph, ids: readonly string[]): boolean {
  if (ids.length < 2) return true;
  const decider = graph.dominators().nearest(ids);
  if (decider === undefined || ids.includes(decider)) return false;
  const groups = new Map<Route | 'on', string[]>();
  for (const id of ids) {
    for (const way of waysTo(graph, decider, id)) {
      const group = groups.get(way);
      if (group === undefined) groups.set(way, [id]);
      else group.push(id);
    }
  }
  const shared = [...groups.values()].filter(({ length }) => length > 1);
  // Those that share a way may be told apart later on it, but not those that all of them share.
  if (ids.length === 2) return shared.length === 0;
  return shared.every((group) =>
    group.length < ids.length ? areExclusive(graph, group) : arePairsExclusive(graph, group),
  );
}

function arePairsExclusive(graph: Graph, ids: readonly string[]): boolean {
  return ids.every((one, i) =>
    ids.slice(i + 1).every((other) => areExclusive(graph, [one, other])),
  );
}

/** The ways from a node, through which all ways to another lead, on which that one is reached. */
function waysTo(graph: Graph, decider: string, id: string): ReadonlySet<Route | 'on'> {
  const choosing = graph.nodes.get(decider)?.type === 'choice';
  const ways = new Set<Route | 'on'>();
  const met = new Set([id]);
  for (const one of met) {
    for (const route of graph.to(one)) {
      if (route.from !== decider) met.add(route.from);
      else ways.add(choosing || route.kind === 'catch' ? route : 'on');
    }
  }
  return ways;
}

/** Whether at least one of some nodes is sure to have run when another one does. */
export function isSureBefore(graph: Graph, earlier: readonly string[], later: string): boolean {
  const { dominates } = graph.dominators();
  if (earlier.some((id) => id !== later && dominates(id, later))) return true;
  const starts = new Set(graph.starts);
  const among = new Set(earlier);
  // Past all of them no way leads to it.
  const isFree = ({ from }: Route) => !among.has(from);
  if (!starts.has(later) && !comesFrom(graph, later, (id) => starts.has(id), isFree)) return true;
  return earlier.some(
    (id) => id !== later && isBefore(graph, id, later) && runsWith(graph, id, later),
  );
}

/**
 * Whether a node runs in any case, or in any case after a node that itself is sure to have run before another:
 * choices and caught errors decide nothing on the way.
 */
function runsWith(graph: Graph, id: string, later: string): boolean {
  const { dominates } = graph.dominators();
  const starts = new Set(graph.starts);
  const isAnchor = (one: string) => starts.has(one) || dominates(one, later);
  const isSure = ({ from, kind }: Route) =>
    kind === 'sequence' && !graph.from(from).some((other) => other.kind === 'catch');
  return isAnchor(id) || comesFrom(graph, id, isAnchor, isSure);
}
