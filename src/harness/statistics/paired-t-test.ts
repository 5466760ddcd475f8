import { sampleStandardDeviation } from 'simple-statistics';
import { mean } from './descriptive.js';
import { studentTwoSided } from './student-t.js';

/** What Student's test says of differences. */
export interface TTest {
  readonly t: number;
  /** Degrees of freedom. */
  readonly freedom: number;
  /** Two-sided. */
  readonly p: number;
}

/**
 * Student's paired t-test (Student 1908, doi:10.1093/biomet/6.1.1): is the mean of the differences of
 * pairs 0? It takes pairs for independent and their differences for normal.
 *
 * @returns null if there are fewer than two pairs, or if all differences are equal
 */
export function pairedTTest(differences: readonly number[]): TTest | null {
  const pairs = differences.length;
  const average = mean(differences);
  if (average === null || differences.every((one) => one === differences[0])) return null;
  const deviation = sampleStandardDeviation([...differences]);
  const t = average / (deviation / Math.sqrt(pairs));
  return { t, freedom: pairs - 1, p: studentTwoSided(t, pairs - 1) };
}
