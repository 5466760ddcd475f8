import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../ir/workflow.js';
import type { Json } from '../log/entry.js';

/** Schemas by name, as a workflow has them: `#/schemas/NAME` refers to them. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

/**
 * Makes a check of a JSON Schema (draft 2020-12): it gives what is wrong with a value, one message
 * for each violation.
 */
export function schemaCheck(schema: JsonSchema, schemas: Schemas = {}): (value: Json) => string[] {
  if (schema === true) return () => [];
  const root = typeof schema === 'boolean' ? { allOf: [schema] } : schema;
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  const check = ajv.compile({ ...root, schemas });
  return (value) => {
    check(value);
    return (check.errors ?? []).map(
      ({ instancePath, message }) =>
        `${instancePath === '' ? 'the value' : instancePath} ${message}`,
    );
  };
}
