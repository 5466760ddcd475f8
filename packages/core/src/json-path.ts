/** The keys and indexes that lead to a value inside a JSON document. */
export type JsonPath = readonly PropertyKey[];

const LONGEST_VALUE = 40;

/** A path inside a JSON document in the usual notation: `$.jobs[3].operations[0]`. */
export function formatPath(path: JsonPath): string {
  return path.reduce<string>(
    (text, key) => text + (typeof key === 'number' ? `[${key}]` : `.${String(key)}`),
    '$',
  );
}

/** The value at a path of a JSON document; undefined if there is none. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce((item, key) => (item as Record<PropertyKey, unknown>)?.[key], value);
}

/** Describes an unexpected value: scalars literally, others by their kind. */
export function describeFound(value: unknown): string {
  return value === undefined ? 'this is missing' : `this is ${describeValue(value)}`;
}

/** Distinguishes objects from lists and scalars. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (isObject(value)) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

/** A key as a token of a JSON Pointer (RFC 6901). */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The keys of a JSON Pointer, outermost first. */
export function pointerKeys(pointer: string): string[] {
  const keys = pointer.split('/').slice(1);
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
