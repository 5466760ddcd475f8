import type { AttributionReport } from '../harness/attribution/attribution.js';
import { RANDOM_CONTROL } from '../harness/attribution/controls.js';
import type { EdgeRow } from '../harness/attribution/edge-agreement.js';
import type { AttributionSubject, Share, ShareRow } from '../harness/attribution/shares.js';
import type { GainRow } from '../harness/attribution/stage-gains.js';
import { type CellValue, type Column, columnsOf } from './columns.js';
import type { NamedTable } from './evaluation-tables.js';
import { change, fixed, formatFixed, formatProbability, intervalText, whole } from './format.js';
import { plannerText } from './planner-text.js';
import { renderTable } from './table.js';

/** The names that select the tables of an attribution. */
export type AttributionTableName = 'attribution' | 'edges' | 'gains';

/** Writes an attribution as tables. */
export function attributionTables({
  shares,
  edges,
  gains,
}: AttributionReport): Record<AttributionTableName, NamedTable> {
  const make = <Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]) => ({
    title,
    rows: rows.length,
    render: (...[format, style]: Parameters<NamedTable['render']>) =>
      renderTable(columns, rows, format, style),
  });
  return {
    attribution: make(
      'Who did it: shares of plan, repair and search in the gain over a random plan, in %, if a control replaces the plan',
      shareColumns,
      shares,
    ),
    edges: make(
      'Machine orders of the plan that the final schedule keeps, in % (in brackets a random plan, and a rule)',
      edgeColumns,
      edges,
    ),
    gains: make(
      'Gain of each stage, in percent of the best known value, from a random plan on',
      gainColumns,
      gains,
    ),
  };
}

/** The part of the plans of each planner, one sentence each. */
export function attributionFindings({ shares }: AttributionReport): string[] {
  const ofAll = shares.filter((row) => isWidest(row, shares));
  const keys = new Set(ofAll.map(keyOf));
  return [...keys].map((key) => findingOf(ofAll.filter((row) => keyOf(row) === key)));
}

/** Whether a row is of all suites, or of the only one. */
function isWidest({ suite }: ShareRow, rows: readonly ShareRow[]): boolean {
  return suite === null || rows.every((row) => row.suite !== null);
}

function keyOf({ suite, planner, variant }: ShareRow): string {
  return JSON.stringify([suite, planner, variant]);
}

/** The weakest of the comparisons decides: what one control reaches too is not owed to the plan. */
function findingOf(rows: readonly ShareRow[]): string {
  const [{ planner, variant }] = rows;
  const who = variant === 'full' ? planner : `${planner} (${variant})`;
  // The whole gain is that of the planner, whatever the control.
  if (rows[0].plan.percent === null) {
    return `${who}: no gain over random plans, so there are no shares`;
  }
  const least = rows.reduce((a, b) => ((a.plan.percent ?? 0) <= (b.plan.percent ?? 0) ? a : b));
  const percent = least.plan.percent ?? 0;
  if (percent <= 0) {
    const ends = percent < 0 ? 'better' : 'equal';
    return `${who}: nothing is owed to its plans; repair and search end ${ends} from ${controlWords(least.control)}`;
  }
  const inconclusive = rows.find(({ finding }) => finding !== 'helps');
  const shown = inconclusive === undefined ? 'shown by the tests' : 'not shown by the tests';
  return `${who}: at least ${formatFixed(percent, 1)} % of the gain is owed to its plans (against ${controlWords(least.control)}), ${shown}`;
}

/** A control in words. */
function controlWords(control: string): string {
  if (control === 'empty') return 'an empty plan';
  return control === RANDOM_CONTROL ? 'a random plan' : `the plan of ${control}`;
}

