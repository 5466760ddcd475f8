import type { Template } from '../template/template.js';

/** The nodes that follow each node directly: along edges and, if a node fails, to its handlers. */
function successorsOf({ nodes, edges }: Template): ReadonlyMap<string, readonly string[]> {
  const after = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { from, to } of edges) after.get(from)?.push(to);
  for (const { id, details } of nodes) {
    for (const { to } of details.catch ?? []) if (to !== undefined) after.get(id)?.push(to);
  }
  return after;
}

/** Whether a path from the start of the template leads to a node without any of the others. */
export function isReachedWithout(
  template: Template,
  target: string,
  others: ReadonlySet<string>,
): boolean {
  const after = successorsOf(template);
  const entered = new Set([...after.values()].flat());
  const waiting = template.nodes.map(({ id }) => id).filter((id) => !entered.has(id));
  const seen = new Set<string>();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id) || others.has(id)) continue;
    if (id === target) return true;
    seen.add(id);
    waiting.push(...(after.get(id) ?? []));
  }
  return false;
}

/** Nodes that may run after a node on some path, without the node itself. */
export function nodesAfter(template: Template, id: string): ReadonlySet<string> {
  const after = successorsOf(template);
  const seen = new Set<string>();
  const waiting = [...(after.get(id) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    waiting.push(...(after.get(next) ?? []));
  }
  return seen;
}
