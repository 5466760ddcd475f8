import { policyOf } from '../policy.js';
import type { Body, Node, Workflow } from '../workflow.js';

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
  const led = new Set(routes.map(({ to }) => to));
  return { nodes, routes, starts: [...nodes.keys()].filter((id) => !led.has(id)) };
}

/** All nodes that can be reached from some, these included, without passing through others. */
export function reachable(
  { routes }: Pick<Graph, 'routes'>,
  from: Iterable<string>,
  without: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const reached = new Set([...from].filter((id) => !without.has(id)));
  // A set grows while it is walked, and the walk goes on to what is new.
  for (const id of reached) {
    for (const route of routes)
      if (route.from === id && !without.has(route.to)) reached.add(route.to);
  }
  return reached;
}

/** Whether a node comes before another on some way. */
export function isBefore(graph: Graph, earlier: string, later: string): boolean {
  const next = graph.routes.filter(({ from }) => from === earlier).map(({ to }) => to);
  return reachable(graph, next).has(later);
}

/** A cycle, each node before the next and the last before the first; undefined if there is none. */
export function findCycle({ nodes, routes }: Graph): readonly string[] | undefined {
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (id: string): readonly string[] | undefined => {
    if (way.includes(id)) return way.slice(way.indexOf(id));
    if (done.has(id)) return undefined;
    way.push(id);
    for (const route of routes) {
      const cycle = route.from === id ? visit(route.to) : undefined;
      if (cycle !== undefined) return cycle;
    }
    way.pop();
    done.add(id);
    return undefined;
  };
  for (const id of nodes.keys()) {
    const cycle = visit(id);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/**
 * Whether two nodes never run both: some node decides (a choice between its edges, a task between
 * its edges and its catch routes), and its ways to the one are not its ways to the other.
 */
export function areExclusive(graph: Graph, one: string, other: string): boolean {
  return [...graph.nodes.keys()].some((id) => {
    const rest = reachable(graph, graph.starts, new Set([id]));
    if (rest.has(one) || rest.has(other)) return false;
    const ways = graph.routes.filter(({ from }) => from === id);
    const choosing = graph.nodes.get(id)?.type === 'choice';
    const leads = (to: string) =>
      new Set(
        ways
          .filter((way) => reachable(graph, [way.to]).has(to))
          .map((way) => (choosing || way.kind === 'catch' ? way : 'on')),
      );
    const first = leads(one);
    const second = leads(other);
    return first.size > 0 && second.size > 0 && ![...first].some((way) => second.has(way));
  });
}

/** Whether a node is sure to have run when another one does. */
export function isSureBefore(graph: Graph, earlier: string, later: string): boolean {
  if (!isBefore(graph, earlier, later)) return false;
  if (!reachable(graph, graph.starts, new Set([earlier])).has(later)) return true;
  // Sure is what runs in any case, or in any case after a node that itself is sure to have run.
  const anchors = [...graph.nodes.keys()].filter(
    (id) => !reachable(graph, graph.starts, new Set([id])).has(later),
  );
  return followers(graph, [...graph.starts, ...anchors]).has(earlier);
}

/**
 * The nodes that run in any case if some nodes run: choices and caught errors decide nothing on the
 * way.
 */
function followers(graph: Graph, from: readonly string[]): ReadonlySet<string> {
  const caught = new Set(
    graph.routes.filter(({ kind }) => kind === 'catch').map((way) => way.from),
  );
  const routes = graph.routes.filter(
    ({ from: id, kind }) => kind === 'sequence' && !caught.has(id),
  );
  return reachable({ routes }, from);
}
