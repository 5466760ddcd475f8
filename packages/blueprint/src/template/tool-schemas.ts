import { isObject } from '@alas-jssp/core/json-path';
import type { JsonSchema } from '@alas-jssp/workflow';

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
