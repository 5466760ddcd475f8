// @ts-check
// The ways between the nodes of a body and the values that go along them, read from the documents of
// workflows: the converters and the interpreter have no part in it.

/** @typedef {import('@alas-jssp/workflow').Workflow} Workflow */
/** @typedef {{ nodes: any[], edges: any[], output?: string | string[] }} Body */
/** @typedef {{ from: string, to: string, kind: 'sequence' | 'branch' | 'default' | 'catch', guard?: string, edge: any }} Link */

/**
 * The policy of a node.
 *
 * @param {Workflow} workflow
 * @param {any} node
 */
export function policyOf(workflow, node) {
  return workflow.policies[node.policyRef ?? workflow.defaultPolicy ?? ''] ?? {};
}

/**
 * The edges of a body, and the ways to handlers of failures, which count as edges.
 *
 * @param {Workflow} workflow
 * @param {Body} body
 * @returns {Link[]}
 */
export function linksOf(workflow, body) {
  /** @type {Link[]} */
  const links = body.edges.map((edge) => ({ ...edge, edge }));
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

/**
 * The nodes to which a way leads from a node, itself too.
 *
 * @param {readonly Link[]} links
 * @param {string} id
 */
function followersOf(links, id) {
  const seen = new Set([id]);
  for (const at of seen) for (const { from, to } of links) if (from === at) seen.add(to);
  return seen;
}

/**
 * The nodes from which a way leads to a node, itself too.
 *
 * @param {readonly Link[]} links
 * @param {string} id
 */
export function ancestorsOf(links, id) {
  const seen = new Set([id]);
  for (const at of seen) for (const { from, to } of links) if (to === at) seen.add(from);
  return seen;
}

/**
 * The nodes of a body, each after all from which a way leads to it.
 *
 * @param {Body} body
 * @param {readonly Link[]} links
 */
export function inOrder({ nodes }, links) {
  /** @type {any[]} */
  const order = [];
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

/**
 * @param {string | readonly string[]} reference
 * @param {unknown} input of the body
 * @param {ReadonlyMap<string, unknown>} outputs
 */
function resolve(reference, input, outputs) {
  for (const one of typeof reference === 'string' ? [reference] : reference) {
    const [root, ...keys] = one.split('.');
    /** @type {any} */
    let value = root === 'input' ? input : outputs.get(keys.shift() ?? '');
    for (const key of keys) value = childOf(value, key);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** @param {any} value @param {string} key */
function childOf(value, key) {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * The input of a node.
 *
 * @param {any} node
 * @param {readonly Link[]} taken ways into it
 * @param {unknown} input of the body
 * @param {ReadonlyMap<string, unknown>} outputs
 * @param {ReadonlyMap<string, unknown>} failures what handlers of failures are given, by node
 */
export function inputOf({ input: mapping }, taken, input, outputs, failures) {
  if (typeof mapping === 'string' || Array.isArray(mapping)) {
    return resolve(mapping, input, outputs) ?? null;
  }
  if (mapping !== undefined) {
    const parts = Object.entries(mapping).flatMap(([key, reference]) => {
      const value = resolve(/** @type {string} */ (reference), input, outputs);
      return value === undefined ? [] : [[key, value]];
    });
    return Object.fromEntries(parts);
  }
  const caught = taken.find(({ kind }) => kind === 'catch');
  if (caught !== undefined && caught === taken[0]) return failures.get(caught.from);
  const before = new Map(taken.map(({ from }) => [from, outputs.get(from) ?? null]));
  return before.size === 0 ? input : onlyOrAll(before);
}

/**
 * The output of a body.
 *
 * @param {Body} body
 * @param {unknown} input
 * @param {ReadonlyMap<string, unknown>} outputs
 */
export function outputOf({ nodes, edges, output }, input, outputs) {
  if (output !== undefined) return resolve(output, input, outputs) ?? null;
  const ends = nodes.filter(({ id }) => !edges.some(({ from }) => from === id));
  const last = new Map(ends.flatMap(({ id }) => (outputs.has(id) ? [[id, outputs.get(id)]] : [])));
  return last.size === 0 ? null : onlyOrAll(last);
}

/** @param {ReadonlyMap<string, unknown>} values */
function onlyOrAll(values) {
  return values.size === 1 ? [...values.values()][0] : Object.fromEntries(values);
}
