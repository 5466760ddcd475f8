import { clusterBootstrap } from 'alas-jssp/harness';

/** A mean and its 95 % interval by resampling of whole problems; null if it cannot be estimated. */
export interface ReportedMean {
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * The mean of a value over items, with an interval that resamples whole problems.
 *
 * @param value null for items that do not count
 */
export function reportedMean<T>(
  items: readonly T[],
  problemOf: (item: T) => string,
  value: (item: T) => number | null,
): ReportedMean {
  const clusters = new Map<string, number[]>();
  for (const item of items) {
    const found = value(item);
    if (found === null) continue;
    const problem = problemOf(item);
    clusters.set(problem, [...(clusters.get(problem) ?? []), found]);
  }
  const values = [...clusters.values()];
  const all = values.flat();
  const mean = all.length === 0 ? null : all.reduce((sum, one) => sum + one, 0) / all.length;
  const interval = clusterBootstrap(values, { seed: 0 });
  return { mean, low: interval?.low ?? null, high: interval?.high ?? null };
}
