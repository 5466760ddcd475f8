// The ways between the nodes of a body and the values that go along them, read from the documents of
// workflows: the converters and the interpreter have no part in it.

import type { Body, Edge, Node, Policy, Workflow } from '@alas-jssp/workflow';

export type Link = {
  from: string;
  to: string;
  kind: 'sequence' | 'branch' | 'default' | 'catch';
  guard?: string;
  edge: Edge | undefined;
};

/** The policy of a node. */
export function policyOf(workflow: Workflow, node: Node): Policy {
  return workflow.policies[node.policyRef ?? workflow.defaultPolicy ?? ''] ?? {};
}

/** The edges of a body, and the ways to handlers of failures, which count as edges. */
export function linksOf(workflow: Workflow, body: Body): Link[] {
  const links: Link[] = body.edges.map(({ from, to, kind, guard }, k) => ({
    ...{ from, to, kind, edge: body.edges[k] },
    ...(guard !== undefined && { guard }),
  }));
  for (const node of body.nodes) {
    for (const { handler } of policyOf(workflow, node).catch ?? []) {
      if (handler === undefined || handler === node.id) continue;
      const known = links.some((one) => {
        return one.kind === 'catch' && one.from === node.id && one.to === handler;
      });
      if (known || followersOf(links, handler).has(node.id)) continue;
      links.push({ from: node.id, to: handler, kind: 'catch', edge: undefined });
    }
  }
  return links;
}

/** The nodes to which a way leads from a node, itself too. */
function followersOf(links: readonly Link[], id: string) {
  const seen = new Set([id]);
  for (const at of seen) for (const { from, to } of links) if (from === at) seen.add(to);
  return seen;
}

/** The nodes from which a way leads to a node, itself too. */
export function ancestorsOf(links: readonly Link[], id: string) {
  const seen = new Set([id]);
  for (const at of seen) for (const { from, to } of links) if (to === at) seen.add(from);
  return seen;
}

/** The nodes of a body, each after all from which a way leads to it. */
export function inOrder({ nodes }: Body, links: readonly Link[]) {
  const order: Node[] = [];
  const left = [...nodes];
  while (left.length > 0) {
    const next = left.findIndex((node) => {
      return links.every(({ from, to }) => to !== node.id || !left.some(({ id }) => id === from));
    });
    if (next < 0) throw new Error('the nodes form a cycle');
    order.push(...left.splice(next, 1));
  }
  return order;
}

/** @param input of the body */
function resolve(
  reference: string | readonly string[],
  input: unknown,
  outputs: ReadonlyMap<string, unknown>,
) {
  for (const one of typeof reference === 'string' ? [reference] : reference) {
    const [root, ...keys] = one.split('.');

    let value: unknown = root === 'input' ? input : outputs.get(keys.shift() ?? '');
    for (const key of keys) value = childOf(value, key);
    if (value !== undefined) return value;
  }
  return undefined;
}

function childOf(value: unknown, key: string) {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/**
 * The input of a node.
 *
 * @param taken ways into it
 * @param input of the body
 * @param failures what handlers of failures are given, by node
 */
export function inputOf(
  { input: mapping }: Node,
  taken: readonly Link[],
  input: unknown,
  outputs: ReadonlyMap<string, unknown>,
  failures: ReadonlyMap<string, unknown>,
) {
  if (typeof mapping === 'string' || Array.isArray(mapping)) {
    return resolve(mapping, input, outputs) ?? null;
  }
  if (mapping !== undefined) {
    const parts = Object.entries(mapping).flatMap(([key, reference]) => {
      const value = resolve(reference, input, outputs);
      return value === undefined ? [] : [[key, value]];
    });
    return Object.fromEntries(parts);
  }
  const caught = taken.find(({ kind }) => kind === 'catch');
  if (caught !== undefined && caught === taken[0]) return failures.get(caught.from);
  const before = new Map(taken.map(({ from }) => [from, outputs.get(from) ?? null]));
  return before.size === 0 ? input : onlyOrAll(before);
}

/** The output of a body. */
export function outputOf(
  { nodes, edges, output }: Body,
  input: unknown,
  outputs: ReadonlyMap<string, unknown>,
) {
  if (output !== undefined) return resolve(output, input, outputs) ?? null;
  const ends = nodes.filter(({ id }) => !edges.some(({ from }) => from === id));
  const last = new Map(ends.flatMap(({ id }) => (outputs.has(id) ? [[id, outputs.get(id)]] : [])));
  return last.size === 0 ? null : onlyOrAll(last);
}

function onlyOrAll(values: ReadonlyMap<string, unknown>) {
  return values.size === 1 ? [...values.values()][0] : Object.fromEntries(values);
}
