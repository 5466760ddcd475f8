import type { RunRecord } from '../harness/records/record.js';
import { type CellValue, type Column, columnsOf } from './columns.js';
import { clipped, fixed, formatSeconds, share, whole } from './format.js';
import { plannerText } from './planner-text.js';
import { type Format, renderTable, type TableStyle } from './table.js';

type RunRecords = readonly RunRecord[];

/** People do not see columns that add no information, such as errors if there are none. */
const ofPlans = { when: (rows: RunRecords) => !isExecuted(rows) };
/** No upper bounds on the tardiness are known. */
const ofMakespans = { when: (rows: RunRecords) => !isExecuted(rows) && !isOfTardiness(rows) };
const ofExecutions = { when: (rows: RunRecords) => isExecuted(rows) };
const ofSearches = {
  when: (rows: RunRecords) => rows.some(({ stages }) => stages.optimize !== null),
};
const ofPlanRepairs = {
  when: (rows: RunRecords) => rows.some(({ repair }) => (repair?.seed_coverage ?? null) !== null),
};

const column = columnsOf<RunRecord>();

/** The columns of a table of records; CSV has everything in a record. */
const recordColumns: readonly Column<RunRecord>[] = [
  column('instance'),
  ...column.hidden('suite'),
  column('jobs', sizeOf, { header: 'size', minor: 4 }),
  ...column.hidden('machines'),
  column('planner', (planner, row) => plannerText(String(planner), row), { align: 'left' }),
  ...column.hidden('synthetic'),
  column('variant', { when: (rows) => new Set(rows.map(({ variant }) => variant)).size > 1 }),
  column('method', { when: (rows) => rows.some(({ method }) => method !== null) }),
  column('replicate', whole, {
    minor: 2,
    when: (rows) => rows.some(({ replicate }) => replicate > 0),
  }),
  ...column.hidden('seed'),
  column('status', { tone: ({ status }) => (status === 'ok' ? 'good' : 'bad') }),
  ...column.hidden('feasible'),
  ...column.hiddenAs({ plan_feasible: 'stages.plan.feasible' }),
  column('stages.plan.makespan', whole, {
    key: 'plan_makespan',
    header: 'planned',
    minor: 4,
    ...ofSearches,
  }),
  column('stages.plan.gap_percent', fixed(2), { key: 'plan_gap_percent', ...ofSearches }),
  ...column.hidden('objective'),
  column('makespan', whole),
  column('tardiness', whole, { header: 'weighted tardiness', when: isOfTardiness }),
  ...column.hidden('claimed_makespan'),
  column('lower_bound', whole, { header: 'lower', minor: 3, ...ofPlans }),
  ...column.hidden('lower_bound_source'),
  column('upper_bound', whole, { header: 'upper', minor: 2, ...ofMakespans }),
  column('gap_percent', fixed(2), ofMakespans),
  column('optimality_percent', fixed(2), { minor: 6, ...ofMakespans }),
  column('proven_optimal', (value) => (value === true ? 'optimal' : ''), {
    header: 'proven',
    minor: 5,
    align: 'left',
    ...ofPlans,
  }),
  column.of('violations', ({ violations }) => total(violations), {
    format: (value) => (value === null || value === 0 ? '' : String(value)),
    minor: 2,
    when: (rows) => rows.some(({ status }) => status === 'infeasible'),
  }),
  ...column.hiddenAs({
    repair_feasible: 'stages.repair.feasible',
    repair_makespan: 'stages.repair.makespan',
    repair_gap_percent: 'stages.repair.gap_percent',
  }),
  ...column.hidden('repair.phase'),
  column('repair.seed_coverage', share(1), { header: 'covered %', minor: 3, ...ofPlanRepairs }),
  column('repair.kept_order', share(1), { header: 'kept order %', minor: 3, ...ofPlanRepairs }),
  column.of('repair_dropped', ({ repair }) => total(repair?.dropped), { hidden: true }),
  column.of('repair_corrected', ({ repair }) => total(repair?.corrected), { hidden: true }),
  ...column.hidden('repair.inserted'),
  ...column.hiddenAs({ executed_plan_makespan: 'disruption.outcome.makespan.planned' }),
  column('disruption.outcome.degradation_percent', fixed(2), {
    key: 'degradation_percent',
    header: 'growth %',
    ...ofExecutions,
  }),
  column('disruption.totals.repairs', whole, { key: 'repairs', minor: 4, ...ofExecutions }),
  column('repair.edited_operations', whole, {
    key: 'edited_operations',
    header: 'edited',
    minor: 2,
    ...ofExecutions,
  }),
  column('repair.rank_changes', whole, { key: 'rank_changes', minor: 3, ...ofExecutions }),
  column('repair.reassigned', whole, {
    key: 'reassigned',
    minor: 3,
    when: (rows) => rows.some(({ repair }) => (repair?.reassigned ?? 0) > 0),
  }),
  ...column.hiddenAs({
    edited_jobs: 'repair.edited_jobs',
    edited_machines: 'repair.edited_machines',
    edit_radius: 'repair.edit_radius',
    shift_total: 'repair.shift_total',
    wip_moves: 'repair.wip_moves',
    events: 'disruption.totals.events',
  }),
  column.of('events_skipped', ({ disruption }) => disruption?.skipped.length ?? null, {
    hidden: true,
  }),
  ...column.hiddenAs({
    tardiness_planned: 'disruption.outcome.tardiness.planned',
    policy: 'disruption.policy',
    repair_evaluations: 'disruption.totals.evaluations',
    seconds_repairs: 'disruption.totals.seconds',
    optimize_feasible: 'stages.optimize.feasible',
    optimize_makespan: 'stages.optimize.makespan',
    optimize_gap_percent: 'stages.optimize.gap_percent',
    optimize_status: 'stages.optimize.status',
    optimize_lower_bound: 'stages.optimize.lower_bound',
    optimize_iterations: 'stages.optimize.iterations',
  }),
  ...column.hidden('tokens.input', 'tokens.output', 'tokens.estimated', 'cost_usd'),
  ...column.hidden('answer_seconds', 'seconds.plan', 'seconds.validate', 'seconds.repair'),
  ...column.hidden('seconds.optimize', 'seconds.execute'),
  column('seconds.total', formatSeconds, { header: 'time', minor: 2 }),
  column('error', clipped(60), {
    align: 'left',
    minor: 1,
    tone: () => 'bad',
    when: (rows) => rows.some(({ error }) => error !== null),
  }),
];

/** Writes records, one row each; JSON is the records as in `records.jsonl`, in one array. */
export function renderRecords(rows: RunRecords, format: Format, style?: TableStyle): string {
  return renderTable(recordColumns, rows, format, style);
}

function isOfTardiness(rows: RunRecords): boolean {
  return rows.some(({ objective }) => objective === 'total-weighted-tardiness');
}

function isExecuted(rows: RunRecords): boolean {
  return rows.some(({ disruption }) => disruption !== null);
}

function total(counts: Readonly<Record<string, number>> | null | undefined): number | null {
  if (counts === null || counts === undefined) return null;
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function sizeOf(_jobs: CellValue, { jobs, machines }: RunRecord): string {
  return `${jobs}×${machines}`;
}
