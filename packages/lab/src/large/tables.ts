// The tables of large shops in docs/reference/search.md, from recorded solves.
import type { CpSatRow } from '../search/beside.js';
import { gapOf } from '../search/rows.js';
import { selectSolves } from '../search/select.js';
import type { LargeRow } from './large-rows.js';

type Cell = string | number;

/** Solves of one suite with one budget. */
interface Column {
  seconds: number;
  rows: LargeRow[];
}

/** The mean work of a machine in published shops with 1000 jobs and durations of 1 to 1000: its expected value. */
const MEAN_LOAD = 500_500;
/** The best known makespan of the published instance 1000×1000_1. */
const BEST_KNOWN_MILLION = 811_195;

/** The published large shops, one table for each suite, with the budgets side by side, and CP-SAT where it has solved them. */
export function largeTable(rows: readonly LargeRow[], others: readonly CpSatRow[]): string {
  const published = rows.filter(({ published_lower_bound: bound }) => bound !== null);
  const suites = [...new Set(published.map(({ suite }) => suite))].sort();
  const tables = suites.map((suite) =>
    suiteTable(
      published.filter((row) => row.suite === suite),
      others,
    ),
  );
  return tables.join('\n');
}

function suiteTable(rows: readonly LargeRow[], others: readonly CpSatRow[]) {
  const columns = columnsOf(rows);
  const first = firstOfEach(rows);
  const names = first.map(({ instance }) => instance);
  const beside = columns.filter(({ seconds }) =>
    others.some((each) => each.budget_seconds === seconds && names.includes(each.instance)),
  );
  const lines = first.map(({ instance, published_lower_bound, upper_bound }) => [
    instance,
    `${published_lower_bound}–${upper_bound}`,
    ...columns.flatMap((column) => cellsOf(column, instance)),
    ...beside.map(({ seconds }) => cpSatCell(others, instance, seconds)),
  ]);
  const means = columns.flatMap(({ rows: own }) => {
    const gaps = own.map((row) => gapOf(row.makespan, row.upper_bound));
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    return ['', `**${mean.toFixed(2)}**`, '', ''];
  });
  const heads = columns.flatMap(({ seconds }) => [
    `after ${seconds} s`,
    'to best known, %',
    'below it after, s',
    'ended',
  ]);
  return [
    ...columns.map((column) => summaryOf(column, first.length)),
    '',
    tableOf(
      [
        ...['instance', 'published bounds', ...heads],
        ...beside.map(({ seconds }) => `CP-SAT after ${seconds} s`),
      ],
      [...lines, ['**mean**', '', ...means, ...beside.map(() => '')]],
    ),
  ].join('\n');
}

/** The makespan of CP-SAT; empty if it has not tried. */
function cpSatCell(others: readonly CpSatRow[], instance: string, seconds: number): Cell {
  const other = others.find(
    (each) => each.instance === instance && each.budget_seconds === seconds,
  );
  return other === undefined ? '' : (other.makespan ?? 'no schedule');
}

/** A sentence on a budget. */
function summaryOf({ seconds, rows }: Column, instances: number) {
  const below = rows.filter(({ makespan, upper_bound }) => makespan < upper_bound).length;
  const proven = rows.filter(({ status }) => status === 'optimal').length;
  const gaps = rows.map((row) => gapOf(row.makespan, row.upper_bound));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const part = rows.length < instances ? ` (${rows.length} of ${instances} solves)` : '';
  return `- \`${rows[0].suite}\`, ${seconds} s${part}: ${below} of ${rows.length} below the best known makespan, mean ${mean.toFixed(2)} %, ${proven} proven optimal; ${conditionsOf(rows)}`;
}

/** What the solves were made with. */
function conditionsOf(rows: readonly LargeRow[]) {
  const sum = (value: (row: LargeRow) => number) => rows.reduce((all, row) => all + value(row), 0);
  const share = sum((row) => row.processor_seconds ?? 0) / sum((row) => row.threads * row.seconds);
  const load = sum((row) => row.load) / rows.length;
  const peak = Math.max(...rows.map((row) => row.peak_megabytes));
  const days = rows.map((row) => (row.solved_at ?? '').slice(0, 10)).sort();
  const commit = (rows[0].commit ?? '').slice(0, 8);
  return `${rows[0].threads} threads with ${Math.round(100 * share)} % of their time, load ${load.toFixed(1)}, at most ${peak} MB, ${days.at(-1)}, commit ${commit}.`;
}

