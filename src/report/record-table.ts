import type { RunRecord } from '../harness/records/record.js';
import type { Cell, Column, Tone } from './columns.js';
import { clipped, formatSeconds, percent, whole } from './format.js';
import { type Format, renderTable, type TableStyle } from './table.js';

/** The columns of a table of records; in CSV all that a record holds. */
const recordColumns: readonly Column<RunRecord>[] = [
  { key: 'instance', header: 'instance', value: ({ instance }) => instance },
  plain('suite'),
  { key: 'jobs', minor: 4, header: 'size', value: ({ jobs }) => jobs, format: sizeOf },
  plain('machines'),
  { key: 'planner', header: 'planner', value: ({ planner }) => planner },
  plain('synthetic'),
  plain('variant'),
  { key: 'method', header: 'method', value: ({ method }) => method },
  {
    key: 'replicate',
    minor: 1,
    header: 'replicate',
    value: ({ replicate }) => replicate,
    format: whole,
  },
  plain('seed'),
  { key: 'status', header: 'status', value: ({ status }) => status, tone: toneOf },
  plain('feasible'),
  hidden('plan_feasible', ({ stages }) => stages.plan?.feasible ?? null),
  {
    key: 'plan_makespan',
    minor: 4,
    header: 'planned',
    value: ({ stages }) => stages.plan?.makespan ?? null,
    format: whole,
  },
  {
    key: 'plan_gap_percent',
    header: 'plan gap %',
    value: ({ stages }) => stages.plan?.gap_percent ?? null,
    format: percent(2),
  },
  { key: 'makespan', header: 'makespan', value: ({ makespan }) => makespan, format: whole },
  plain('claimed_makespan'),
  { key: 'lower_bound', minor: 3, header: 'lower', value: (row) => row.lower_bound, format: whole },
  plain('lower_bound_source'),
  { key: 'upper_bound', minor: 2, header: 'upper', value: (row) => row.upper_bound, format: whole },
  { key: 'gap_percent', header: 'gap %', value: (row) => row.gap_percent, format: percent(2) },
  {
    key: 'optimality_percent',
    minor: 6,
    header: 'optimality %',
    value: (row) => row.optimality_percent,
    format: percent(2),
  },
  {
    key: 'proven_optimal',
    minor: 5,
    header: 'proven',
    value: (row) => row.proven_optimal,
    format: (value) => (value === true ? 'optimal' : ''),
    align: 'left',
  },
  {
    key: 'violations',
    minor: 1,
    header: 'violations',
    value: ({ violations }) => total(violations),
    format: (value) => (value === null || value === 0 ? '' : String(value)),
  },
  hidden('repair_feasible', ({ stages }) => stages.repair?.feasible ?? null),
  hidden('repair_makespan', ({ stages }) => stages.repair?.makespan ?? null),
  hidden('repair_gap_percent', ({ stages }) => stages.repair?.gap_percent ?? null),
  hidden('repair_phase', ({ repair }) => repair?.phase ?? null),
  {
    key: 'repair_seed_coverage',
    minor: 3,
    header: 'covered %',
    value: ({ repair }) => repair?.seed_coverage ?? null,
    format: shareInPercent,
  },
  {
    key: 'repair_kept_order',
    minor: 3,
    header: 'kept order %',
    value: ({ repair }) => repair?.kept_order ?? null,
    format: shareInPercent,
  },
  hidden('repair_dropped', ({ repair }) => total(repair?.dropped)),
  hidden('repair_corrected', ({ repair }) => total(repair?.corrected)),
  hidden('repair_inserted', ({ repair }) => repair?.inserted ?? null),
  ...executionColumns(),
  hidden('optimize_feasible', ({ stages }) => stages.optimize?.feasible ?? null),
  hidden('optimize_makespan', ({ stages }) => stages.optimize?.makespan ?? null),
  hidden('optimize_gap_percent', ({ stages }) => stages.optimize?.gap_percent ?? null),
  hidden('optimize_status', ({ stages }) => stages.optimize?.status ?? null),
  hidden('optimize_lower_bound', ({ stages }) => stages.optimize?.lower_bound ?? null),
  hidden('optimize_iterations', ({ stages }) => stages.optimize?.iterations ?? null),
  hidden('tokens_input', ({ tokens }) => tokens.input),
  hidden('tokens_output', ({ tokens }) => tokens.output),
  hidden('tokens_estimated', ({ tokens }) => tokens.estimated),
  plain('cost_usd'),
  hidden('seconds_plan', ({ seconds }) => seconds.plan),
  hidden('seconds_validate', ({ seconds }) => seconds.validate),
  hidden('seconds_repair', ({ seconds }) => seconds.repair),
  hidden('seconds_optimize', ({ seconds }) => seconds.optimize),
  hidden('seconds_execute', ({ seconds }) => seconds.execute),
  {
    key: 'seconds_total',
    minor: 2,
    header: 'time',
    value: ({ seconds }) => seconds.total,
    format: formatSeconds,
  },
  {
    key: 'error',
    header: 'error',
    value: ({ error }) => error,
    format: clipped(60),
    align: 'left',
    tone: () => 'bad',
  },
];

