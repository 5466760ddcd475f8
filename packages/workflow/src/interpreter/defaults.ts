import { isObject } from '@alas-jssp/core/json-path';
import { declaresDefaults, objectSchemaOf } from '../ir/defaults.js';
import { alternatives, defaultOf, itemSchemaOf } from '../ir/json-types.js';
import type { JsonSchema, Workflow } from '../ir/workflow.js';
import type { Json } from '../log/entry.js';
import {
  decodeLogged,
  type EncodedValue,
  listOfValues,
  NULL_VALUE,
  objectOfValues,
} from './encoded-value.js';

/**
 * A value whose missing keys are filled with the defaults of its schema; the value itself if there
 * are none. An absent value becomes the default of the schema, else null.
 */
export function withDefaults(
  { schemas }: Pick<Workflow, 'schemas'>,
  schema: JsonSchema | undefined,
  datum: EncodedValue | undefined,
): EncodedValue {
  if (datum === undefined) return defaultValue(schema) ?? NULL_VALUE;
  if (schema === undefined || !declaresDefaults(schema, schemas)) return datum;
  return fill(schema, datum, schemas);
}

function defaultValue(schema: JsonSchema | undefined): EncodedValue | undefined {
  const found = defaultOf(schema);
  return found && decodeLogged(found.value as Json);
}

function fill(schema: JsonSchema, datum: EncodedValue, schemas: Workflow['schemas']): EncodedValue {
  const json = datum.json();
  if (Array.isArray(json)) return fillItems(schema, datum, json, schemas);
  if (!isObject(json)) return datum;
  const { properties = {} } = objectSchemaOf(schema, schemas, json) ?? {};
  let changed = false;
  const parts = new Map<string, EncodedValue>();
  for (const key of Object.keys(json)) parts.set(key, datum.get(key) ?? NULL_VALUE);
  for (const [key, inner] of Object.entries(properties as Record<string, JsonSchema>)) {
    const part = parts.get(key);
    const filled = part === undefined ? defaultValue(inner) : fill(inner, part, schemas);
    if (filled === undefined || filled === part) continue;
    changed = true;
    parts.set(key, filled);
  }
  return changed ? objectOfValues(parts) : datum;
}

function fillItems(
  schema: JsonSchema,
  datum: EncodedValue,
  { length }: readonly unknown[],
  schemas: Workflow['schemas'],
): EncodedValue {
  const [items, ...others] = alternatives(schema, schemas).flatMap((one): JsonSchema[] => {
    const found = itemSchemaOf(one);
    return found === undefined ? [] : [found];
  });
  if (items === undefined || others.length > 0) return datum;
  const before = Array.from({ length }, (_, i) => datum.get(String(i)) ?? NULL_VALUE);
  const filled = before.map((item) => fill(items, item, schemas));
  return filled.every((item, i) => item === before[i]) ? datum : listOfValues(filled);
}
