import type { JsonPath } from '@alas-jssp/core/json-path';
import { alternatives, defaultOf, itemSchemaOf, propertyOf } from '../json-types.js';
import type { Body, JsonSchema, MapNode, Node, ParallelNode, Workflow } from '../workflow.js';
import { areExclusive, type Graph, graphOf, isSureBefore } from './graph.js';

/** One body of a workflow and its context for the rules. */
export interface BodyScope {
  readonly workflow: Workflow;
  readonly body: Body;
  /** Its place in the workflow. */
  readonly path: JsonPath;
  readonly graph: Graph;
  /** The schema of its input. */
  readonly input: JsonSchema;
  /** True if it may run more than once. */
  readonly repeated: boolean;
  /** Cache of the output schemas of its nodes; `true` while one is being derived. */
  readonly outputs: Map<string, JsonSchema>;
  /** Cache of the bodies directly in its nodes. */
  readonly inner: Map<Node, readonly BodyScope[]>;
}

/** All bodies of a workflow, from the outside in. */
export function scopesOf(workflow: Workflow): readonly BodyScope[] {
  return scopesFrom(scopeOf(workflow, workflow, [], workflow.io.input ?? true, false));
}

function scopeOf(
  workflow: Workflow,
  body: Body,
  path: JsonPath,
  input: JsonSchema,
  repeated: boolean,
): BodyScope {
  const graph = graphOf(workflow, body);
  const known = { outputs: new Map(), inner: new Map() };
  const scope = { workflow, body, path, input, repeated, graph, ...known };
  // Each is derived from its predecessors: long chains are derived from their start.
  for (const id of graph.dominators().order) outputOfId(scope, id);
  return scope;
}

function scopesFrom(scope: BodyScope): readonly BodyScope[] {
  return [scope, ...scope.body.nodes.flatMap((node) => innerOf(scope, node).flatMap(scopesFrom))];
}

/** The bodies directly in a node. */
export function innerOf(scope: BodyScope, node: Node): readonly BodyScope[] {
  if (node.type !== 'parallel' && node.type !== 'map') return [];
  const known = scope.inner.get(node);
  if (known !== undefined) return known;
  const made = makeInner(scope, node, scope.body.nodes.indexOf(node));
  scope.inner.set(node, made);
  return made;
}

function makeInner(
  scope: BodyScope,
  node: ParallelNode | MapNode,
  index: number,
): readonly BodyScope[] {
  const { workflow, repeated } = scope;
  const path = [...scope.path, 'nodes', index];
  if (node.type === 'parallel') {
    const input = inputSchemaOf(scope, node);
    return Object.entries(node.branches).map(([name, body]) =>
      scopeOf(workflow, body, [...path, 'branches', name], input, repeated),
    );
  }
  // The second iteration's input is the first one's output: only a declaration covers both.
  const input =
    node.items === undefined ? (node.io.input ?? true) : itemOf(workflow, listOf(scope, node));
  return [scopeOf(workflow, node.body, [...path, 'body'], input, true)];
}

/** The schema of the list that a map runs over. */
export function listOf(scope: BodyScope, node: Node & { type: 'map' }): JsonSchema {
  return fieldAt(
    scope.workflow,
    inputSchemaOf(scope, node),
    (node.items ?? '').split('.').slice(1),
  );
}

function itemOf(workflow: Workflow, list: JsonSchema): JsonSchema {
  return anyOf(
    alternatives(list, workflow.schemas).flatMap((schema): JsonSchema[] => {
      const items = itemSchemaOf(schema);
      return items === undefined ? [] : [items];
    }),
  );
}

/** The schema of a node's input: the declared one, else that of the values arriving at it. */
export function inputSchemaOf(scope: BodyScope, node: Node): JsonSchema {
  return node.io.input ?? arrivingAt(scope, node);
}

/** The schema of the values that arrive at a node by its edges or references; `true` if unknown. */
export function arrivingAt(scope: BodyScope, node: Node): JsonSchema {
  const { graph } = scope;
  const { input } = node;
  if (typeof input === 'string' || Array.isArray(input))
    return valueAt(scope, [input].flat(), node);
  if (input !== undefined) {
    const fields = Object.entries(input).map(([key, reference]) => {
      const each = [reference].flat();
      const schema = anyOf(each.map((text) => referenceSchema(scope, text)));
      return [key, schema, isSure(scope, each, node)] as const;
    });
    const sure = fields.flatMap(([key, , isThere]) => (isThere ? [key] : []));
    return closedObject(Object.fromEntries(fields), sure);
  }
  const ways = graph.to(node.id);
  const from = ways.map((way) => way.from);
  if (ways.some(({ kind }) => kind === 'catch')) return true;
  const [first, ...others] = from;
  if (first === undefined) return scope.input;
  if (others.length === 0) return outputOfId(scope, first);
  if (areExclusive(graph, from)) return anyOf(from.map((id) => outputOfId(scope, id)));
  // If only some of them ran, the output is passed on unchanged.
  const sure = from.every((id) => graph.starts.includes(id));
  const outputs = Object.fromEntries(from.map((id) => [id, outputOfId(scope, id)]));
  return sure ? closedObject(outputs) : true;
}

