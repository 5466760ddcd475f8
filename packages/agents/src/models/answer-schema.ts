import { isObject } from '@alas-jssp/core/json-path';
import type { Json } from '@alas-jssp/workflow';
import type { AnswerShape } from 'alas-jssp/llm';
import * as z from 'zod';
import { violationsOf } from '../tools/tool-checks.js';

/** The schema of an answer: of zod, or a JSON Schema of an object. */
export type SchemaOf<T> = z.ZodType<T> | Readonly<Record<string, Json>>;

/** A schema that checks answers, and its JSON form for prompts and providers. */
export interface AnswerSchema<T> {
  /** The JSON Schema of answers. */
  readonly json: Readonly<Record<string, Json>>;
  /** The value of an answer, with its JSON before the schema changed it; or its problems, each with its place. */
  read(
    value: Json,
  ): { readonly value: T; readonly raw: Json } | { readonly problems: readonly string[] };
}

/** Makes the checks of a schema. Optional keys may be null, as providers with enforced schemas write them. */
export function answerSchema<T = Json>(schema: SchemaOf<T>): AnswerSchema<T> {
  if (isZod(schema)) {
    const json = jsonOf(schema);
    return {
      json,
      read(value) {
        const strict = schema.safeParse(value);
        if (strict.success) return { value: strict.data, raw: value };
        const raw = dropNulls(value, json, json);
        const parsed = schema.safeParse(raw);
        if (parsed.success) return { value: parsed.data, raw };
        return { problems: parsed.error.issues.map(issueLine) };
      },
    };
  }
  const json = schema as Readonly<Record<string, Json>>;
  const problemsOf = (value: Json) => violationsOf(json, value);
  return {
    json,
    read(value) {
      if (problemsOf(value).length === 0) return { value: value as T, raw: value };
      const raw = dropNulls(value, json, json);
      const problems = problemsOf(raw);
      return problems.length === 0 ? { value: raw as T, raw } : { problems };
    },
  };
}

/**
 * The shape for providers that enforce schemas: every property required, none additional. Optional ones may be null.
 * Null if the schema has parts that such providers lack: objects with any keys, or values of any type.
 *
 * @param name letters, digits and underscores
 */
export function answerShape(
  json: Readonly<Record<string, Json>>,
  name: string,
): AnswerShape | null {
  try {
    const schema = strictPart(json);
    if (schema.type !== 'object') return null;
    return { name: name.replaceAll(/\W/g, '_').slice(0, 64), schema };
  } catch (error) {
    if (error instanceof Inexpressible) return null;
    throw error;
  }
}

/** A schema whose values are answers as they are, for callers that parse them again. */
export function unparsed<T>(schema: AnswerSchema<unknown>): AnswerSchema<T> {
  return {
    json: schema.json,
    read(value) {
      const read = schema.read(value);
      return 'raw' in read ? { value: read.raw as T, raw: read.raw } : read;
    },
  };
}

/** Thrown inside of this file only. */
class Inexpressible extends Error {}

/** Keywords that every provider accepts; values are checked afterwards, so that the others are omitted. */
const KEPT = ['type', 'description', 'enum', 'const', '$ref'] as const;

type Part = Readonly<Record<string, Json>>;

function strictPart(part: Json): Record<string, Json> {
  if (!isObject(part)) throw new Inexpressible();
  const { properties, additionalProperties, items, anyOf, oneOf, allOf, $defs } = part as Part;
  const kept = KEPT.flatMap((key) => (part[key] === undefined ? [] : [[key, part[key] as Json]]));
  const made: Record<string, Json> = Object.fromEntries(kept);
  if (allOf !== undefined || part.patternProperties !== undefined) throw new Inexpressible();
  const variants = anyOf ?? oneOf;
  if (variants !== undefined) made.anyOf = (variants as Json[]).map(strictPart);
  if (isObject($defs)) made.$defs = mapValues($defs as Part, strictPart);
  const types = [part.type].flat();
  if (types.includes('object') || properties !== undefined) {
    if (!isObject(properties)) throw new Inexpressible();
    if (isObject(additionalProperties) || additionalProperties === true) throw new Inexpressible();
    Object.assign(made, strictObject(part as Part, properties as Part));
  }
  if (types.includes('array')) made.items = strictPart((items ?? null) as Json);
  if (Object.keys(made).every((key) => key === 'description' || key === '$defs')) {
    throw new Inexpressible();
  }
  return made;
}

