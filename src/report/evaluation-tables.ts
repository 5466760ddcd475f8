import type { AnytimeReport, AnytimeRow } from '../harness/evaluation/anytime.js';
import type { BestKnown } from '../harness/evaluation/best-known.js';
import type { Evaluation } from '../harness/evaluation/evaluate.js';
import {
  type PerformanceProfile,
  type PlannerProfile,
  profileAt,
} from '../harness/evaluation/performance-profile.js';
import type { PlannerTests } from '../harness/evaluation/planner-tests.js';
import { type Column, columnsOf } from './columns.js';
import { changeOfSeconds, plannerTestColumns } from './difference-table.js';
import { change, fixed, formatSeconds, intervalText, whole } from './format.js';
import { type Format, renderTable, type TableStyle } from './table.js';

/** A table with the name that selects it. */
export interface NamedTable {
  readonly title: string;
  readonly render: (format: Exclude<Format, 'json'>, style?: TableStyle) => string;
  /** Number of rows. */
  readonly rows: number;
}

/** The tables of the statistics of records. */
export type EvaluationTableName =
  | 'anytime'
  | 'curves'
  | 'profile'
  | 'profile-time'
  | 'differences'
  | 'differences-time'
  | 'best';

/** Writes the statistics of records as tables. */
export function evaluationTables({
  anytime,
  profiles,
  tests,
  best,
}: Evaluation): Record<EvaluationTableName, NamedTable> {
  const horizon = formatSeconds(anytime.horizon_seconds);
  const make = <Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]) => ({
    title,
    rows: rows.length,
    render: (format: Exclude<Format, 'json'>, style?: TableStyle) =>
      renderTable(columns, rows, format, style),
  });
  const [byValue, byTime] = profiles;
  const [final, onTheWay] = tests;
  return {
    anytime: make(
      `Primal integral and time to target, from 0 to ${horizon}`,
      anytimeColumns(anytime),
      anytime.rows,
    ),
    curves: curvesTable(anytime),
    profile: make(
      profileTitle(byValue),
      profileColumns(VALUE_RATIOS, 'solved %'),
      byValue.planners,
    ),
    'profile-time': make(
      profileTitle(byTime),
      profileColumns(TIME_RATIOS, 'reached %'),
      byTime.planners,
    ),
    differences: make(
      `Differences of the final gap between ${familyWords(final)}, in percentage points, below 0 where the first is better`,
      plannerTestColumns(change(2), final),
      final.rows,
    ),
    'differences-time': make(
      `Differences of the primal integral between ${familyWords(onTheWay)}, from 0 to ${horizon}, below 0 where the first is better`,
      plannerTestColumns(changeOfSeconds, onTheWay),
      onTheWay.rows,
    ),
    best: make('The best schedule of each instance', bestColumns, best),
  };
}

/** The tested pairs in words. */
function familyWords({ family }: PlannerTests): string {
  if (family === 'variants') return 'variants of a planner';
  return family === 'planners' ? 'planners of a variant' : 'planners';
}

/** Columns that identify planners; those with one value are hidden. */
function plannerColumns<Row extends Pick<AnytimeRow, 'planner' | 'variant' | 'objective'>>() {
  const column = columnsOf<Pick<AnytimeRow, 'planner' | 'variant' | 'objective'>>();
  const columns: Column<Row>[] = [
    column.of('planner', ({ planner }) => planner),
    column('variant', { when: (rows) => new Set(rows.map(({ variant }) => variant)).size > 1 }),
    column('objective', { when: (rows) => rows.some(({ objective }) => objective !== 'makespan') }),
  ];
  return columns;
}

const row = columnsOf<AnytimeRow>();

const suiteColumn = row('suite', (suite) => String(suite ?? 'all'), { align: 'left' });

const syntheticColumn = row('synthetic', (value) => (value === true ? 'synthetic' : ''), {
  header: '',
  align: 'left',
  when: (rows) => rows.some(({ synthetic }) => synthetic),
});

const ofBounds = {
  when: (rows: readonly AnytimeRow[]) => rows.some(({ bounded }) => bounded > 0),
};

function anytimeColumns({ targets_percent }: AnytimeReport): Column<AnytimeRow>[] {
  return [
    suiteColumn,
    ...plannerColumns<AnytimeRow>(),
    syntheticColumn,
    row('records', whole, { header: 'runs', minor: 7 }),
    row('instances', whole, { minor: 5 }),
    row('solved', whole, { minor: 4 }),
    row('primal_integral_seconds', formatSeconds, { header: 'primal integral' }),
    row.of('interval', ({ low, high }) => intervalText(low, high, formatSeconds), {
      header: '95 %',
      minor: 2,
      align: 'right',
    }),
    ...row.hidden('low', 'high'),
    row('mean_gap_percent', fixed(2), { header: 'mean gap %', minor: 3 }),
    row('final_gap_percent', fixed(2), { header: 'final gap %' }),
    row('primal_dual_integral_seconds', formatSeconds, {
      header: 'primal-dual',
      minor: 1,
      ...ofBounds,
    }),
    row('bound_gap_percent', fixed(2), { header: 'bound gap %', minor: 1, ...ofBounds }),
    row('bounded', whole, { header: 'with bound', minor: 8, ...ofBounds }),
    row('claimed', whole, { header: 'claimed', minor: 9, ...ofBounds }),
    ...targets_percent.flatMap((percent, k): Column<AnytimeRow>[] => [
      row.of(`to_${percent}_percent_reached_percent`, ({ targets }) => targets[k].reached_percent, {
        header: `to ${percent} %`,
        minor: 6,
        align: 'right',
        format: (_, { targets }) => targetText(targets[k]),
      }),
      row.of(`to_${percent}_percent_median_seconds`, ({ targets }) => targets[k].median_seconds, {
        hidden: true,
      }),
    ]),
  ];
}