function outputOfId(scope: BodyScope, id: string): JsonSchema {
  const node = scope.graph.nodes.get(id);
  return node === undefined ? true : outputOf(scope, node);
}

/** The schema of a node's output; `true` if unknown, as in cycles. */
function outputOf(scope: BodyScope, node: Node): JsonSchema {
  const known = scope.outputs.get(node.id);
  if (known !== undefined) return known;
  scope.outputs.set(node.id, true);
  const output = node.io.output ?? derivedOutput(scope, node);
  scope.outputs.set(node.id, output);
  return output;
}

function derivedOutput(scope: BodyScope, node: Node): JsonSchema {
  // A choice passes its input on.
  if (node.type === 'choice') return inputSchemaOf(scope, node);
  if (node.type === 'task' || node.type === 'wait') return true;
  const bodies = innerOf(scope, node).map(bodyOutputSchema);
  if (node.type === 'parallel') {
    const names = Object.keys(node.branches);
    return closedObject(Object.fromEntries(names.map((name, i) => [name, bodies[i]])));
  }
  return node.items === undefined ? bodies[0] : ({ type: 'array', items: bodies[0] } as JsonSchema);
}

/** The schema of the outputs of a body's nodes by id; any of them may be missing. */
export function outputsOf(scope: BodyScope): JsonSchema {
  const nodes = [...scope.graph.nodes.values()];
  const properties = Object.fromEntries(nodes.map((node) => [node.id, outputOf(scope, node)]));
  return { type: 'object', properties, additionalProperties: false } as JsonSchema;
}

/** The schema of a body's output: that of its reference, else of its only last node. */
export function bodyOutputSchema(scope: BodyScope): JsonSchema {
  const { body, graph } = scope;
  if (body.output !== undefined) return valueAt(scope, [body.output].flat());
  const last = lastNodes(graph);
  return last.length === 1 ? outputOf(scope, last[0]) : true;
}

function lastNodes({ nodes, from }: Graph): readonly Node[] {
  return [...nodes.values()].filter(({ id }) => from(id).length === 0);
}

/**
 * The schema of the value of references, the first existing one of which counts; null if none exists.
 */
function valueAt(scope: BodyScope, references: readonly string[], reader?: Node): JsonSchema {
  const found = anyOf(references.map((text) => referenceSchema(scope, text)));
  const missing = reader === undefined ? undefined : defaultOf(reader.io.input);
  if (found === true || missing !== undefined || isSure(scope, references, reader)) return found;
  return anyOf([found, { type: 'null' }]);
}

/**
 * Whether at least one of some references certainly finds a value when a node runs, or at the end.
 */
function isSure(scope: BodyScope, references: readonly string[], reader?: Node): boolean {
  const there = references.filter((text) => hasSureKeys(scope, text));
  const ids = there.map((text) => (text.startsWith('outputs.') ? text.split('.')[1] : undefined));
  return ids.includes(undefined) || haveSurelyRun(scope, ids as string[], reader?.id);
}

/** Whether one of some nodes has certainly run when a node runs, or at the end. */
export function haveSurelyRun(
  { graph }: BodyScope,
  ids: readonly string[],
  reader: string | undefined,
): boolean {
  if (ids.length === 0) return false;
  const readers = reader === undefined ? lastNodes(graph).map(({ id }) => id) : [reader];
  return readers.every((one) => ids.includes(one) || isSureBefore(graph, ids, one));
}

/** Whether a reference finds a value in all values that its schemas allow. */
function hasSureKeys(scope: BodyScope, reference: string): boolean {
  const [base, ...keys] = reference.split('.');
  let schema = base === 'input' ? scope.input : outputOfId(scope, keys.shift() ?? '');
  for (const key of keys) {
    const found = alternatives(schema, scope.workflow.schemas).map((one) => propertyOf(one, key));
    // Open schemas are reported where values are compared.
    if (!found.every((one) => one === 'unknown' || (one !== 'absent' && one.sure))) return false;
    schema = fieldAt(scope.workflow, schema, [key]);
  }
  return true;
}

/** The schema of the value of a reference such as `outputs.plan.makespan`. */
export function referenceSchema(scope: BodyScope, reference: string): JsonSchema {
  const [base, ...keys] = reference.split('.');
  if (base === 'input') return fieldAt(scope.workflow, scope.input, keys);
  return fieldAt(scope.workflow, outputOfId(scope, keys[0] ?? ''), keys.slice(1));
}

function fieldAt(workflow: Workflow, schema: JsonSchema, keys: readonly string[]): JsonSchema {
  return keys.reduce<JsonSchema>(
    (before, key) =>
      anyOf(
        alternatives(before, workflow.schemas).map((one) => {
          const property = propertyOf(one, key);
          if (property === 'absent') return false;
          return property === 'unknown' ? true : property.schema;
        }),
      ),
    schema,
  );
}

function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const possible = schemas.filter((schema) => schema !== false);
  if (possible.length === 0) return false;
  if (possible.includes(true)) return true;
  return possible.length === 1 ? possible[0] : ({ anyOf: possible } as JsonSchema);
}

function closedObject(
  properties: Record<string, JsonSchema>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}
