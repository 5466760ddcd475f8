import type { RunSummary, SummaryRow } from '../harness/records/summary.js';
import { columnsOf } from './columns.js';
import { fixed, formatSeconds, whole } from './format.js';
import { plannerText } from './planner-text.js';
import { type Format, renderJson, renderTable, type TableStyle } from './table.js';

type SummaryRows = readonly SummaryRow[];

/** Columns of plans that were not executed, which are measured against bounds, … */
const ofPlans = { when: (rows: SummaryRows) => !isExecuted(rows) };
/** … if bounds are known, … */
const ofMakespans = { when: (rows: SummaryRows) => !isExecuted(rows) && !isOfTardiness(rows) };
/** … and columns of executions. */
const ofExecutions = { when: (rows: SummaryRows) => isExecuted(rows) };

const column = columnsOf<SummaryRow>();

/** The columns of a summary. */
const summaryColumns = [
  column('suite', (suite) => String(suite ?? 'all'), { align: 'left' }),
  column('planner', (planner, row) => plannerText(String(planner), row), { align: 'left' }),
  ...column.hidden('synthetic'),
  column('variant', { when: (rows) => new Set(rows.map(({ variant }) => variant)).size > 1 }),
  column('method', { when: (rows) => rows.some(({ method }) => method !== null) }),
  column('objective', { hidden: true }),
  column('records', whole, { header: 'runs', minor: 3 }),
  column('feasible', whole, { minor: 6 }),
  column('infeasible', whole, { minor: 10 }),
  column('errors', whole, { minor: 5, tone: ({ errors }) => (errors > 0 ? 'bad' : 'plain') }),
  column('success_percent', fixed(1), {
    tone: (row) => (row.success_percent === 100 ? 'good' : 'bad'),
  }),
  column('repaired', whole, { minor: 2, when: (rows) => rows.some((row) => row.repaired > 0) }),
  column('optimized', { hidden: true }),
  column('plan_gap_percent', fixed(2), {
    minor: 1,
    when: (rows) => !isExecuted(rows) && rows.some(({ optimized }) => optimized > 0),
  }),
  column('measured', whole, { minor: 8, ...ofMakespans }),
  column('optimality_percent', fixed(2), { minor: 7, ...ofMakespans }),
  column('gap_percent', fixed(2), ofMakespans),
  column('geometric_gap_percent', fixed(2), { header: 'geo gap %', minor: 9, ...ofMakespans }),
  column('tardiness_mean', fixed(1), {
    header: 'weighted tardiness',
    when: (rows) => rows.some((row) => row.tardiness_mean !== null),
  }),
  column('proven_optimal', whole, { header: 'proven', minor: 4, ...ofPlans }),
  column('executed', { hidden: true }),
  column('degradation_percent', fixed(2), { header: 'growth %', ...ofExecutions }),
  column('edited_operations', fixed(1), { header: 'edited', minor: 7, ...ofExecutions }),
  column('rank_changes', fixed(1), { minor: 8, ...ofExecutions }),
  column('reassigned', fixed(1), {
    minor: 8,
    when: (rows) => rows.some(({ reassigned }) => (reassigned ?? 0) > 0),
  }),
  column('repairs', whole, { minor: 9, ...ofExecutions }),
  column('latency_p50_seconds', formatSeconds, { header: 'p50', minor: 4, ...ofExecutions }),
  column('latency_p99_seconds', formatSeconds, { header: 'p99', minor: 5, ...ofExecutions }),
  column('seconds_total', formatSeconds, { header: 'time', minor: 6 }),
  column('seconds_mean', formatSeconds, { header: 'mean time', minor: 11 }),
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
  return renderTable(summaryColumns, rows, format, style);
}

function isOfTardiness(rows: SummaryRows): boolean {
  return rows.every(({ objective }) => objective === 'total-weighted-tardiness');
}

function isExecuted(rows: SummaryRows): boolean {
  return rows.some(({ executed }) => executed > 0);
}
