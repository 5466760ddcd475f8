import type { Mapping, ValueSource } from '@alas-jssp/agents';
import { AlasError } from '@alas-jssp/core/errors';
import type { Json } from '@alas-jssp/workflow';

/** The values that sources of a mapping refer to, by the first name of a reference. */
export type SourceValues = Readonly<Record<string, Json | undefined>>;

/** The object that a mapping describes, without the keys whose references find nothing. */
export function fillMapping(mapping: Mapping, values: SourceValues): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(mapping).flatMap(([key, source]) => {
      const value = valueOfSource(source, values);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/**
 * The object that a mapping describes.
 *
 * @throws AlasError `MissingValue` if a reference finds nothing
 */
export function fillWholeMapping(mapping: Mapping, values: SourceValues): Record<string, Json> {
  const filled = fillMapping(mapping, values);
  const missing = Object.keys(mapping).find((key) => !Object.hasOwn(filled, key));
  if (missing === undefined) return filled;
  const source = String(mapping[missing]);
  throw new AlasError('MissingValue', `${missing} is missing: there is no ${source}`, source);
}

function valueOfSource(source: ValueSource, values: SourceValues): Json | undefined {
  if (typeof source !== 'string') return source.value as Json;
  return source.split('.').reduce<Json | undefined>(memberOf, values as Json);
}

/** The own member of a value. */
function memberOf(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, Json>>)[key];
}