function cellsOf({ rows }: Column, instance: string): Cell[] {
  const own = rows.filter((row) => row.instance === instance);
  if (own.length === 0) return ['', '', '', ''];
  const best = own.reduce((a, b) => (b.makespan < a.makespan ? b : a));
  return [
    best.makespan,
    gapOf(best.makespan, best.upper_bound).toFixed(2),
    best.below_best_known_after?.toFixed(1) ?? '',
    best.status === 'optimal'
      ? `proven, ${best.seconds.toFixed(1)} s`
      : `${best.seconds.toFixed(0)} s`,
  ];
}

/**
 * Generated shops. No other solver's values of them are known, so makespans are divided by the lower bound and by the mean
 * work of a machine; the latter hardly differs between shops of a generator, so it compares with a published instance.
 */
export function millionTable(rows: readonly LargeRow[], others: readonly CpSatRow[]): string {
  const generated = rows.filter(({ published_lower_bound: bound }) => bound === null);
  const columns = columnsOf(generated);
  const lines = firstOfEach(generated).flatMap(({ instance }) =>
    columns.flatMap(({ seconds, rows: own }) => {
      const row = own.find((each) => each.instance === instance);
      return row === undefined ? [] : [millionLine(row, seconds, others)];
    }),
  );
  if (lines.length === 0) return '';
  const reference = (BEST_KNOWN_MILLION / MEAN_LOAD).toFixed(4);
  return [
    tableOf(
      [
        ...['shop', 'budget, s', 'first schedule / mean load', 'after, s'],
        ...['makespan', '/ mean load', '/ lower bound', 'ended after, s', 'MB', 'load', 'CP-SAT'],
      ],
      lines,
    ),
    `The best known makespan of the published 1000×1000_1 is ${reference} times the expected mean load of its generator.`,
    ...columns.map(({ seconds, rows: own }) => `- ${seconds} s: ${conditionsOf(own)}`),
    '',
  ].join('\n');
}

function millionLine(row: LargeRow, seconds: number, others: readonly CpSatRow[]): Cell[] {
  const ratio = (value: number, base: number) => (value / base).toFixed(4);
  return [
    row.instance,
    seconds,
    ratio(row.first_makespan, row.mean_load),
    row.first_after.toFixed(1),
    row.makespan,
    ratio(row.makespan, row.mean_load),
    row.status === 'optimal' ? 'proven' : ratio(row.makespan, row.lower_bound),
    row.seconds.toFixed(1),
    row.peak_megabytes,
    row.load.toFixed(1),
    cpSatCell(others, row.instance, seconds),
  ];
}

/** The budgets in ascending order, each with the solves of the code that has solved the most with it. */
function columnsOf(rows: readonly LargeRow[]): Column[] {
  const budgets = [...new Set(rows.map((row) => row.budget_seconds))].sort((a, b) => a - b);
  const sources = firstOfEach(rows).map(({ instance: name }) => ({ name }));
  return budgets.map((seconds) => {
    const exact = rows.filter((row) => row.budget_seconds === seconds);
    return { seconds, rows: selectSolves(exact, sources, seconds).rows as LargeRow[] };
  });
}

/** The first row of each instance, in natural order. */
function firstOfEach(rows: readonly LargeRow[]) {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const first = new Map(rows.toReversed().map((row) => [row.instance, row]));
  return [...first.values()].sort((a, b) => compare(a.instance, b.instance));
}

function tableOf(heads: readonly string[], lines: readonly (readonly Cell[])[]) {
  const row = (cells: readonly Cell[]) => `| ${cells.join(' | ')} |`;
  const rule = row(heads.map((_, i) => (i === 0 ? '---' : '---:')));
  return [row(heads), rule, ...lines.map(row), ''].join('\n');
}
