import type { ErrorObject } from 'ajv';

/** Describes why a schema refuses a value: where in it, what is wrong, and what would be right. */
export function describeError({ instancePath, message, params }: ErrorObject): string {
  const place = instancePath === '' ? 'the value' : instancePath;
  return `${place} ${message}${details(params)}`;
}

/**
 * Details that the messages of the library leave out: names of keys, and the values that may stand
 * there.
 */
function details(params: ErrorObject['params']): string {
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params;
  const key = additionalProperty ?? unevaluatedProperty;
  if (key !== undefined) return ` (${JSON.stringify(key)})`;
  const values = allowedValues ?? (allowedValue === undefined ? [] : [allowedValue]);
  return values.length === 0
    ? ''
    : ` (${values.map((value: unknown) => JSON.stringify(value)).join(', ')})`;
}
