import type { ErrorObject } from 'ajv';

/** Describes why a schema rejects a value: the place, the problem and a valid value. */
export function describeError({ instancePath, message, params }: ErrorObject): string {
  const place = instancePath === '' ? 'the value' : instancePath;
  return `${place} ${message}${details(params)}`;
}

/** Details that the library's messages omit: names of keys, and allowed values. */
function details(params: ErrorObject['params']): string {
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params;
  const key = additionalProperty ?? unevaluatedProperty;
  if (key !== undefined) return ` (${JSON.stringify(key)})`;
  const values = allowedValues ?? (allowedValue === undefined ? [] : [allowedValue]);
  return values.length === 0
    ? ''
    : ` (${values.map((value: unknown) => JSON.stringify(value)).join(', ')})`;
}
