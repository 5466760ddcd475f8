import { isObject } from '@alas-jssp/core/json-path';
import type { DocumentObject } from './document.js';

/** Keys of OpenAPI's schemas that JSON Schema does not have, or that only describe. */
const DROPPED = new Set(['nullable', 'discriminator', 'xml', 'externalDocs', 'example', '$schema']);

/** The direction of a value: properties that are only read are not sent, and those only written are not received. */
type Direction = 'sent' | 'received';

/** The JSON Schema of a resolved schema of an OpenAPI document. */
export function toJsonSchema(schema: unknown, isOld: boolean, direction: Direction): unknown {
  if (!isObject(schema)) return schema;
  const convert = (value: unknown) => toJsonSchema(value, isOld, direction);
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (DROPPED.has(key)) continue;
    result[key] =
      key === 'properties' && isObject(value)
        ? Object.fromEntries(
            Object.entries(value)
              .filter(([, property]) => isVisible(property, direction))
              .map(([name, property]) => [name, convert(property)]),
          )
        : key === 'enum' || key === 'const' || key === 'default' || key === 'required'
          ? value
          : Array.isArray(value)
            ? value.map(convert)
            : convert(value);
  }
  dropHiddenRequired(schema, result, direction);
  if (isOld) convertOldKeywords(schema, result);
  return mergeParts(result);
}

function isVisible(property: unknown, direction: Direction): boolean {
  return !isObject(property) || property[direction === 'sent' ? 'readOnly' : 'writeOnly'] !== true;
}

function dropHiddenRequired(
  { properties, required }: DocumentObject,
  result: Record<string, unknown>,
  direction: Direction,
): void {
  if (!isObject(properties) || !Array.isArray(required)) return;
  result.required = required.filter(
    (name) => !Object.hasOwn(properties, name) || isVisible(properties[name], direction),
  );
}

/** Converts what OpenAPI 3.0 writes otherwise: values that may be null, and exclusive limits. */
function convertOldKeywords(schema: DocumentObject, result: Record<string, unknown>): void {
  if (schema.nullable === true && typeof schema.type === 'string') {
    result.type = [schema.type, 'null'];
    if (Array.isArray(schema.enum)) result.enum = [...new Set([...schema.enum, null])];
  }
  for (const [exclusive, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ]) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    delete result[exclusive];
    if (schema[exclusive] === true && schema[limit] !== undefined) {
      delete result[limit];
      result[exclusive] = schema[limit];
    }
  }
}

/** Keys that parts may have to be merged. */
const PLAIN = new Set(['type', 'properties', 'required', 'title', 'description']);

/** Merges plain objects of `allOf`, the usual way to extend one, so that their members can be seen. */
function mergeParts(schema: Record<string, unknown>): Record<string, unknown> {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf)) return schema;
  const parts = [...allOf, rest];
  const isPlain = (part: unknown): part is DocumentObject =>
    isObject(part) &&
    Object.keys(part).every((key) => PLAIN.has(key)) &&
    (part.type === undefined || part.type === 'object') &&
    (part.properties === undefined || isObject(part.properties)) &&
    (part.required === undefined || Array.isArray(part.required));
  if (!parts.every(isPlain)) return schema;
  const names = parts.flatMap(({ properties = {} }) => Object.keys(properties as object));
  // A property of two parts must match both.
  if (new Set(names).size < names.length) return schema;
  return {
    ...rest,
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: [...new Set(parts.flatMap(({ required = [] }) => required as string[]))],
  };
}