function strictObject(part: Part, properties: Part): Record<string, Json> {
  const required = (part.required ?? []) as readonly string[];
  const members = Object.entries(properties).map(([key, schema]): [string, Json] => {
    const strict = strictPart(schema);
    return [key, required.includes(key) || allowsNull(strict) ? strict : orNull(strict)];
  });
  return {
    properties: Object.fromEntries(members),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function orNull(strict: Record<string, Json>): Json {
  if (strict.anyOf === undefined) return { anyOf: [strict, { type: 'null' }] };
  return { ...strict, anyOf: [...(strict.anyOf as Json[]), { type: 'null' }] };
}

function allowsNull(part: Json): boolean {
  if (!isObject(part)) return true;
  const { type, anyOf, oneOf, enum: values } = part as Part;
  if ('const' in part) return part.const === null;
  if (Array.isArray(values)) return values.includes(null);
  const variants = anyOf ?? oneOf;
  if (Array.isArray(variants)) return variants.some(allowsNull);
  return type === undefined ? part.$ref === undefined : [type].flat().includes('null');
}

/** A value without the null members that stand for absent keys. */
function dropNulls(value: Json, schema: Json, root: Part): Json {
  const part = resolve(schema, root);
  if (part === null) return value;
  const variants = part.anyOf ?? part.oneOf;
  if (Array.isArray(variants)) {
    const fitting = variants.find((variant) => fits(value, variant as Json, root));
    return fitting === undefined ? value : dropNulls(value, fitting as Json, root);
  }
  if (Array.isArray(value)) return value.map((item) => dropNulls(item, part.items ?? null, root));
  if (!isObject(value) || !isObject(part.properties)) return value;
  const properties = part.properties as Part;
  const required = (part.required ?? []) as readonly string[];
  const members = Object.entries(value as Record<string, Json>).flatMap(([key, member]) => {
    if (!Object.hasOwn(properties, key)) return [[key, member]];
    if (member === null && !required.includes(key) && !allowsNull(properties[key])) return [];
    return [[key, dropNulls(member, properties[key], root)]];
  });
  return Object.fromEntries(members);
}

/** Whether a value is of the type of a variant, and has its constants. */
function fits(value: Json, variant: Json, root: Part): boolean {
  const part = resolve(variant, root);
  if (part === null) return false;
  if (!isObject(value)) return [part.type].flat().includes(Array.isArray(value) ? 'array' : '');
  if (!isObject(part.properties)) return false;
  return Object.entries(part.properties as Part).every(
    ([key, member]) => !isObject(member) || !('const' in member) || value[key] === member.const,
  );
}

function resolve(schema: Json, root: Part): Part | null {
  if (!isObject(schema)) return null;
  const { $ref } = schema as Part;
  if (typeof $ref !== 'string') return schema as Part;
  if ($ref === '#') return root;
  const name = /^#\/\$defs\/([^/]+)$/.exec($ref)?.[1];
  const found = name === undefined ? undefined : (root.$defs as Part | undefined)?.[name];
  return isObject(found) ? (found as Part) : null;
}

function mapValues(values: Part, map: (value: Json) => Json): Record<string, Json> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}

function isZod<T>(schema: SchemaOf<T>): schema is z.ZodType<T> {
  return '_zod' in schema;
}

function jsonOf(schema: z.ZodType): Readonly<Record<string, Json>> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json as Readonly<Record<string, Json>>;
}

function issueLine({ path, message }: z.core.$ZodIssue): string {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return `$${place.join('')}: ${message}`;
}
