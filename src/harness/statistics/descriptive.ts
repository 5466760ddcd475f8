/** Arithmetic mean; null if there are no values. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}

/** Geometric mean of positive numbers; null if there are no values. */
export function geometricMean(values: readonly number[]): number | null {
  // The mean of equal values is exactly that value, although logarithms are rounded.
  if (values.every((value) => value === values[0])) return values[0] ?? null;
  return Math.exp(sum(values.map(Math.log)) / values.length);
}

/** Geometric mean of changes in percent: of 1 + change, less 1; null if there are no values. */
export function geometricPercent(changes: readonly number[]): number | null {
  const ratio = geometricMean(changes.map((change) => 1 + change / 100));
  return ratio === null ? null : 100 * (ratio - 1);
}

/** The smallest value that is at least a share (0 to 1) of the values; null if there are no values. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

/** Sum; 0 if there are no values. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The values that are not null. */
export function present<T>(values: readonly (T | null)[]): T[] {
  return values.filter((value) => value !== null);
}

/** Items by key, in the order in which the keys first appear. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}
