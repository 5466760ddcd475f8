import { isObject } from '@alas-jssp/core/json-path';
import type { JsonSchema } from './workflow.js';

/** The kinds of values that JSON has. */
export type Kind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** The schemas of a workflow, by the name under which `#/schemas/NAME` finds them. */
export type Definitions = Readonly<Record<string, JsonSchema>>;

/** A JSON Schema other than true or false. */
export type SchemaObject = Readonly<Record<string, unknown>>;

const REFERENCE = /^#\/schemas\/([^/]+)$/;

/** Keys that do not restrict the valid values. */
const ANNOTATION =
  /^(title|description|default|examples|deprecated|readOnly|writeOnly|format|\$comment|\$schema|\$id|x-.*)$/;

/** The keys of a schema that restrict values. */
export function assertions(schema: SchemaObject): string[] {
  return Object.keys(schema).filter((key) => !ANNOTATION.test(key));
}

/** The name in a `$ref`, or undefined if it does not have the form `#/schemas/NAME`. */
export function referredName(reference: unknown): string | undefined {
  return typeof reference === 'string' ? REFERENCE.exec(reference)?.[1] : undefined;
}

/**
 * Splits a schema into alternatives: resolves references, unions and lists of types, but not those
 * beside other keys. `true` is anything, an empty list is nothing.
 */
export function alternatives(
  schema: JsonSchema,
  definitions: Definitions,
  following: readonly string[] = [],
): readonly (SchemaObject | true)[] {
  if (typeof schema === 'boolean') return schema ? [true] : [];
  const keys = assertions(schema);
  if (keys.length === 0) return [true];
  if (keys.length === 1) {
    const [key] = keys;
    if (key === '$ref') {
      const name = referredName(schema.$ref);
      const known = name !== undefined && Object.hasOwn(definitions, name);
      if (!known || following.includes(name)) return [true];
      return alternatives(definitions[name], definitions, [...following, name]);
    }
    const members = schema[key];
    if ((key === 'anyOf' || key === 'oneOf') && Array.isArray(members)) {
      return members.flatMap((member) =>
        alternatives(member as JsonSchema, definitions, following),
      );
    }
  }
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema];
}

/** The kinds of the values of one alternative; undefined if it does not say. */
export function kindsOf(schema: SchemaObject | true): ReadonlySet<Kind> | undefined {
  if (schema === true) return undefined;
  if (Object.hasOwn(schema, 'const')) return new Set([kindOf(schema.const)]);
  if (Array.isArray(schema.enum)) return new Set(schema.enum.map(kindOf));
  if (typeof schema.type !== 'string') return undefined;
  return new Set([schema.type === 'integer' ? 'number' : (schema.type as Kind)]);
}

/** The kind of a value. */
function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as Kind);
}

/** The rule of one alternative for a key of its objects. */
export type Property =
  /** The objects have no such key. */
  | 'absent'
  /** The alternative does not say. */
  | 'unknown'
  /** `sure`: the key always exists: it is required, or filled with its default. */
  | { readonly schema: JsonSchema; readonly sure: boolean };

export function propertyOf(schema: SchemaObject | true, key: string): Property {
  if (schema === true) return 'unknown';
  const kinds = kindsOf(schema);
  if (kinds !== undefined && !kinds.has('object')) return 'absent';
  const properties = isObject(schema.properties) ? schema.properties : {};
  if (Object.hasOwn(properties, key)) {
    const inner = properties[key] as JsonSchema;
    const required = Array.isArray(schema.required) && schema.required.includes(key);
    return { schema: inner, sure: required || defaultOf(inner) !== undefined };
  }
  if (kinds === undefined || schema.patternProperties !== undefined) return 'unknown';
  const { additionalProperties: others = true } = schema;
  if (others === false) return 'absent';
  return others === true ? 'unknown' : { schema: others as JsonSchema, sure: false };
}

/** The schema of the items of one alternative; undefined if its values are not lists. */
export function itemSchemaOf(schema: SchemaObject | true): JsonSchema | undefined {
  if (schema === true) return true;
  const kinds = kindsOf(schema);
  if (kinds !== undefined && !kinds.has('array')) return undefined;
  if (schema.prefixItems !== undefined || schema.items === undefined) return true;
  return schema.items as JsonSchema;
}

/** The default that a schema declares for an absent value. */
export function defaultOf(schema: unknown): { readonly value: unknown } | undefined {
  if (!isObject(schema) || !Object.hasOwn(schema, 'default')) return undefined;
  return { value: schema.default };
}