/** Columns that name the subject of a row. */
function subjectColumns<Row extends AttributionSubject>(): Column<Row>[] {
  const column = columnsOf<AttributionSubject>();
  const several = (rows: readonly AttributionSubject[]) =>
    new Set(rows.map(({ suite }) => suite)).size > 1;
  const variants = (rows: readonly AttributionSubject[]) =>
    new Set(rows.map(({ variant }) => variant)).size > 1;
  return [
    column('suite', (suite) => String(suite ?? 'all'), { align: 'left', when: several }),
    column('planner', (planner, row) => plannerText(String(planner), row), { align: 'left' }),
    column('variant', { when: variants }),
    ...column.hidden('objective', 'synthetic'),
  ];
}

const share = columnsOf<ShareRow>();

/** A share with its interval in hidden columns. */
function shareColumn(
  name: 'plan' | 'start' | 'search',
  header: string,
  minor?: number,
): Column<ShareRow>[] {
  return [
    share.of(`${name}_share_percent`, (row) => row[name].percent, {
      header,
      format: fixed(1),
      ...(minor === undefined ? {} : { minor }),
    }),
    share.of(`${name}_share_low`, (row) => row[name].low, { hidden: true }),
    share.of(`${name}_share_high`, (row) => row[name].high, { hidden: true }),
  ];
}

const interval = ({ low, high }: Share) => intervalText(low, high, fixed(1));

const shareColumns: readonly Column<ShareRow>[] = [
  ...subjectColumns<ShareRow>(),
  share('control', { header: 'instead' }),
  share('records', whole, { header: 'runs', minor: 7 }),
  share('instances', whole, { minor: 6 }),
  share('final_points', fixed(2), { header: 'gap %' }),
  share('control_points', fixed(2), { header: 'gap % instead' }),
  share('difference', change(2), { header: 'difference', minor: 2 }),
  share.of('difference_interval', (row) => intervalText(row.low, row.high, change(2)), {
    header: '95 %',
    align: 'right',
    minor: 4,
  }),
  ...share.hidden('low', 'high'),
  share('p_wilcoxon_holm', formatProbability, { header: 'p (Holm)', minor: 5 }),
  ...shareColumn('plan', 'plan'),
  share.of('plan_interval', ({ plan }) => interval(plan), {
    header: '95 % of it',
    align: 'right',
    minor: 3,
  }),
  ...shareColumn('start', 'repair', 1),
  ...shareColumn('search', 'search', 1),
  share('finding', { header: 'tests' }),
];

const edge = columnsOf<EdgeRow>();

/** The share that is kept, and those by chance and by a rule. */
function keptColumns(name: 'pairs' | 'neighbours', minor: number): Column<EdgeRow>[] {
  return [
    edge(`${name}.kept_percent`, fixed(1), { header: `${name} kept` }),
    edge(`${name}.by_chance_percent`, inBrackets, { header: '(random)' }),
    edge(`${name}.by_rule_percent`, inBrackets, { header: '(rule)', minor }),
    edge(`${name}.beyond_chance_percent`, fixed(1), { header: 'beyond chance', minor: minor + 1 }),
  ];
}

function inBrackets(value: CellValue): string {
  return `(${fixed(1)(value)})`;
}

const edgeColumns: readonly Column<EdgeRow>[] = [
  ...subjectColumns<EdgeRow>(),
  edge('records', whole, { header: 'runs', minor: 5 }),
  edge('claimed_percent', fixed(1), { header: 'claimed' }),
  ...keptColumns('pairs', 3),
  ...keptColumns('neighbours', 1),
];

const gain = columnsOf<GainRow>();

const gainColumns: readonly Column<GainRow>[] = [
  ...subjectColumns<GainRow>(),
  gain('stage', { align: 'left' }),
  gain('records', whole, { header: 'runs', minor: 4 }),
  gain('instances', whole, { minor: 3 }),
  gain('gain_points', change(2), { header: 'gain' }),
  gain.of('interval', ({ low, high }) => intervalText(low, high, change(2)), {
    header: '95 %',
    align: 'right',
    minor: 1,
  }),
  ...gain.hidden('low', 'high'),
  gain('better', whole, { minor: 2 }),
  gain('worse', whole, { minor: 2 }),
];
