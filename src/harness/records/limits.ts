import { InputError } from '@alas-jssp/core/errors';
import { geometricPercent, mean, present, sum } from '../statistics/descriptive.js';
import type { RunRecord } from './record.js';

/** A number of a run that can be limited. */
export interface Metric {
  /** Its value for one record; null if the record has none. */
  readonly value: (record: RunRecord) => number | null;
  /** Its value for several records, over those that have one; null if none has. */
  readonly overall: (values: readonly number[]) => number | null;
  readonly kind: 'percentage' | 'quantity' | 'count';
  /** Unit for people. */
  readonly unit: '%' | ' s' | '';
  /** True if two runs are compared only where both are feasible. */
  readonly ofFeasible: boolean;
  /** The midpoint of a yes-or-no value; else null. */
  readonly halfway: number | null;
}

/** The metrics by the names that limits use for them. */
export const metrics = {
  /** Feasible records, percent. */
  success: { ...percentage((record) => (record.feasible ? 100 : 0), false), halfway: 50 },
  /** Mean optimality of the feasible records, percent. */
  optimality: percentage((record) => record.optimality_percent, true),
  /** Mean gap of the feasible records, percent. */
  gap: percentage((record) => record.gap_percent, true),
  /** Geometric mean gap of the feasible records, percent. */
  geogap: { ...percentage((record) => record.gap_percent, true), overall: geometricPercent },
  /** Mean makespan of the feasible records, in the time unit of the instances. */
  makespan: quantity(({ makespan }) => makespan, '', true),
  /** Number of records with a proven optimal schedule. */
  proven: count((record) => record.proven_optimal),
  /** Number of records with an infeasible plan. */
  infeasible: count((record) => record.status === 'infeasible'),
  /** Number of records with status `error`. */
  errors: count((record) => record.status === 'error'),
  /** Mean time of a record, seconds. */
  time: quantity(({ seconds }) => seconds.total, ' s', false),
} as const satisfies Record<string, Metric>;

/** The name of a metric. */
export type MetricName = keyof typeof metrics;

/** The value of a metric over records; null if none of them has one. */
export function measure(name: MetricName, records: readonly RunRecord[]): number | null {
  const { value, overall } = metrics[name];
  return overall(present(records.map(value)));
}

/** A limit that a run must not cross, such as `success<100` or `gap>+0.2`. */
export interface Limit {
  /** The limit as written. */
  readonly text: string;
  readonly metric: MetricName;
  /** The side that violates the limit. */
  readonly side: '<' | '>';
  /**
   * The base of the threshold: zero, the baseline's value plus a number, or the baseline's value plus a percentage of
   * it.
   */
  readonly base: 'zero' | 'baseline' | 'baseline percent';
  readonly number: number;
}

const LIMIT = /^([a-z]+)\s*([<>])\s*([+-]?)(\d+(?:\.\d+)?|\.\d+)(%?)$/i;

/**
 * Reads limits: `METRIC<NUMBER` or `METRIC>NUMBER`, separated by commas; each describes what is not acceptable. A
 * number with a sign is added to the baseline's value: `gap>+0.2` is a mean gap of more than 0.2 percentage points
 * above the baseline's, `makespan>+1%` a mean makespan of more than 1% above it.
 *
 * @throws InputError `bad_limit` with the part that is not a limit
 */
export function parseLimits(text: string): Limit[] {
  return text.split(',').map((part) => parseLimit(part.trim()));
}

function parseLimit(text: string): Limit {
  const found = LIMIT.exec(text);
  if (found === null) throw badLimit(text, 'write it like success<100, gap>+0.2 or makespan>+1%');
  const [, word, side, sign, digits, percent] = found;
  const metric = word.toLowerCase();
  if (!isMetric(metric)) {
    throw badLimit(text, `use one of the metrics ${Object.keys(metrics).join(', ')}`);
  }
  if (percent !== '' && (sign === '' || metrics[metric].kind !== 'quantity')) {
    throw badLimit(
      text,
      'leave out the percent sign: only changes of makespan and time are in percent',
    );
  }
  return {
    text,
    metric,
    side: side as Limit['side'],
    base: sign === '' ? 'zero' : percent === '' ? 'baseline' : 'baseline percent',
    number: Number(sign + digits),
  };
}

function percentage(value: Metric['value'], ofFeasible: boolean): Metric {
  return { value, overall: mean, kind: 'percentage', unit: '%', ofFeasible, halfway: null };
}

function quantity(value: Metric['value'], unit: Metric['unit'], ofFeasible: boolean): Metric {
  return { value, overall: mean, kind: 'quantity', unit, ofFeasible, halfway: null };
}

function count(holds: (record: RunRecord) => boolean): Metric {
  const value = (record: RunRecord) => (holds(record) ? 1 : 0);
  return { value, overall: sum, kind: 'count', unit: '', ofFeasible: false, halfway: 0.5 };
}

function isMetric(word: string): word is MetricName {
  return Object.hasOwn(metrics, word);
}

function badLimit(text: string, hint: string): InputError {
  return new InputError('bad_limit', `'${text}' is not a limit`, hint, {}, text);
}