/** The share that reaches a target and, if it is at least half, the median time. */
function targetText({ reached_percent, median_seconds }: AnytimeRow['targets'][number]): string {
  const share = `${fixed(0)(reached_percent)} %`;
  return median_seconds === null ? share : `${share}, ${formatSeconds(median_seconds)}`;
}

/** Instants, as shares of the horizon, at which people see the mean gap. */
const MOMENTS = [0.001, 0.01, 0.1, 0.25, 0.5, 1];

/** Mean gaps at some instants, for people; CSV has every point. */
function curvesTable({ rows, horizon_seconds: horizon }: AnytimeReport): NamedTable {
  const gapAt = (curve: AnytimeRow['curve'], moment: number) =>
    curve.findLast(({ seconds }) => seconds <= moment)?.gap_percent ?? 100;
  const seen = [
    suiteColumn,
    ...plannerColumns<AnytimeRow>(),
    syntheticColumn,
    ...MOMENTS.map((share) =>
      row.of(`gap_${share}`, ({ curve }) => gapAt(curve, share * horizon), {
        header: `at ${formatSeconds(share * horizon)}`,
        format: fixed(2),
      }),
    ),
  ];
  type Point = AnytimeRow & AnytimeRow['curve'][number];
  const point = columnsOf<Point>();
  const all = [
    ...point.hidden('suite', 'planner', 'variant', 'objective', 'synthetic'),
    ...point.hidden('seconds', 'gap_percent'),
  ];
  return {
    title: 'Mean primal gap over time, %',
    rows: rows.length,
    render: (format, style) =>
      format === 'csv'
        ? renderTable(
            all,
            rows.flatMap((one) => one.curve.map((step): Point => ({ ...one, ...step }))),
            format,
          )
        : renderTable(seen, rows, format, style),
  };
}

/** Ratios to the best at which people see profiles. */
const VALUE_RATIOS = [1, 1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2];
const TIME_RATIOS = [1, 2, 4, 8, 16, 64, 256];

function profileTitle({
  measure,
  target_percent,
  instances,
  instances_left_out,
}: PerformanceProfile): string {
  const of = measure === 'value' ? 'value' : `time to ${target_percent} %`;
  const lacking =
    instances_left_out === 0 ? '' : `; ${instances_left_out} left out that not all have records of`;
  return `Performance profile by ${of}: % of ${instances} instances within a ratio of the best${lacking}`;
}

function profileColumns(ratios: readonly number[], end: string): Column<PlannerProfile>[] {
  const column = columnsOf<PlannerProfile>();
  return [
    ...plannerColumns<PlannerProfile>(),
    ...ratios.map((ratio, k) =>
      column.of(`within_${ratio}`, ({ points }) => profileAt(points, ratio), {
        header: ratio === 1 ? 'best' : `≤ ${ratio}`,
        format: fixed(1),
        ...(k === 0 ? {} : { minor: ratios.length - k }),
      }),
    ),
    column('solved_percent', fixed(1), { header: end }),
  ];
}

const best = columnsOf<BestKnown>();

const standings = {
  optimal: 'optimal',
  new: 'new best',
  equal: 'equals the best known',
  worse: '',
  unmeasured: '',
  none: 'no schedule',
} as const;

const bestColumns: readonly Column<BestKnown>[] = [
  best('instance'),
  ...best.hidden('suite'),
  best('objective', { when: (rows) => rows.some(({ objective }) => objective !== 'makespan') }),
  best('value', whole),
  best('lower_bound', whole, { header: 'lower', minor: 4 }),
  best('upper_bound', whole, { header: 'upper', minor: 3 }),
  best('gap_percent', change(2), { header: 'gap %' }),
  best('standing', (_, { standing }) => standings[standing], { align: 'left' }),
  best.of('planner', ({ planner, value }) => (value === null ? null : planner)),
  best('variant', { when: (rows) => new Set(rows.map(({ variant }) => variant)).size > 1 }),
  ...best.hidden('replicate'),
  best.of('also', ({ also }) => also.length, {
    header: 'others',
    format: (value) => (value === 0 ? '' : `+${value}`),
    minor: 2,
  }),
  best('seconds', formatSeconds, { header: 'time', minor: 1 }),
  best('feasible', whole, { minor: 5 }),
  best('records', whole, { header: 'runs', minor: 6 }),
  best.of('refuted', ({ refuted }) => refuted.length, {
    header: 'refuted bounds',
    format: whole,
    when: (rows) => rows.some(({ refuted }) => refuted.length > 0),
  }),
];
