import type { ClaimedTable, PaperClaims } from '../harness/paper/claims.js';
import type { Measurement } from '../harness/paper/measurement.js';
import type { PaperReport, PaperRow, SummaryLine } from '../harness/paper/report.js';
import { type CellValue, type Column, columnsOf } from './columns.js';
import { change, fixed, formatSeconds, NOTHING } from './format.js';
import { captionLatex, escapeLatex } from './latex.js';
import { plannerText, SYNTHETIC_NOTE } from './planner-text.js';
import { type DocumentFormat, renderTable, type TableStyle } from './table.js';

/** A table with its title. */
export interface TitledTable {
  readonly title: string;
  readonly text: string;
}

/** Titles of the tables of the paper; {@link paperTables} writes them in this order. */
const titles = {
  success: 'Table 3. Success: feasible schedules of 100 records',
  optimality: 'Table 4. Optimality of feasible schedules, %',
  ablation: 'Table 5. Ablation: optimality, %, 0 without a feasible schedule',
  time: 'Table 11. Execution time of a record',
  tokens: 'Table 12. Tokens of a record',
  cost: 'Table 13. Cost, $',
} as const;

/** The names of the tables, in the order of {@link paperTables} and {@link claimedTables}. */
export const PAPER_TABLES = [
  'success',
  'optimality',
  'ablation',
  'time',
  'tokens',
  'cost',
  'summary',
] as const;

/** Text in the place of an empty table. */
const NO_ROWS = 'No planner ran in several variants.\n';

type TableName = keyof typeof titles;

type NumberFormat = (value: CellValue) => string;

const rounded = fixed(0);
const dollars = fixed(4);

const formats: Readonly<Record<TableName, NumberFormat>> = {
  success: fixed(1),
  optimality: fixed(2),
  ablation: fixed(2),
  time: formatSeconds,
  tokens: rounded,
  cost: dollars,
};

/** Writes the tables of the paper for people. */
export function paperTables(
  report: PaperReport,
  format: DocumentFormat,
  style: TableStyle,
): TitledTable[] {
  const { baseline, tables, summary, suites } = report;
  const bySuite = (['success', 'optimality', 'ablation', 'time', 'tokens'] as const).map((name) => {
    const columns = [...rowColumns<PaperRow>(), ...suiteColumns(suites, formats[name])];
    const { rows } = tables[name];
    return {
      title: titles[name],
      text: rows.length === 0 ? NO_ROWS : renderTable(columns, rows, format, style),
    };
  });
  const costs = costRows(tables);
  const costColumns = [...rowColumns(), ...totalColumns];
  const lines = [...rowColumns(), ...summaryColumns];
  const compared = baseline === null ? '' : ', compared with the baseline';
  return [
    ...bySuite,
    { title: titles.cost, text: renderTable(costColumns, costs, format, style) },
    {
      title: `Table 14. Summary: final results on all suites${compared}`,
      text: renderTable(lines, summary, format, style),
    },
  ];
}

/** Meaning of the marks and words in the tables. */
export function paperLegend({ baseline, summary }: PaperReport, resamples: number): string[] {
  const ablation = 'against the variant full of the same planner in table 5';
  const tested =
    baseline === null ? ablation : `against ${baseline.planner} (${baseline.variant}), ${ablation}`;
  return [
    'Mean; 95 %: bootstrap interval of the mean over instances ' +
      `(${resamples} resamples); n: values; geo: geometric mean; –: nothing to measure.`,
    `Tests are ${tested}, pair by pair of instances: † p < 0.05, * p < 0.01 by Wilcoxon’s signed-rank test ` +
      'after Holm’s correction over the table; in parentheses where it is worse. =: no pair differs; ' +
      '?: not tested, for fewer than 6 pairs that differ can show nothing.',
    ...(summary.some(({ synthetic }) => synthetic) ? [SYNTHETIC_NOTE] : []),
  ];
}

/** Columns that identify the rows of a table; those with one value are hidden. */
function rowColumns<Row extends Omit<PaperRow, 'cells'>>(): Column<Row>[] {
  const column = columnsOf<Omit<PaperRow, 'cells'>>();
  return [
    column('planner', (planner, row) => plannerText(String(planner), row), { align: 'left' }),
    column('variant', { when: (rows) => new Set(rows.map(({ variant }) => variant)).size > 1 }),
    column('method', { when: (rows) => rows.some(({ method }) => method !== null) }),
    column('stage', { when: (rows) => rows.some(({ stage }) => stage !== 'total') }),
  ];
}

/** Two columns for each suite: its mean with the mark, and the interval and number of values. */
function suiteColumns(suites: readonly string[], format: NumberFormat): Column<PaperRow>[] {
  const names = suites.length > 1 ? [...suites, 'all'] : suites;
  const column = columnsOf<PaperRow>();
  const columns = names.flatMap((suite, index): Column<PaperRow>[] => {
    const isLast = index === names.length - 1;
    return [
      column.of(suite, ({ cells }) => marked(cells[index], format), {
        align: 'right',
        ...(isLast ? {} : { minor: 1 }),
      }),
      column.of(`${suite}_interval`, ({ cells }) => intervalAndCount(cells[index], format), {
        header: '95 % (n)',
        minor: isLast ? 2 : 4,
        align: 'right',
      }),
    ];
  });
  return [
    ...columns,
    column.of('geometric_mean', ({ cells }) => cells[cells.length - 1].geometric_mean, {
      header: `${names.at(-1)} geo`,
      minor: 3,
      format,
    }),
  ];
}

function marked({ mean, baseline }: Measurement, format: NumberFormat): string {
  return `${format(mean)}${baseline?.mark ?? ''}`;
}

