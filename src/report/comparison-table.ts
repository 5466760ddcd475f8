import type { Comparison, Pair } from '../harness/records/compare.js';
import type { Crossing } from '../harness/records/gate.js';
import type { Column, Tone } from './columns.js';
import { change, clipped, counted, percent, whole } from './format.js';
import { type Format, renderJson, renderTable, type TableStyle } from './table.js';

/** The columns of a table of pairs. */
const pairColumns: readonly Column<Pair>[] = [
  { key: 'verdict', header: 'verdict', value: ({ verdict }) => verdict, tone: toneOf },
  { key: 'instance', header: 'instance', value: ({ run }) => run.instance },
  { key: 'suite', minor: 6, header: 'suite', value: ({ run }) => run.suite },
  { key: 'planner', header: 'planner', value: ({ run }) => run.planner },
  {
    key: 'baseline_planner',
    header: 'against',
    value: ({ baseline }) => baseline.planner,
    hidden: true,
  },
  { key: 'variant', header: 'variant', value: ({ run }) => run.variant, hidden: true },
  { key: 'method', header: 'method', value: ({ run }) => run.method },
  {
    key: 'baseline_method',
    header: 'method was',
    value: ({ baseline }) => baseline.method,
  },
  { key: 'replicate', header: 'replicate', value: ({ run }) => run.replicate, hidden: true },
  { key: 'makespan', header: 'makespan', value: ({ run }) => run.makespan, format: whole },
  {
    key: 'baseline_makespan',
    header: 'was',
    value: ({ baseline }) => baseline.makespan,
    format: whole,
  },
  {
    key: 'change_percent',
    header: 'change %',
    value: (pair) => pair.change_percent,
    format: change(2),
  },
  {
    key: 'gap_percent',
    minor: 2,
    header: 'gap %',
    value: ({ run }) => run.gap_percent,
    format: percent(2),
  },
  {
    key: 'baseline_gap_percent',
    minor: 4,
    header: 'gap % was',
    value: ({ baseline }) => baseline.gap_percent,
    format: percent(2),
  },
  { key: 'status', minor: 3, header: 'status', value: ({ run }) => run.status, tone: statusTone },
  {
    key: 'baseline_status',
    minor: 5,
    header: 'status was',
    value: ({ baseline }) => baseline.status,
  },
];

/** The columns of a table of crossed limits: one row for each record behind them. */
const crossingColumns: readonly Column<CrossingRow>[] = [
  { key: 'limit', header: 'limit', value: ({ crossing }) => crossing.limit.text },
  { key: 'suite', header: 'suite', value: ({ crossing }) => crossing.suite },
  { key: 'planner', header: 'planner', value: ({ crossing }) => crossing.planner },
  { key: 'variant', header: 'variant', value: ({ crossing }) => crossing.variant, hidden: true },
  { key: 'method', header: 'method', value: ({ crossing }) => crossing.method },
  { key: 'instance', header: 'instance', value: ({ row }) => row?.record.instance ?? null },
  {
    key: 'replicate',
    header: 'replicate',
    value: ({ row }) => row?.record.replicate ?? null,
    format: whole,
  },
  { key: 'status', header: 'status', value: ({ row }) => row?.record.status ?? null },
  {
    key: 'value',
    header: 'value',
    value: ({ row, crossing }) => (row ? row.value : crossing.value),
    format: percent(2),
    tone: () => 'bad',
  },
  {
    key: 'baseline',
    header: 'was',
    value: ({ row }) => row?.baseline ?? null,
    format: percent(2),
  },
  {
    key: 'error',
    minor: 1,
    header: 'error',
    value: ({ row }) => row?.record.error ?? null,
    format: clipped(50),
    align: 'left',
  },
];

interface CrossingRow {
  readonly crossing: Crossing;
  /** Null where a crossing has no rows: nothing could be measured. */
  readonly row: Crossing['rows'][number] | null;
}

/**
 * Writes a comparison: one row for every pair that is not the same, the worse ones first. JSON is
 * the comparison itself; CSV has every pair.
 */
export function renderComparison(
  comparison: Comparison,
  format: Format,
  style?: TableStyle,
): string {
  if (format === 'json') return renderJson(comparison);
  if (format === 'csv') return renderTable(pairColumns, comparison.pairs, format);
  const changed = (['worse', 'incomparable', 'better'] as const).flatMap((verdict) =>
    comparison.pairs.filter((pair) => pair.verdict === verdict),
  );
  const table =
    changed.length === 0 ? '' : renderTable(worthShowing(changed), changed, format, style);
  return `${table}${table === '' ? '' : '\n'}${describeComparison(comparison)}\n`;
}

/** The outcome of a comparison in one line. */
export function describeComparison(comparison: Comparison): string {
  const { pairs, counts, repair, optimize, policy } = comparison;
  const parts = [`${counts.better} better`, `${counts.worse} worse`, `${counts.same} the same`];
  if (counts.incomparable > 0) parts.push(`${counts.incomparable} not comparable`);
  if (repair.run !== repair.baseline) {
    parts.push(repair.run ? 'repaired against unrepaired' : 'unrepaired against repaired');
  }
  const { run, baseline } = optimize;
  if (run !== baseline) parts.push(`optimize ${run ?? 'none'} against ${baseline ?? 'none'}`);
  if (policy.run !== policy.baseline) {
    parts.push(`policy ${policy.run ?? 'none'} against ${policy.baseline ?? 'none'}`);
  }
  return `${counted(pairs.length, 'pair')}: ${parts.join(', ')}`;
}

/** Writes crossed limits with the records behind them; JSON is the crossings themselves. */
export function renderCrossings(
  crossings: readonly Crossing[],
  format: Format,
  style?: TableStyle,
): string {
  if (format === 'json') return renderJson(crossings);
  const rows = crossings.flatMap((crossing): CrossingRow[] =>
    crossing.rows.length === 0
      ? [{ crossing, row: null }]
      : crossing.rows.map((row) => ({ crossing, row })),
  );
  const isExecuted = rows.some(({ crossing }) => crossing.method !== null);
  const columns = isExecuted ? crossingColumns : without(crossingColumns, ['method']);
  return renderTable(columns, rows, format, style);
}

/** For people: methods where there are some, gaps where there are none. */
function worthShowing(pairs: readonly Pair[]): readonly Column<Pair>[] {
  const isExecuted = pairs.some(({ run }) => run.method !== null);
  const needless = isExecuted
    ? ['gap_percent', 'baseline_gap_percent']
    : ['method', 'baseline_method'];
  return without(pairColumns, needless);
}

function without<Row>(
  columns: readonly Column<Row>[],
  needless: readonly string[],
): readonly Column<Row>[] {
  return columns.map((column) => ({
    ...column,
    hidden: column.hidden === true || needless.includes(column.key),
  }));
}

function toneOf({ verdict }: Pair): Tone {
  return verdict === 'better' ? 'good' : verdict === 'worse' ? 'bad' : 'quiet';
}

function statusTone({ run }: Pair): Tone {
  return run.status === 'ok' ? 'plain' : 'bad';
}
