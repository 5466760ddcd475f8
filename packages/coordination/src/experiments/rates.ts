import { clusterBootstrap } from 'alas-jssp/harness';

/** A mean of values from 0 to 1, in percent, with its 95 % interval. */
export interface Rate {
  /** Null if there are no values. */
  readonly percent: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Number of records with a value. */
  readonly n: number;
}

/** The 97.5 % quantile of the normal distribution. */
const Z = 1.959964;

/**
 * The mean of one value for each record. Its interval is Wilson's (1927) if all values are 0 or 1, or all are equal, and
 * the percentile bootstrap over records otherwise.
 */
export function rateOf(values: readonly number[]): Rate {
  const n = values.length;
  if (n === 0) return { percent: null, low: null, high: null, n };
  const mean = values.reduce((sum, one) => sum + one, 0) / n;
  const isBinary = values.every((one) => one === 0 || one === 1);
  const resampled = isBinary
    ? null
    : clusterBootstrap(
        values.map((one) => [one]),
        { seed: 0 },
      );
  const { low, high } = resampled ?? wilson(mean, n);
  return { percent: 100 * mean, low: 100 * low, high: 100 * high, n };
}

/** Wilson's interval of a share. */
export function wilson(share: number, n: number): { readonly low: number; readonly high: number } {
  const square = (Z * Z) / n;
  const centre = (share + square / 2) / (1 + square);
  const half = (Z * Math.sqrt((share * (1 - share)) / n + square / (4 * n))) / (1 + square);
  // At the ends, where rounding would miss them, the limits are exact.
  return { low: share === 0 ? 0 : centre - half, high: share === 1 ? 1 : centre + half };
}

/** Differences of pairs: their mean in percentage points, its interval, and a test of their signs. */
export interface PairedRate extends Rate {
  readonly better: number;
  readonly worse: number;
  readonly equal: number;
  /** Two-sided exact sign test; null if all pairs are equal. */
  readonly p: number | null;
}

/** Compares pairs by their differences. The interval is the percentile bootstrap over pairs. */
export function pairedRate(differences: readonly number[]): PairedRate {
  const n = differences.length;
  const better = differences.filter((one) => one > 0).length;
  const worse = differences.filter((one) => one < 0).length;
  const signs = { better, worse, equal: n - better - worse, p: signTest(better, worse) };
  if (n === 0) return { percent: null, low: null, high: null, n, ...signs };
  const mean = differences.reduce((sum, one) => sum + one, 0) / n;
  const interval = clusterBootstrap(
    differences.map((one) => [one]),
    { seed: 0 },
  );
  const inPercent = (value: number | undefined) => (value === undefined ? null : 100 * value);
  const bounds = { low: inPercent(interval?.low), high: inPercent(interval?.high) };
  return { percent: 100 * mean, ...bounds, n, ...signs };
}

/** Two-sided exact binomial test of equally many gains and losses. */
function signTest(better: number, worse: number): number | null {
  const n = better + worse;
  if (n === 0) return null;
  let term = 0.5 ** n;
  let tail = 0;
  for (let k = 0; k <= Math.min(better, worse); k++) {
    tail += term;
    term *= (n - k) / (k + 1);
  }
  return Math.min(1, 2 * tail);
}
