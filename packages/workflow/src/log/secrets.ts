import { escapePointer, isObject, pointerKeys } from '@alas-jssp/core/json-path';
import { REDACTED } from '@alas-jssp/core/secret-text';
import type { Body, Node, Workflow } from '../ir/workflow.js';
import type { Json } from './entry.js';

/**
 * The schemas of a node's input, output and error; of the run also that of the data of messages.
 */
export type IoSchemas = Workflow['io'] & { readonly data?: unknown };

/** A schema, and the document that its references point into. */
export interface RootedSchema {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly root: unknown;
}

/** References in schemas may be circular: none is followed deeper than this. */
const DEEPEST = 32;

/** The schemas of a workflow's nodes by path; the empty path is that of the workflow itself. */
export function schemasOfWorkflow(workflow: Workflow): (nodeId: string) => IoSchemas[] {
  const whole: IoSchemas[] = [workflow.io, { data: { anyOf: messagesOf(workflow) } }];
  const byId = new Map([['', whole.map((io) => rooted(io, workflow))]]);
  const visit = (body: Pick<Body, 'nodes'>): void => {
    for (const node of body.nodes) {
      const found = byId.get(node.id) ?? [];
      byId.set(node.id, [...found, rooted(node.io, workflow)]);
      bodiesOf(node).forEach(visit);
    }
  };
  visit(workflow);
  return (path) => byId.get(path.replace(/^.*\//, '').replace(/\[.*$/, '')) ?? [];
}

/** The schemas of the messages of a run: a property marked in one of them is secret in all. */
function messagesOf({ signals = {}, nodes }: Workflow): unknown[] {
  const waited = (body: Pick<Body, 'nodes'>): unknown[] =>
    body.nodes.flatMap((node) =>
      node.type === 'wait' ? [node.io.output] : bodiesOf(node).flatMap(waited),
    );
  return [...Object.values(signals), ...waited({ nodes })].filter((schema) => schema !== undefined);
}

function bodiesOf(node: Node): readonly Body[] {
  if (node.type === 'parallel') return Object.values(node.branches);
  return node.type === 'map' ? [node.body] : [];
}

/** Makes `#/schemas/NAME` refer to the schemas of the workflow. */
function rooted(io: IoSchemas, { schemas }: Workflow): IoSchemas {
  const entries = Object.entries(io).map(([key, schema]) => [
    key,
    isObject(schema) ? { ...schema, schemas } : schema,
  ]);
  return Object.fromEntries(entries);
}

/** A schema and all that apply to the same value with it: by reference, combination, condition. */
export function expandSchema(schema: unknown, root: unknown, depth = 0): RootedSchema[] {
  if (!isObject(schema) || depth > DEEPEST) return [];
  const { $ref, allOf = [], anyOf = [], oneOf = [], if: condition, then, else: otherwise } = schema;
  const more = [allOf, anyOf, oneOf].flat();
  more.push(condition, then, otherwise, resolveReference($ref, root));
  return [{ schema, root }, ...more.flatMap((other) => expandSchema(other, root, depth + 1))];
}

/** The schemas that apply to the member of a value under a key. */
export function memberSchemas(
  schemas: readonly RootedSchema[],
  key: string | number,
): RootedSchema[] {
  return schemas.flatMap(({ schema, root }) => {
    const found = typeof key === 'number' ? itemSchemas(schema, key) : propertySchemas(schema, key);
    return found.flatMap((member) => expandSchema(member, root));
  });
}

/** Whether one of a value's schemas marks it as secret. */
export function isMarkedSecret(schemas: readonly RootedSchema[]): boolean {
  return schemas.some(({ schema }) => schema['x-secret'] === true);
}

function itemSchemas({ items, prefixItems }: RootedSchema['schema'], index: number): unknown[] {
  const own = Array.isArray(prefixItems) ? prefixItems[index] : undefined;
  return [own ?? items];
}

function propertySchemas(schema: RootedSchema['schema'], key: string): unknown[] {
  const { properties, patternProperties, additionalProperties } = schema;
  const found: unknown[] = [];
  if (isObject(properties) && Object.hasOwn(properties, key)) found.push(properties[key]);
  for (const [pattern, member] of Object.entries(patternProperties ?? {})) {
    if (new RegExp(pattern, 'u').test(key)) found.push(member);
  }
  return found.length > 0 ? found : [additionalProperties];
}

function resolveReference(reference: unknown, root: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  return pointerKeys(decodeURIComponent(reference.slice(1))).reduce<unknown>(
    (value, key) => (isObject(value) || Array.isArray(value) ? (value as never)[key] : undefined),
    root,
  );
}

/** Whether a value is the placeholder of a secret, such as in a state from a log. */
export function isRedactedValue(value: Json): boolean {
  if (!isObject(value) || Object.keys(value).length !== 1) return false;
  return typeof value.$redacted === 'string' && /^[0-9a-f]{8}$/.test(value.$redacted);
}

/** Whether there is a placeholder anywhere in a value. */
export function isRedacted(value: Json): boolean {
  if (typeof value === 'string') return value.includes(REDACTED);
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some(isRedacted);
  return isRedactedValue(value) || Object.values(value).some(isRedacted);
}

/** The places of placeholders in a value, as JSON Pointers. */
export function redactedPlaces(value: Json, path = ''): string[] {
  if (typeof value === 'string') return value.includes(REDACTED) ? [path] : [];
  if (value === null || typeof value !== 'object') return [];
  if (isRedactedValue(value)) return [path];
  return Object.entries(value).flatMap(([key, member]) =>
    redactedPlaces(member, `${path}/${escapePointer(key)}`),
  );
}