/** Writes records, one row each; JSON is the records as in `records.jsonl`, in one array. */
export function renderRecords(
  records: readonly RunRecord[],
  format: Format,
  style?: TableStyle,
): string {
  return renderTable(withoutEmpty(recordColumns, records), records, format, style);
}

/** What a record says of the execution as a whole; of its single repairs only JSON tells. */
function executionColumns(): readonly Column<RunRecord>[] {
  return [
    hidden(
      'executed_plan_makespan',
      ({ disruption }) => disruption?.outcome.makespan.planned ?? null,
    ),
    {
      key: 'degradation_percent',
      header: 'degr. %',
      value: ({ disruption }) => disruption?.outcome.degradation_percent ?? null,
      format: percent(2),
    },
    {
      key: 'repairs',
      minor: 4,
      header: 'repairs',
      value: ({ disruption }) => disruption?.totals.repairs ?? null,
      format: whole,
    },
    {
      key: 'edited_operations',
      minor: 2,
      header: 'edited',
      value: ({ repair }) => repair?.edited_operations ?? null,
      format: whole,
    },
    {
      key: 'rank_changes',
      minor: 3,
      header: 'rank changes',
      value: ({ repair }) => repair?.rank_changes ?? null,
      format: whole,
    },
    hidden('edited_jobs', ({ repair }) => repair?.edited_jobs ?? null),
    hidden('edited_machines', ({ repair }) => repair?.edited_machines ?? null),
    hidden('edit_radius', ({ repair }) => repair?.edit_radius ?? null),
    hidden('shift_total', ({ repair }) => repair?.shift_total ?? null),
    hidden('wip_moves', ({ repair }) => repair?.wip_moves ?? null),
    hidden('events', ({ disruption }) => disruption?.totals.events ?? null),
    hidden('events_skipped', ({ disruption }) => disruption?.skipped.length ?? null),
    hidden('tardiness_planned', ({ disruption }) => disruption?.outcome.tardiness.planned ?? null),
    hidden('tardiness', ({ disruption }) => disruption?.outcome.tardiness.realised ?? null),
    hidden('policy', ({ disruption }) => disruption?.policy ?? null),
    hidden('repair_evaluations', ({ disruption }) => disruption?.totals.evaluations ?? null),
    hidden('seconds_repairs', ({ disruption }) => disruption?.totals.seconds ?? null),
  ];
}

/** A column that people do without. */
function hidden(key: string, value: (record: RunRecord) => Cell): Column<RunRecord> {
  return { key, header: key, value, hidden: true };
}

function plain(
  key:
    | 'suite'
    | 'machines'
    | 'synthetic'
    | 'variant'
    | 'seed'
    | 'feasible'
    | 'claimed_makespan'
    | 'lower_bound_source'
    | 'cost_usd',
): Column<RunRecord> {
  return hidden(key, (record) => record[key]);
}

function total(counts: Readonly<Record<string, number>> | null | undefined): number | null {
  if (counts === null || counts === undefined) return null;
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** A share of 1 as a percentage; nothing where there is none. */
function shareInPercent(share: Cell): string {
  return typeof share === 'number' ? percent(1)(100 * share) : '';
}

function sizeOf(_jobs: Cell, { jobs, machines }: RunRecord): string {
  return `${jobs}×${machines}`;
}

function toneOf({ status }: RunRecord): Tone {
  return status === 'ok' ? 'good' : 'bad';
}

/** People do not need columns in which nothing new stands: no error, the plan as it was. */
function withoutEmpty(
  columns: readonly Column<RunRecord>[],
  records: readonly RunRecord[],
): readonly Column<RunRecord>[] {
  const empty = new Set<string>();
  const add = (key: string) => void empty.add(key);
  if (records.every(({ replicate }) => replicate === 0)) empty.add('replicate');
  if (records.every(({ error }) => error === null)) empty.add('error');
  if (records.every(({ stages }) => stages.optimize === null)) {
    empty.add('plan_makespan').add('plan_gap_percent');
  }
  if (records.every(({ repair }) => repair === null || repair.seed_coverage === null)) {
    empty.add('repair_seed_coverage').add('repair_kept_order');
  }
  const unexecuted = ['degradation_percent', 'repairs', 'edited_operations', 'rank_changes'];
  if (records.every(({ disruption }) => disruption === null)) unexecuted.forEach(add);
  else
    ['lower_bound', 'upper_bound', 'gap_percent', 'optimality_percent', 'proven_optimal'].forEach(
      add,
    );
  if (records.every(({ method }) => method === null)) empty.add('method');
  if (records.every(({ status }) => status !== 'infeasible')) empty.add('violations');
  return columns.map((column) => (empty.has(column.key) ? { ...column, hidden: true } : column));
}
