import { isObject } from '../../core/json-path.js';
import { declaresDefaults, objectSchemaOf } from '../ir/defaults.js';
import { alternatives, defaultOf, itemSchemaOf } from '../ir/json-types.js';
import type { JsonSchema, Workflow } from '../ir/workflow.js';
import type { Json } from '../log/entry.js';
import { type Datum, listDatum, loggedDatum, NULL_DATUM, recordDatum } from './datum.js';

/**
 * A value with the keys that it lacks and for which its schema declares a default; the value itself if there are
 * none. What is not there at all is the default of the schema, else null.
 */
export function withDefaults(
  { schemas }: Pick<Workflow, 'schemas'>,
  schema: JsonSchema | undefined,
  datum: Datum | undefined,
): Datum {
  if (datum === undefined) return defaultDatum(schema) ?? NULL_DATUM;
  if (schema === undefined || !declaresDefaults(schema, schemas)) return datum;
  return fill(schema, datum, schemas);
}

function defaultDatum(schema: JsonSchema | undefined): Datum | undefined {
  const found = defaultOf(schema);
  return found && loggedDatum(found.value as Json);
}

function fill(schema: JsonSchema, datum: Datum, schemas: Workflow['schemas']): Datum {
  const json = datum.json();
  if (Array.isArray(json)) return fillItems(schema, datum, json, schemas);
  if (!isObject(json)) return datum;
  const { properties = {} } = objectSchemaOf(schema, schemas, json) ?? {};
  let changed = false;
  const parts = new Map<string, Datum>();
  for (const key of Object.keys(json)) parts.set(key, datum.get(key) ?? NULL_DATUM);
  for (const [key, inner] of Object.entries(properties as Record<string, JsonSchema>)) {
    const part = parts.get(key);
    const filled = part === undefined ? defaultDatum(inner) : fill(inner, part, schemas);
    if (filled === undefined || filled === part) continue;
    changed = true;
    parts.set(key, filled);
  }
  return changed ? recordDatum(parts) : datum;
}

function fillItems(
  schema: JsonSchema,
  datum: Datum,
  { length }: readonly unknown[],
  schemas: Workflow['schemas'],
): Datum {
  const [items, ...others] = alternatives(schema, schemas).flatMap((one): JsonSchema[] => {
    const found = itemSchemaOf(one);
    return found === undefined ? [] : [found];
  });
  if (items === undefined || others.length > 0) return datum;
  const before = Array.from({ length }, (_, i) => datum.get(String(i)) ?? NULL_DATUM);
  const filled = before.map((item) => fill(items, item, schemas));
  return filled.every((item, i) => item === before[i]) ? datum : listDatum(filled);
}