function interval({ low, high }: Measurement, format: NumberFormat): string {
  return low === null || high === null ? NOTHING : `${format(low)} – ${format(high)}`;
}

function intervalAndCount(cell: Measurement, format: NumberFormat): string {
  return `${interval(cell, format)} (${cell.values})`;
}

/** A row of the cost table: the cost of a stage on all suites. */
interface CostRow extends Omit<PaperRow, 'cells'> {
  readonly tokens: Measurement;
  readonly cost: Measurement;
}

/** Both tables have the same rows. */
function costRows({ tokens, cost }: PaperReport['tables']): CostRow[] {
  const last = ({ cells }: PaperRow) => cells[cells.length - 1];
  return cost.rows.map(({ cells, ...row }, index) => ({
    ...row,
    tokens: last(tokens.rows[index]),
    cost: cells[cells.length - 1],
  }));
}

const cost = columnsOf<CostRow>();

const totalColumns = [
  cost('tokens.sum', rounded, { key: 'tokens', header: 'total tokens', minor: 3 }),
  cost('cost.sum', dollars, { key: 'cost', header: 'total cost' }),
  cost.of('priced', ({ cost }) => `${cost.values} of ${cost.records}`, {
    minor: 2,
    align: 'right',
  }),
  cost.of('cost_mean', ({ cost }) => marked(cost, dollars), {
    header: 'cost per record',
    align: 'right',
  }),
  cost.of('interval', ({ cost }) => interval(cost, dollars), {
    header: '95 %',
    minor: 1,
    align: 'right',
  }),
];

/** Names and formats of the measures of the summary. */
const summaryMeasures: Readonly<Record<string, [string, NumberFormat]>> = {
  success_percent: ['success, %', fixed(1)],
  optimality_percent: ['optimality, %', fixed(2)],
  tokens: ['tokens', rounded],
  cost_usd: ['cost, $', dollars],
  seconds: ['time', formatSeconds],
};

const formatOf = ({ measure }: SummaryLine) => summaryMeasures[measure][1];

const line = columnsOf<SummaryLine>();

/** Columns that need a baseline. */
const tested = {
  when: (rows: readonly SummaryLine[]) => rows.some(({ cell }) => cell.baseline !== null),
};

const summaryColumns = [
  line('measure', (_, { measure }) => summaryMeasures[measure][0], {
    header: 'metric',
    align: 'left',
  }),
  line('cell.baseline.mean', (value, row) => formatOf(row)(value), {
    header: 'baseline',
    ...tested,
  }),
  line.of('mean', (row) => marked(row.cell, formatOf(row)), { align: 'right' }),
  line.of('interval', (row) => interval(row.cell, formatOf(row)), {
    header: '95 %',
    minor: 4,
    align: 'right',
  }),
  line('cell.values', rounded, { header: 'n', minor: 5 }),
  line.of('change', ({ cell }) => changeOf(cell), {
    header: 'change, %',
    format: change(2),
    ...tested,
  }),
  line('cell.baseline.pairs', rounded, { header: 'pairs', minor: 3, ...tested }),
  line('cell.baseline.p_t_holm', pOfT, { header: 'p (t)', minor: 2, ...tested }),
  line('cell.baseline.p_wilcoxon_holm', pOfWilcoxon, {
    header: 'p (Wilcoxon)',
    minor: 1,
    ...tested,
  }),
];

/** The mean difference of the pairs, in percent of the baseline. */
function changeOf({ baseline }: Measurement): number | null {
  if (baseline?.difference == null || baseline.mean === null || baseline.mean === 0) return null;
  return (100 * baseline.difference) / baseline.mean;
}

/** The corrected p of the t-test, or the reason why there is none. */
function pOfT(p: CellValue, { cell: { baseline } }: SummaryLine): string {
  return probability(p, baseline, (baseline?.pairs ?? 0) < 2 ? 'too few' : 'no spread');
}

function pOfWilcoxon(p: CellValue, { cell: { baseline } }: SummaryLine): string {
  return probability(p, baseline, 'too few');
}

function probability(p: CellValue, baseline: Measurement['baseline'], otherwise: string): string {
  if (typeof p === 'number') return p < 0.0001 ? '< 0.0001' : p.toFixed(4);
  if (baseline === null || baseline.pairs === 0) return NOTHING;
  return baseline.differing === 0 ? 'all equal' : otherwise;
}

/** Writes the tables of the paper as they are printed there, each marked as claimed. */
export function claimedTables(
  { tables }: PaperClaims,
  format: DocumentFormat,
  style: TableStyle,
): TitledTable[] {
  return Object.values(tables).map(({ number, title, columns, rows }: ClaimedTable) => ({
    title: `Claimed in table ${number} of the paper, not measured here: ${title}`,
    text: renderTable(claimedColumns(columns), rows, format, style),
  }));
}

function claimedColumns(names: readonly string[]): Column<ClaimedTable['rows'][number]>[] {
  const column = columnsOf<ClaimedTable['rows'][number]>();
  return names.map((name, index) =>
    column.of(name, (row) => row[index], {
      header: name === 'method' ? 'method (claimed)' : name,
      align: names.length > 4 && index < 2 ? 'left' : index === 0 ? 'left' : 'right',
    }),
  );
}

/** A table with its title above it. */
export function titled({ title, text }: TitledTable, format: DocumentFormat): string {
  // A text in the place of an empty table has no rules.
  if (format === 'latex' && !text.startsWith('%')) return `${escapeLatex(`${title}: ${text}`)}\n`;
  if (format === 'latex') return captionLatex(title, text);
  return format === 'md' ? `**${title}**\n\n${text}` : `${title}\n\n${text}`;
}
