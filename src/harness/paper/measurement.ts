import { deriveSeed } from '@alas-jssp/core/seed';
import { sampleStandardDeviation } from 'simple-statistics';
import type { RunRecord } from '../records/record.js';
import { clusterBootstrap } from '../statistics/bootstrap.js';
import { geometricMean, groupBy, mean, present, sum } from '../statistics/descriptive.js';
import type { PairedTests } from '../statistics/difference-tests.js';
import type { Measure, RowStage } from './values.js';

/** Values of a measure on one suite, or on all. */
export interface Measurement {
  /** Null: all suites together. */
  readonly suite: string | null;
  /** Number of records. */
  readonly records: number;
  /** Number of records with a value, and of their instances. */
  readonly values: number;
  readonly instances: number;
  readonly sum: number | null;
  readonly mean: number | null;
  /** Null unless all values are positive. */
  readonly geometric_mean: number | null;
  /** Sample standard deviation of the values. */
  readonly deviation: number | null;
  /** The 95 % interval of the mean. */
  readonly low: number | null;
  readonly high: number | null;
  /** The baseline and the tests against it; null without a baseline. */
  readonly baseline: PairedTests | null;
}

/** The mean of each instance that has a value; replicates are not separate pairs. */
export function instanceMeans(
  records: readonly RunRecord[],
  stage: RowStage,
  measure: Measure,
): Map<string, number> {
  const means = new Map<string, number>();
  for (const [instance, some] of groupBy(records, (record) => record.instance)) {
    const average = mean(present(some.map((record) => measure.valueOf(record, stage))));
    if (average !== null) means.set(instance, average);
  }
  return means;
}

/**
 * Measures one cell, without the tests against a baseline.
 *
 * @param records of one planner in one variant on one suite, or on all suites
 * @param seed of the intervals: cells with the same instances draw the same samples
 */
export function measureCell(
  suite: string | null,
  records: readonly RunRecord[],
  stage: RowStage,
  measure: Measure,
  seed: number,
): Measurement {
  const clusters = [...groupBy(records, ({ instance }) => instance).values()]
    .map((some) => present(some.map((record) => measure.valueOf(record, stage))))
    .filter((values) => values.length > 0);
  const values = clusters.flat();
  const interval = clusterBootstrap(clusters, { seed: deriveSeed(seed, 'bootstrap') });
  return {
    suite,
    records: records.length,
    values: values.length,
    instances: clusters.length,
    sum: values.length === 0 ? null : sum(values),
    mean: mean(values),
    geometric_mean: values.every((value) => value > 0) ? geometricMean(values) : null,
    deviation: values.length < 2 ? null : sampleStandardDeviation(values),
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    baseline: null,
  };
}
