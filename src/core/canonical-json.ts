/**
 * JSON text that is the same for equal values: object keys sorted, no white space, `undefined`
 * members left out. Throws a TypeError on what JSON cannot hold (cycles, bigint).
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    item !== null && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : item,
  );
}
