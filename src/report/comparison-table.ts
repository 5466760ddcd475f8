import type { PairTest } from '../harness/evaluation/pair-tests.js';
import type { Comparison } from '../harness/records/compare.js';
import type { Crossing } from '../harness/records/gate.js';
import type { Pair } from '../harness/records/pair.js';
import { columnsOf, type Tone } from './columns.js';
import {
  change,
  clipped,
  counted,
  fixed,
  formatProbability,
  intervalText,
  whole,
} from './format.js';
import { escapeLatex } from './latex.js';
import { plannerText } from './planner-text.js';
import { type Format, renderJson, renderTable, type TableStyle } from './table.js';

const pair = columnsOf<Pair>();

/** People see methods of executed schedules, and gaps of planned ones. */
const ofPlans = { when: (pairs: readonly Pair[]) => !isExecuted(pairs) };
const ofExecutions = { when: isExecuted };

/** People see the minimised value. */
const ofMakespans = { when: (pairs: readonly Pair[]) => !isTardiness(pairs) };
const ofTardiness = { when: isTardiness };

/** The columns of a table of pairs. */
const pairColumns = [
  pair('verdict', { tone: toneOf }),
  pair('run.instance', { key: 'instance' }),
  pair('run.suite', { key: 'suite', minor: 6 }),
  pair('run.planner', (planner, { run }) => plannerText(String(planner), run), {
    key: 'planner',
    align: 'left',
  }),
  ...pair.hiddenAs({ baseline_planner: 'baseline.planner', variant: 'run.variant' }),
  pair('run.method', { key: 'method', ...ofExecutions }),
  pair('baseline.method', { header: 'method was', ...ofExecutions }),
  ...pair.hiddenAs({ replicate: 'run.replicate' }),
  pair('run.makespan', whole, { key: 'makespan', ...ofMakespans }),
  pair('baseline.makespan', whole, { header: 'was', ...ofMakespans }),
  pair('run.tardiness', whole, { key: 'tardiness', ...ofTardiness }),
  pair('baseline.tardiness', whole, { header: 'was', ...ofTardiness }),
  pair('change_percent', change(2)),
  pair('run.gap_percent', fixed(2), { key: 'gap_percent', minor: 2, ...ofPlans }),
  pair('baseline.gap_percent', fixed(2), { header: 'gap % was', minor: 4, ...ofPlans }),
  pair('run.status', { key: 'status', minor: 3, tone: statusTone }),
  pair('baseline.status', { header: 'status was', minor: 5 }),
];

const tested = columnsOf<PairTest>();

/** The columns of a table of tests: a row for each planner and measure. */
const testColumns = [
  tested('suite', (suite) => String(suite ?? 'all'), { align: 'left' }),
  tested('run.planner', (planner, { run }) => plannerText(String(planner), run), {
    key: 'planner',
    align: 'left',
  }),
  tested('variant', { when: (rows) => new Set(rows.map(({ variant }) => variant)).size > 1 }),
  tested('run.method', {
    key: 'method',
    when: (rows) => rows.some(({ run }) => run.method !== null),
  }),
  tested.of('against', ({ run, baseline }) => otherName(run, baseline), {
    when: (rows) => rows.some(({ run, baseline }) => otherName(run, baseline) !== ''),
  }),
  tested('measure', (_, { measure }) => MEASURES[measure], { align: 'left' }),
  tested('instances', whole, { minor: 5 }),
  tested.of('wins', ({ better, equal, worse }) => `${better}/${equal}/${worse}`, {
    header: 'better/equal/worse',
    minor: 4,
    align: 'right',
  }),
  ...tested.hidden('better', 'equal', 'worse'),
  tested('difference', change(2)),
  tested.of('interval', ({ low, high }) => intervalText(low, high, change(2)), {
    header: '95 %',
    minor: 2,
    align: 'right',
  }),
  ...tested.hidden('low', 'high'),
  tested('p_wilcoxon', formatProbability, { header: 'p', minor: 3 }),
  tested('p_wilcoxon_holm', formatProbability, { header: 'p (Holm)', minor: 1 }),
  ...tested.hidden('p_t', 'p_t_holm'),
  tested('verdict', (verdict, { reason }) => String(verdict ?? reason), {
    header: 'shown',
    align: 'left',
  }),
  ...tested.hidden('reason'),
];

