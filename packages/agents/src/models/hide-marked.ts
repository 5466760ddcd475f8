import { isObject } from '@alas-jssp/core/json-path';
import type { Json } from '@alas-jssp/workflow';

type SchemaPart = Readonly<Record<string, unknown>>;

/** A value without the members that its schema marks `"x-secret": true`. */
export function hideMarked(value: Json, schema: unknown): Json {
  if (!isObject(schema)) return value;
  if (schema['x-secret'] === true) return value === null ? null : { $redacted: 'marked' };
  if (Array.isArray(value)) return value.map((item) => hideMarked(item, schema.items));
  if (!isObject(value)) return value;
  const properties = isObject(schema.properties) ? (schema.properties as SchemaPart) : {};
  const members = Object.entries(value as Readonly<Record<string, Json>>).map(
    ([key, member]): [string, Json] => {
      const own = Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties;
      return [key, hideMarked(member, own)];
    },
  );
  return Object.fromEntries(members);
}

/** Whether a schema marks anything as secret. */
export function marksSecrets(schema: unknown): boolean {
  return JSON.stringify(schema)?.includes('"x-secret":true') ?? false;
}
