import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { errorLine, InputError } from '@alas-jssp/core/errors';
import * as z from 'zod';
import { defaultOf } from '../ir/json-types.js';
import type { JsonSchema } from '../ir/workflow.js';

/** JSON Schemas by name, to which the workflow's other schemas refer. */
type NamedSchemas = Record<string, JsonSchema>;

/**
 * A schema that is given as JSON Schema, for values whose type TypeScript knows and zod does not: such as
 * `{ $ref: '#/schemas/NAME' }` for one of the `schemas` of the workflow. It parses nothing; the run
 * checks values against the JSON Schema.
 */
export function fromJsonSchema<T>(schema: Exclude<JsonSchema, boolean>): z.ZodType<T, T> {
  return z.unknown().meta(schema) as unknown as z.ZodType<T, T>;
}

/**
 * The JSON Schema of a zod schema, as a workflow has it: parts that have a name or contain
 * themselves go to the schemas of the workflow.
 *
 * @param side `input`: values before parsing; `request`: the same, but objects reject unknown keys;
 *   `output`: values after parsing; `message`: the same, but keys with a default may be absent
 * @param shared the schemas of the workflow, to which named parts are added
 * @throws InputError `bad_schema` for schemas that JSON Schema cannot express
 */
export function jsonSchemaOf(
  schema: z.ZodType,
  side: 'input' | 'request' | 'output' | 'message',
  name: string,
  shared: NamedSchemas,
): JsonSchema {
  let json: Record<string, unknown>;
  try {
    json = z.toJSONSchema(schema, {
      io: side === 'output' || side === 'message' ? 'output' : 'input',
      target: 'draft-2020-12',
      override: ({ zodSchema, jsonSchema }) => {
        const { def } = zodSchema._zod;
        const open =
          def.type === 'object' && (def as { catchall?: unknown }).catchall === undefined;
        if (side === 'request' && open) jsonSchema.additionalProperties = false;
        if (side === 'message') requireNoDefaults(jsonSchema);
      },
    });
  } catch (error) {
    const hint = 'use types that JSON has';
    throw new InputError('bad_schema', `the schema of ${name}: ${errorLine(error)}`, hint);
  }
  const { $schema: _, $defs = {}, ...root } = json;
  const parts = Object.entries($defs as NamedSchemas);
  if (parts.length === 0 && !refersToItself(root)) return root as JsonSchema;
  const names = new Map(parts.map(([key]) => [`#/$defs/${key}`, freeName(key, shared)]));
  names.set('#', freeName(name, shared));
  for (const [key, part] of parts) {
    shared[names.get(`#/$defs/${key}`) as string] = renamed(part, names) as JsonSchema;
  }
  if (!refersToItself(root)) return renamed(root, names) as JsonSchema;
  shared[names.get('#') as string] = renamed(root, names) as JsonSchema;
  return { $ref: `#/schemas/${names.get('#')}` };
}

/** Makes keys with a default optional. */
function requireNoDefaults(schema: {
  required?: string[];
  properties?: Record<string, unknown>;
}): void {
  const { required, properties = {} } = schema;
  if (required === undefined) return;
  schema.required = required.filter((key) => defaultOf(properties[key]) === undefined);
}

function refersToItself(schema: unknown): boolean {
  return JSON.stringify(schema).includes('"$ref":"#"');
}

function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = key === '$ref' ? names.get(inner) : undefined;
    return [key, name === undefined ? renamed(inner, names) : `#/schemas/${name}`];
  });
  return Object.fromEntries(entries);
}

/** The preferred name, or that name with a number if it is taken. */
function freeName(wish: string, taken: Readonly<Record<string, unknown>>): string {
  let name = wish;
  for (let k = 2; Object.hasOwn(taken, name); k++) name = `${wish}-${k}`;
  return name;
}

/** Adds a value by name, under another name if that is taken by another value; returns the name. */
export function addNamed<T>(values: Record<string, T>, wish: string, value: T): string {
  if (Object.hasOwn(values, wish) && canonicalJson(values[wish]) === canonicalJson(value)) {
    return wish;
  }
  const name = freeName(wish, values);
  values[name] = value;
  return name;
}

/** Whether a schema has rules that JSON Schema cannot express (`refine`). */
export function hasRefinements(schema: z.ZodType): boolean {
  let found = false;
  z.toJSONSchema(schema, {
    unrepresentable: 'any',
    override: ({ zodSchema }) => {
      const { checks = [] } = zodSchema._zod.def;
      found ||= checks.some((check) => check._zod.def.check === 'custom');
    },
  });
  return found;
}
