/** The keys and indexes that lead to a value inside a JSON document. */
export type JsonPath = readonly PropertyKey[];

const LONGEST_VALUE = 40;

/** A path inside a JSON document as people write it: `$.jobs[3].operations[0]`. */
export function formatPath(path: JsonPath): string {
  return path.reduce<string>(
    (text, key) => text + (typeof key === 'number' ? `[${key}]` : `.${String(key)}`),
    '$',
  );
}

/** A value of a JSON document in few words: scalars as they are, the others by their kind. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (value !== null && typeof value === 'object') return 'an object';
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
