import { once } from '@alas-jssp/core/once';
import { policyOf } from '../policy.js';
import type { Body, Node, Workflow } from '../workflow.js';
import { type Dominators, dominatorsOf } from './dominators.js';

/** A link from one node to another: an edge, or the route of an error. */
interface Route {
  readonly from: string;
  readonly to: string;
  readonly kind: 'sequence' | 'branch' | 'default' | 'catch';
  /** Index among the edges of the body; undefined for catch routes. */
  readonly index?: number;
}

/** The structure of one body. */
export interface Graph {
  /** The first node of each id. */
  readonly nodes: ReadonlyMap<string, Node>;
  readonly routes: readonly Route[];
  /** Nodes without predecessors: they run first. */
  readonly starts: readonly string[];
  /** The routes from a node, and those to it. */
  from(id: string): readonly Route[];
  to(id: string): readonly Route[];
  readonly dominators: () => Dominators;
}

/** The graph of a body, without edges and routes to unknown nodes. */
export function graphOf(workflow: Workflow, body: Body): Graph {
  const nodes = new Map<string, Node>();
  for (const node of body.nodes) if (!nodes.has(node.id)) nodes.set(node.id, node);
  const edges = body.edges.map(({ from, to, kind }, index): Route => ({ from, to, kind, index }));
  // A handler with the default policy does not catch its own errors.
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
  // A set may grow during iteration, which then visits the new nodes.
  for (const id of reached) for (const route of from(id)) if (isRoute(route)) reached.add(route.to);
  return reached;
}

/** Whether a walk back from a node, which stops at `isEnd`, reaches one of the wanted nodes. */
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

/** Whether a path leads from one node to another. */
export function isBefore(graph: Graph, earlier: string, later: string): boolean {
  if (earlier !== later && isPassed(graph, earlier, later)) return true;
  return comesFrom(graph, later, (id) => id === earlier);
}

/** Whether a node is reachable, and all paths to it lead through another. */
function isPassed({ dominators }: Graph, earlier: string, later: string): boolean {
  return dominators().isReached(later) && dominators().dominates(earlier, later);
}

/** The nodes of a cycle in order, the last before the first; undefined if there is none. */
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
 * Whether no two of some nodes ever run together: one node decides between them (a choice between
 * its edges, a task between its edges and its catch routes), and its routes to one are not its
 * routes to the other. The decider can only be the last node through which all paths to both lead:
 * for any earlier node, all paths to one lead to the other, too.
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
  // Nodes with a common route may be separated later on it, but not if all of them share it.
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

/** The routes out of a node, through which all paths to another lead, that reach the other. */
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

/** Whether at least one of some nodes has certainly run when another one does. */
export function isSureBefore(graph: Graph, earlier: readonly string[], later: string): boolean {
  const { dominates } = graph.dominators();
  if (earlier.some((id) => id !== later && dominates(id, later))) return true;
  const starts = new Set(graph.starts);
  const among = new Set(earlier);
  // No path to it avoids all of them.
  const isFree = ({ from }: Route) => !among.has(from);
  if (!starts.has(later) && !comesFrom(graph, later, (id) => starts.has(id), isFree)) return true;
  return earlier.some(
    (id) => id !== later && isBefore(graph, id, later) && runsWith(graph, id, later),
  );
}

/**
 * Whether a node always runs, or always runs after a node that has certainly run before another: no
 * choice or caught error on the path decides otherwise.
 */
function runsWith(graph: Graph, id: string, later: string): boolean {
  const { dominates } = graph.dominators();
  const starts = new Set(graph.starts);
  const isAnchor = (one: string) => starts.has(one) || dominates(one, later);
  const isSure = ({ from, kind }: Route) =>
    kind === 'sequence' && !graph.from(from).some((other) => other.kind === 'catch');
  return isAnchor(id) || comesFrom(graph, id, isAnchor, isSure);
}