const MEASURES = { objective_percent: 'value, %', success_percent: 'success, points' };

/** Names of the partner that differ from those of the run. */
function otherName(run: PairTest['run'], baseline: PairTest['baseline']): string {
  const planner = baseline.planner === run.planner ? [] : [baseline.planner];
  return [...planner, ...(baseline.method === run.method ? [] : [baseline.method])].join(' ');
}

interface CrossingRow {
  readonly crossing: Crossing;
  /** Null if a crossing has no rows: nothing could be measured. */
  readonly row: Crossing['rows'][number] | null;
}

const crossing = columnsOf<CrossingRow>();

/** The columns of a table of crossed limits: one row for each record that caused one. */
const crossingColumns = [
  crossing('crossing.limit.text', { key: 'limit' }),
  crossing('crossing.suite', { key: 'suite' }),
  crossing('crossing.planner', { key: 'planner' }),
  ...crossing.hiddenAs({ variant: 'crossing.variant' }),
  crossing('crossing.method', {
    key: 'method',
    when: (rows) => rows.some((one) => one.crossing.method !== null),
  }),
  crossing('row.record.instance', { key: 'instance' }),
  crossing('row.record.replicate', whole, { key: 'replicate', minor: 2 }),
  crossing('row.record.status', { key: 'status', minor: 1 }),
  crossing.of('value', ({ row, crossing }) => (row ? row.value : crossing.value), {
    format: fixed(2),
    tone: () => 'bad',
  }),
  crossing('row.baseline', fixed(2), { key: 'baseline', header: 'was' }),
  crossing('row.record.error', clipped(50), { key: 'error', minor: 3, align: 'left' }),
];

/**
 * Writes a comparison: one row for every pair that differs, the worse ones first. JSON is the comparison itself; CSV
 * has every pair.
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
  const words = describeComparison(comparison);
  const line = `${format === 'latex' ? escapeLatex(words) : words}\n`;
  if (changed.length === 0 && format === 'table') return line;
  return `${renderTable(pairColumns, changed, format, style)}\n${line}`;
}

/** Writes the tests of a comparison. */
export function renderPairTests(
  { tests }: Comparison,
  format: Exclude<Format, 'json'>,
  style?: TableStyle,
): string {
  return renderTable(testColumns, tests, format, style);
}

/** The outcome of a comparison in one line. */
export function describeComparison(comparison: Comparison): string {
  const { pairs, counts, settings } = comparison;
  const parts = [`${counts.better} better`, `${counts.worse} worse`, `${counts.same} the same`];
  if (counts.incomparable > 0) parts.push(`${counts.incomparable} not comparable`);
  parts.push(...settings.map(({ words, run, baseline }) => `${words} ${run} against ${baseline}`));
  return `${counted(pairs.length, 'pair')}: ${parts.join(', ')}`;
}

/** Writes crossed limits with the records that caused them; JSON is the crossings themselves. */
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
  return renderTable(crossingColumns, rows, format, style);
}

function isTardiness(pairs: readonly Pair[]): boolean {
  return pairs.some(({ run }) => run.objective !== 'makespan');
}

function isExecuted(pairs: readonly Pair[]): boolean {
  return pairs.some(({ run }) => run.method !== null);
}

function toneOf({ verdict }: Pair): Tone {
  return verdict === 'better' ? 'good' : verdict === 'worse' ? 'bad' : 'quiet';
}

function statusTone({ run }: Pair): Tone {
  return run.status === 'ok' ? 'plain' : 'bad';
}
