import { createRandom } from '@alas-jssp/core/random';
import { quantileSorted } from 'simple-statistics';
import { sum } from './descriptive.js';

/** Bounds of a mean. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Options of an interval. */
export interface BootstrapOptions {
  readonly seed: number | string;
  /** Number of times that clusters are drawn. Default: {@link RESAMPLES}. */
  readonly resamples?: number | undefined;
}

/** Number of times that clusters are drawn by default. */
export const RESAMPLES = 2000;

/**
 * The 95 % interval of a mean by the cluster bootstrap (Davison and Hinkley 1997, *Bootstrap Methods and their
 * Application*, 3.8; percentile method): whole clusters are drawn with replacement, as many as there are, because the
 * values of one cluster, such as the replicates of an instance, depend on each other.
 *
 * @param clusters the values of each cluster, at least one in each
 * @returns null if there are fewer than two clusters, or if all values are equal: no observed variation does not prove
 *   that there is none
 */
export function clusterBootstrap(
  clusters: readonly (readonly number[])[],
  { seed, resamples = RESAMPLES }: BootstrapOptions,
): Interval | null {
  const first = clusters[0]?.[0];
  if (clusters.length < 2 || clusters.every((some) => some.every((value) => value === first))) {
    return null;
  }
  const sums = clusters.map(sum);
  const means = new Float64Array(resamples);
  const random = createRandom(seed);
  for (let k = 0; k < resamples; k++) {
    let total = 0;
    let count = 0;
    for (let draw = 0; draw < clusters.length; draw++) {
      const cluster = random.integer(0, clusters.length - 1);
      total += sums[cluster];
      count += clusters[cluster].length;
    }
    means[k] = total / count;
  }
  const sorted = [...means.sort()];
  return { low: quantileSorted(sorted, 0.025), high: quantileSorted(sorted, 0.975) };
}
