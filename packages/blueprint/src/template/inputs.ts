import type { JsonSchema } from '@alas-jssp/workflow';
import type { Specification } from '../specification/specification.js';

type InputField = Specification['inputs'][number];

/** The schema of the input of a run: all fields that the specification lists, and no others. */
export function runInputSchema({ inputs }: Pick<Specification, 'inputs'>): JsonSchema {
  return closedObject(inputs.map((field) => [field.name, fieldSchema(field)]));
}

function fieldSchema({ type, items }: InputField): JsonSchema {
  if (type === 'object') return { type: 'object' };
  if (type !== 'list') return { type };
  if (items === undefined) return { type: 'array' };
  const fields = Object.entries(items).map(([name, kind]) => [name, { type: kind }] as const);
  return { type: 'array', items: closedObject(fields) as never };
}

function closedObject(fields: readonly (readonly [string, JsonSchema])[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(fields) as never,
    required: [...new Set(fields.map(([name]) => name))],
    additionalProperties: false,
  };
}
