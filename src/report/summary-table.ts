import type { RunSummary, SummaryRow } from '../harness/records/summary.js';
import type { Column } from './columns.js';
import { formatSeconds, percent, whole } from './format.js';
import { type Format, renderJson, renderTable, type TableStyle } from './table.js';

/** The columns of a summary. */
const summaryColumns: readonly Column<SummaryRow>[] = [
  {
    key: 'suite',
    header: 'suite',
    value: ({ suite }) => suite,
    format: (suite) => String(suite ?? 'all'),
    align: 'left',
  },
  { key: 'planner', header: 'planner', value: ({ planner }) => planner },
  { key: 'variant', header: 'variant', value: ({ variant }) => variant },
  { key: 'method', header: 'method', value: ({ method }) => method },
  { key: 'records', header: 'runs', value: ({ records }) => records, format: whole },
  {
    key: 'feasible',
    minor: 3,
    header: 'feasible',
    value: ({ feasible }) => feasible,
    format: whole,
  },
  {
    key: 'infeasible',
    minor: 7,
    header: 'infeasible',
    value: ({ infeasible }) => infeasible,
    format: whole,
  },
  {
    key: 'errors',
    minor: 2,
    header: 'errors',
    value: ({ errors }) => errors,
    format: whole,
    tone: ({ errors }) => (errors > 0 ? 'bad' : 'plain'),
  },
  {
    key: 'success_percent',
    header: 'success %',
    value: (row) => row.success_percent,
    format: percent(1),
    tone: (row) => (row.success_percent === 100 ? 'good' : 'bad'),
  },
  {
    key: 'repaired',
    header: 'repaired',
    value: ({ repaired }) => repaired,
    format: whole,
  },
  { key: 'optimized', header: 'optimized', value: ({ optimized }) => optimized, hidden: true },
  {
    key: 'plan_gap_percent',
    header: 'plan gap %',
    value: (row) => row.plan_gap_percent,
    format: percent(2),
  },
  {
    key: 'measured',
    minor: 5,
    header: 'measured',
    value: ({ measured }) => measured,
    format: whole,
  },
  {
    key: 'optimality_percent',
    minor: 4,
    header: 'optimality %',
    value: (row) => row.optimality_percent,
    format: percent(2),
  },
  { key: 'gap_percent', header: 'gap %', value: (row) => row.gap_percent, format: percent(2) },
  {
    key: 'geometric_gap_percent',
    minor: 6,
    header: 'geo gap %',
    value: (row) => row.geometric_gap_percent,
    format: percent(2),
  },
  {
    key: 'proven_optimal',
    minor: 1,
    header: 'proven',
    value: (row) => row.proven_optimal,
    format: whole,
  },
  { key: 'executed', header: 'executed', value: ({ executed }) => executed, hidden: true },
  {
    key: 'degradation_percent',
    header: 'degradation %',
    value: (row) => row.degradation_percent,
    format: percent(2),
  },
  {
    key: 'edited_operations',
    minor: 4,
    header: 'edited',
    value: (row) => row.edited_operations,
    format: percent(1),
  },
  {
    key: 'rank_changes',
    minor: 5,
    header: 'rank changes',
    value: (row) => row.rank_changes,
    format: percent(1),
  },
  { key: 'repairs', minor: 6, header: 'repairs', value: ({ repairs }) => repairs, format: whole },
  {
    key: 'latency_p50_seconds',
    minor: 1,
    header: 'p50',
    value: (row) => row.latency_p50_seconds,
    format: formatSeconds,
  },
  {
    key: 'latency_p99_seconds',
    minor: 2,
    header: 'p99',
    value: (row) => row.latency_p99_seconds,
    format: formatSeconds,
  },
  {
    key: 'seconds_total',
    minor: 3,
    header: 'time',
    value: (row) => row.seconds_total,
    format: formatSeconds,
  },
  {
    key: 'seconds_mean',
    minor: 8,
    header: 'mean time',
    value: (row) => row.seconds_mean,
    format: formatSeconds,
  },
];

/**
 * Writes a summary: one row per suite and planner and, if there are several suites, one per
 * planner over all of them. JSON is the whole summary as in `summary.json`.
 */
export function renderSummary(summary: RunSummary, format: Format, style?: TableStyle): string {
  if (format === 'json') return renderJson(summary);
  const { suites, overall } = summary;
  const severalSuites = new Set(suites.map(({ suite }) => suite)).size > 1;
  const rows = severalSuites ? [...suites, ...overall] : suites;
  return renderTable(worthShowing(rows), rows, format, style);
}

/** What is measured against bounds, and what only executions have. */
const OF_PLANS = [
  'plan_gap_percent',
  'measured',
  'optimality_percent',
  'gap_percent',
  'geometric_gap_percent',
  'proven_optimal',
];
const OF_EXECUTIONS = [
  'degradation_percent',
  'edited_operations',
  'rank_changes',
  'repairs',
  'latency_p50_seconds',
  'latency_p99_seconds',
];

/** For people, variants are worth a column where there are several, plans where more came after. */
function worthShowing(rows: readonly SummaryRow[]): readonly Column<SummaryRow>[] {
  const needless = new Set<string>();
  if (new Set(rows.map(({ variant }) => variant)).size < 2) needless.add('variant');
  if (rows.every(({ repaired }) => repaired === 0)) needless.add('repaired');
  if (rows.every(({ optimized }) => optimized === 0)) needless.add('plan_gap_percent');
  if (rows.every(({ method }) => method === null)) needless.add('method');
  const isExecuted = rows.some(({ executed }) => executed > 0);
  for (const key of isExecuted ? OF_PLANS : OF_EXECUTIONS) needless.add(key);
  return summaryColumns.map((column) => ({
    ...column,
    hidden: column.hidden === true || needless.has(column.key),
  }));
}
