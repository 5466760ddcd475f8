import { AlasError } from '@alas-jssp/core/errors';
import { once } from '@alas-jssp/core/once';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describeError } from '../ir/schema-error.js';
import type { JsonSchema } from '../ir/workflow.js';
import type { Json } from '../log/entry.js';

/** Schemas by name, as a workflow holds them: `#/schemas/NAME` refers to them. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** Lists the violations of a value, one message for each, with its JSON Pointer. */
type SchemaCheck = (value: Json) => readonly string[];

/** Makes the check of a schema. */
export type SchemaChecks = (schema: JsonSchema) => SchemaCheck;

/**
 * Compiling rejects bad schemas too, in a fiftieth of the time that the schema of schemas takes.
 */
const OPTIONS = { allErrors: true, strict: false, validateFormats: false, validateSchema: false };

/**
 * Makes checks of JSON Schemas (draft 2020-12) that refer to the same others. Equal schemas are
 * compiled once, when they are first used; `format` is documentation only.
 *
 * @throws AlasError `bad_schema` for an invalid schema
 */
export function createSchemaChecks(schemas: Schemas = {}): SchemaChecks {
  const ajv = once(() => new Ajv2020(OPTIONS));
  const checks = new Map<string, SchemaCheck>();
  return (schema) => {
    if (schema === true) return () => [];
    const text = JSON.stringify(schema);
    let check = checks.get(text);
    if (check === undefined) {
      check = compile(ajv(), schema, schemas);
      checks.set(text, check);
    }
    return check;
  };
}

function compile(ajv: Ajv2020, schema: JsonSchema, schemas: Schemas): SchemaCheck {
  const root = schema === false ? { not: {} } : (schema as object);
  let check: ReturnType<Ajv2020['compile']>;
  try {
    check = ajv.compile({ ...root, schemas });
  } catch (error) {
    throw new AlasError('bad_schema', `not a JSON Schema: ${(error as Error).message}`, schema);
  }
  return (value) => {
    check(value);
    return (check.errors ?? []).map(describeError);
  };
}
