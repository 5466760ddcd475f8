import { isObject } from '@alas-jssp/core/json-path';
import { type JsonSchema, WORKFLOW_SCHEMA, type Workflow } from '@alas-jssp/workflow';
import { checkSchemas } from '@alas-jssp/workflow/ir';

/** Levels of references in the schemas of tools that are followed; deeper values may be anything. */
const DEPTH = 8;

/**
 * A schema of a tool without references of its own (`#/$defs/…`, `#/definitions/…`): workflows have one set of schemas
 * for all nodes. Schemas that contain themselves are open below {@link DEPTH} levels.
 */
export function inlineReferences(schema: Readonly<Record<string, unknown>>): JsonSchema {
  const inline = (value: unknown, depth: number): unknown => {
    if (Array.isArray(value)) return value.map((item) => inline(item, depth));
    if (!isObject(value)) return value;
    if (typeof value.$ref === 'string') {
      const target = depth >= DEPTH ? undefined : targetOf(schema, value.$ref);
      return target === undefined ? {} : inline(target, depth + 1);
    }
    const kept = Object.entries(value).filter(([key]) => key !== '$defs' && key !== 'definitions');
    return Object.fromEntries(kept.map(([key, inner]) => [key, inline(inner, depth)]));
  };
  return inline(schema, 0) as JsonSchema;
}

/** Problems of schemas by their text: schemas repeat, and judging one takes long. */
const judged = new Map<string, string | undefined>();

const MOST_JUDGED = 2000;

/** The problem of a schema, if it is no JSON Schema. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  const text = JSON.stringify(schema);
  if (judged.has(text)) return judged.get(text);
  const workflow: Workflow = {
    schema: WORKFLOW_SCHEMA,
    name: 'schema',
    nodes: [],
    edges: [],
    io: { input: schema },
    policies: {},
    schemas: {},
    logSchemas: {},
    invariants: [],
    meta: {},
  };
  if (judged.size >= MOST_JUDGED) judged.clear();
  const problem = checkSchemas(workflow).at(0)?.message;
  judged.set(text, problem);
  return problem;
}

/** A schema of a tool or an answer for a workflow; `true` if it is no JSON Schema, which the compiler reports. */
export function usableSchema(schema: Readonly<Record<string, unknown>>): JsonSchema {
  const inlined = inlineReferences(schema);
  return schemaProblem(inlined) === undefined ? inlined : true;
}

/** The schema that a local reference names; undefined if there is none. */
function targetOf(schema: Readonly<Record<string, unknown>>, reference: string): unknown {
  const [, defs, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
  const known = defs === undefined ? undefined : schema[defs];
  return isObject(known) && Object.hasOwn(known, name) ? known[name] : undefined;
}

/** The schema of the part of an input that does not come from constants. */
export function withoutKeys(schema: JsonSchema, keys: readonly string[]): JsonSchema {
  if (typeof schema === 'boolean' || keys.length === 0) return schema;
  const { properties, required } = schema;
  return {
    ...schema,
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).filter(([key]) => !keys.includes(key)),
      ) as never,
    }),
    ...(Array.isArray(required) && {
      required: required.filter((key) => !keys.includes(String(key))),
    }),
  };
}
