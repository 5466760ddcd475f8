import type { JsonPath } from '@alas-jssp/core/json-path';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import type { Node } from '../workflow.js';
import { error, type Finding, warning } from './finding.js';
import { isBefore } from './graph.js';
import { type BodyScope, haveSurelyRun, inputSchemaOf, referenceSchema } from './scope.js';

/** References name nodes that have run, and existing keys. */
export function checkReferences(scope: BodyScope): readonly Finding[] {
  const { body, path } = scope;
  const inputs = body.nodes.flatMap((node, i) => {
    const at = [...path, 'nodes', i];
    const own = inputsOf(node).flatMap(([keys, references]) =>
      checkReference(scope, references, [...at, 'input', ...keys], node.id),
    );
    if (node.type !== 'map' || node.items === undefined) return own;
    // `items` refers to the input of the node itself.
    const inside = { ...scope, input: inputSchemaOf(scope, node) };
    const [base] = node.items.split('.');
    if (base === 'input') return [...own, ...checkOne(inside, node.items, [...at, 'items'])];
    const hint = 'write input or input.KEY';
    return [...own, error('bad_reference', [...at, 'items'], 'items are in the input', hint)];
  });
  if (body.output === undefined) return inputs;
  return [...inputs, ...checkReference(scope, [body.output].flat(), [...path, 'output'])];
}

/** The references in the input of a node, and their places in it. */
function inputsOf({ input = {} }: Node): [keys: string[], references: string[]][] {
  if (typeof input === 'string' || Array.isArray(input)) return [[[], [input].flat()]];
  return Object.entries(input).map(([key, reference]) => [[key], [reference].flat()]);
}

function checkReference(
  scope: BodyScope,
  references: readonly string[],
  path: JsonPath,
  reader?: string,
): readonly Finding[] {
  const faults = references.flatMap((text) => checkOne(scope, text, path, reader));
  if (faults.length > 0) return faults;
  const ids = references.map((text) =>
    text.startsWith('outputs.') ? text.split('.')[1] : undefined,
  );
  if (ids.includes(undefined) || haveSurelyRun(scope, ids as string[], reader)) return [];
  const message = `${references.join(', ')} may be missing: the node need not have run`;
  return [warning('reference_may_miss', path, message, 'add an alternative, such as input')];
}

function checkOne(
  scope: BodyScope,
  text: string,
  path: JsonPath,
  reader?: string,
): readonly Finding[] {
  const { graph } = scope;
  const [base, id] = text.split('.');
  if (base !== 'input' && (base !== 'outputs' || id === undefined)) {
    const hint = 'write input, input.KEY, outputs.ID or outputs.ID.KEY';
    return [error('bad_reference', path, `${text} is not a reference`, hint)];
  }
  if (base === 'outputs') {
    if (!graph.nodes.has(id)) {
      const hint = suggestNames(id, [...graph.nodes.keys()]);
      return [error('unknown_reference', path, `there is no node ${id} in this body`, hint)];
    }
    if (reader !== undefined && !isBefore(graph, id, reader)) {
      const message = `${id} never runs before ${reader}`;
      return [error('reference_not_before', path, message, `add an edge from ${id} to ${reader}`)];
    }
  }
  if (referenceSchema(scope, text) !== false) return [];
  return [error('unknown_key', path, `${text} never exists`, 'name a key of the schema')];
}
