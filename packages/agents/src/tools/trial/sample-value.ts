import { isObject } from '@alas-jssp/core/json-path';
import type { Random } from '@alas-jssp/core/random';
import type { Json } from '@alas-jssp/workflow';
import { referredSchema } from '../schema-member.js';
import { sampleText } from './sample-text.js';

type SchemaObject = Readonly<Record<string, unknown>>;

/** Deeper values are as small as their schema allows. */
const DEEPEST = 6;
const MOST_DEPTH = 30;
/** Values drawn for one, before the rest is null: some schemas allow infinite values only. */
const MOST_VALUES = 2000;
/** Optional members that are present, of four. */
const PRESENT_OF_FOUR = 3;
/** The width of ranges of numbers without a limit. */
const RANGE = 1000;
/** The most items of sampled lists without a minimum. */
const MOST_ITEMS = 3;

/**
 * Draws a value that a JSON Schema probably allows; the caller checks it and draws again if not. All members of enums,
 * both booleans, present and missing optional members, and limits of ranges are drawn.
 *
 * @param name the name of texts
 * @param root the document that `$ref` refers to
 */
export function sampleValue(
  schema: unknown,
  random: Random,
  name = 'value',
  root: unknown = schema,
): Json {
  return draw({ random, root, left: MOST_VALUES }, schema, name, 0);
}

interface Drawing {
  readonly random: Random;
  readonly root: unknown;
  /** Values that may still be drawn. */
  left: number;
}

function draw(drawing: Drawing, given: unknown, name: string, depth: number): Json {
  if (depth > MOST_DEPTH || drawing.left-- <= 0) return null;
  const schema = resolveSchema(drawing, given, 0);
  const { random } = drawing;
  if (schema.const !== undefined) return schema.const as Json;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return pick(random, schema.enum);
  switch (typeOf(drawing, schema)) {
    case 'null':
      return null;
    case 'boolean':
      return random.next() < 0.5;
    case 'integer':
    case 'number':
      return drawNumber(schema, random);
    case 'string':
      return sampleText(schema, random, name);
    case 'array':
      return drawList(drawing, schema, name, depth);
    default:
      return drawObject(drawing, schema, depth);
  }
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.integer(0, items.length - 1)];
}

/** A schema with its references followed, one of its alternatives chosen, and its parts merged. */
function resolveSchema(drawing: Drawing, given: unknown, depth: number): SchemaObject {
  if (!isObject(given) || depth > DEEPEST * 2) return {};
  const { $ref, allOf, anyOf, oneOf, ...own } = given;
  const parts: unknown[] = [];
  if ($ref !== undefined) parts.push(referredSchema($ref, drawing.root));
  if (Array.isArray(allOf)) parts.push(...allOf);
  for (const choices of [anyOf, oneOf]) {
    if (Array.isArray(choices) && choices.length > 0) parts.push(pick(drawing.random, choices));
  }
  return parts.reduce<SchemaObject>(
    (merged, part) => mergeSchemas(merged, resolveSchema(drawing, part, depth + 1)),
    own,
  );
}

function mergeSchemas(a: SchemaObject, b: SchemaObject): SchemaObject {
  const merged: Record<string, unknown> = { ...a, ...b };
  if (isObject(a.properties) && isObject(b.properties)) {
    merged.properties = { ...a.properties, ...b.properties };
  }
  if (Array.isArray(a.required) && Array.isArray(b.required)) {
    merged.required = [...new Set([...a.required, ...b.required])];
  }
  return merged;
}

function typeOf({ random }: Drawing, { type, ...schema }: SchemaObject): string {
  if (typeof type === 'string') return type;
  if (Array.isArray(type) && type.length > 0) return String(pick(random, type));
  if (isObject(schema.properties)) return 'object';
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array';
  if (schema.minimum !== undefined || schema.maximum !== undefined) return 'number';
  if (schema.pattern !== undefined || schema.format !== undefined) return 'string';
  return 'object';
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function drawNumber(schema: SchemaObject, random: Random): number {
  const step = numberOr(schema.multipleOf, 1);
  const above = numberOr(schema.exclusiveMinimum, Number.NEGATIVE_INFINITY);
  const below = numberOr(schema.exclusiveMaximum, Number.POSITIVE_INFINITY);
  const low = Math.max(numberOr(schema.minimum, above), above);
  const high = Math.min(numberOr(schema.maximum, below), below);
  const from = Number.isFinite(low) ? low : Number.isFinite(high) ? Math.min(0, high - RANGE) : 0;
  const to = Number.isFinite(high) ? high : from + RANGE;
  let first = Math.ceil(from / step);
  if (first * step <= above) first++;
  let last = Math.floor(to / step);
  if (last * step >= below) last--;
  // No multiple in a narrow range: any number in it, which suits fractions.
  if (last < first || (last === first && schema.type !== 'integer' && from < to)) {
    return from + (to - from) * (0.25 + random.next() / 2);
  }
  const chosen = random.integer(0, 7);
  const edge = chosen === 0 ? first : chosen === 1 ? last : random.integer(first, last);
  return edge * step;
}

function drawList(drawing: Drawing, schema: SchemaObject, name: string, depth: number): Json {
  const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const least = numberOr(schema.minItems, prefix.length);
  const most = Math.max(least, Math.min(numberOr(schema.maxItems, MOST_ITEMS), MOST_ITEMS));
  const length = depth >= DEEPEST ? least : drawing.random.integer(least, most);
  return Array.from({ length }, (_, index) =>
    draw(drawing, prefix[index] ?? schema.items, name, depth + 1),
  );
}

function drawObject(drawing: Drawing, schema: SchemaObject, depth: number): Json {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = [...new Set([...Object.keys(properties), ...required])];
  return Object.fromEntries(
    names
      .filter(
        (name) =>
          required.includes(name) ||
          (depth < DEEPEST && drawing.random.integer(1, 4) <= PRESENT_OF_FOUR),
      )
      .map((name) => [name, draw(drawing, properties[name], name, depth + 1)]),
  );
}
