import { formatEvent } from '../../disruption/index.js';
import type { RepairResult } from '../../lcrp/engine.js';
import type { RepairMetrics } from '../../lcrp/metrics/metrics.js';
import type { CellValue, Column } from '../../report/columns.js';
import { counted, percent, whole } from '../../report/format.js';
import type { Explanation } from './explanation.js';

/** The outcome of a repair after events, as `alas-jssp repair` tells it. */
export interface Outcome extends Pick<RepairResult, 'applied' | 'judgement'> {
  readonly instance: string;
  readonly method: string;
  /** Violations of the plan that was given. */
  readonly violations: number;
  readonly metrics: RepairMetrics;
  /** Only if the user asked for it. */
  readonly explanation: Explanation | null;
}

/** The outcome for programs, with all metrics. */
export function toJson({ instance, method, violations, ...outcome }: Outcome): object {
  const { applied, judgement, metrics, explanation } = outcome;
  const { phase, makespan, ...measures } = metrics;
  return {
    schema: 'alas-jssp/repair@2',
    instance,
    method,
    now: applied.now,
    events: applied.events.map(formatEvent),
    arrived: applied.arrived.map(({ job, name = null }) => ({ job: `Job${job + 1}`, name })),
    lost: applied.lost.length,
    phase,
    violations_before: violations,
    feasible: judgement.feasible,
    executable: judgement.executable,
    violations: judgement.violations,
    makespan_before: makespan.before,
    makespan_compensated: makespan.compensated,
    makespan_reordered: makespan.reordered,
    makespan: makespan.final,
    metrics: measures,
    ...(explanation === null ? {} : { explanation }),
  };
}

/** The outcome in one line. */
export function describe({ instance, method, applied, judgement, metrics }: Outcome): string {
  const { before, final } = metrics.makespan;
  const verdict = judgement.feasible ? 'feasible' : 'infeasible';
  const edited = counted(metrics.edited_operations, 'operation');
  return `${instance}: repaired by ${method} at ${applied.now}, ${verdict}, makespan ${before} → ${final}, ${edited} edited`;
}

/** The outcome as a table of one row. */
export const columns: readonly Column<Outcome>[] = [
  { key: 'instance', header: 'instance', value: (row) => row.instance },
  { key: 'method', header: 'method', value: (row) => row.method },
  number('now', 'now', ({ applied }) => applied.now),
  { key: 'phase', header: 'phase', value: ({ metrics }) => metrics.phase },
  number('makespan_before', 'planned', ({ metrics }) => metrics.makespan.before),
  number('makespan_compensated', 'compensated', ({ metrics }) => metrics.makespan.compensated),
  number('makespan', 'makespan', ({ metrics }) => metrics.makespan.final),
  number('edited_operations', 'edited', ({ metrics }) => metrics.edited_operations),
  number('edit_radius', 'radius', ({ metrics }) => metrics.edit_radius),
  number('shift_total', 'shift', ({ metrics }) => metrics.shift_total),
  {
    key: 'kendall',
    header: 'kendall %',
    value: ({ metrics }) => metrics.kendall,
    format: (cell) => percent(1)(typeof cell === 'number' ? 100 * cell : cell),
  },
  number('match_up', 'match-up', ({ metrics }) => metrics.match_up),
  { key: 'feasible', header: 'feasible', value: ({ judgement }) => judgement.feasible },
];

function number(key: string, header: string, value: (row: Outcome) => CellValue): Column<Outcome> {
  return { key, header, value, format: whole };
}
