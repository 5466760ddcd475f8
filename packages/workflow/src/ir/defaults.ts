import { isObject } from '@alas-jssp/core/json-path';
import { alternatives, type Definitions, kindsOf, type SchemaObject } from './json-types.js';
import type { JsonSchema } from './workflow.js';

/**
 * Cache of whether schemas, with the definitions that they refer to, declare defaults: most do not.
 */
const declared = new WeakMap<Definitions, WeakMap<object, boolean>>();

/** Whether a schema, or one that it refers to, declares a default for a key. */
export function declaresDefaults(schema: JsonSchema, definitions: Definitions): boolean {
  if (typeof schema === 'boolean') return false;
  const known = declared.get(definitions) ?? new WeakMap<object, boolean>();
  declared.set(definitions, known);
  let answer = known.get(schema);
  if (answer === undefined) {
    const text = JSON.stringify(schema);
    const refers = text.includes('"$ref"') && JSON.stringify(definitions).includes('"default"');
    answer = refers || text.includes('"default"');
    known.set(schema, answer);
  }
  return answer;
}

/**
 * The schema that fills the absent keys of a value: of a union, the only object schema that the
 * constants of the value do not rule out.
 */
export function objectSchemaOf(
  schema: JsonSchema,
  definitions: Definitions,
  value: Readonly<Record<string, unknown>>,
): SchemaObject | undefined {
  const fitting = alternatives(schema, definitions).filter(
    (one): one is SchemaObject =>
      one !== true &&
      isObject(one.properties) &&
      kindsOf(one)?.has('object') !== false &&
      Object.entries(one.properties).every(
        ([key, inner]) =>
          !isObject(inner) || !Object.hasOwn(inner, 'const') || inner.const === value[key],
      ),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}
