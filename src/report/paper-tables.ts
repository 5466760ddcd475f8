import type { Cell as Measured } from '../harness/paper/cells.js';
import type { PaperReport, PaperRow, SummaryLine } from '../harness/paper/report.js';
import type { Cell, Column } from './columns.js';
import { change, formatFixed, formatSeconds, percent } from './format.js';
import { type Format, renderTable, type TableStyle } from './table.js';

/** A table with what stands above it. */
export interface TitledTable {
  readonly title: string;
  readonly text: string;
}

/** What the tables of the paper are called here; {@link paperTables} writes them in this order. */
const titles = {
  success: 'Table 3. Success: feasible schedules of 100 records',
  optimality: 'Table 4. Optimality of feasible schedules, %',
  ablation: 'Table 5. Ablation: optimality, %, 0 without a feasible schedule',
  time: 'Table 11. Execution time of a record',
  tokens: 'Table 12. Tokens of a record',
  cost: 'Table 13. Cost, $',
} as const;

/** What stands in the place of an empty table. */
const NO_ROWS = 'No planner ran in several variants.\n';

type TableName = keyof typeof titles;

const formats: Readonly<Record<TableName, (value: Cell) => string>> = {
  success: percent(1),
  optimality: percent(2),
  ablation: percent(2),
  time: formatSeconds,
  tokens: rounded,
  cost: dollars,
};

/** Writes the tables of the paper for people. */
export function paperTables(
  report: PaperReport,
  format: Extract<Format, 'table' | 'md'>,
  style: TableStyle,
): TitledTable[] {
  const { tables, summary, suites } = report;
  const bySuite = (['success', 'optimality', 'ablation', 'time', 'tokens'] as const).map((name) => {
    const columns = [...rowColumns(tables[name].rows), ...suiteColumns(suites, formats[name])];
    const { rows } = tables[name];
    return {
      title: titles[name],
      text: rows.length === 0 ? NO_ROWS : renderTable(columns, rows, format, style),
    };
  });
  const costs = costRows(tables);
  const costColumns = [...rowColumns(costs), ...totalColumns];
  const lines = [...rowColumns(summary), ...summaryColumns];
  return [
    ...bySuite,
    { title: titles.cost, text: renderTable(costColumns, costs, format, style) },
    {
      title: 'Table 14. Summary: what each ended with, on all suites, beside the baseline',
      text: renderTable(lines, summary, format, style),
    },
  ];
}

/** What the marks and words in the tables mean. */
export function paperLegend({ baseline, summary }: PaperReport, resamples: number): string[] {
  const ablation = 'against the variant full of the same planner in table 5';
  const tested =
    baseline === null ? ablation : `against ${baseline.planner} (${baseline.variant}), ${ablation}`;
  return [
    'Mean; 95 %: bootstrap interval of the mean over instances ' +
      `(${resamples} resamples); n: values; geo: geometric mean; –: nothing to measure.`,
    `Tests are ${tested}, pair by pair of instances: † p < 0.05, * p < 0.01 by the paired t-test after ` +
      'Holm’s correction over the table; in parentheses where it is worse.',
    ...(summary.some(({ synthetic }) => synthetic)
      ? ['synthetic: plans made wrong on purpose by alas-jssp; no model was asked.']
      : []),
  ];
}

/** What tells the rows of a table apart; people need no column in which all say the same. */
function rowColumns<Row extends Omit<PaperRow, 'cells'>>(rows: readonly Row[]): Column<Row>[] {
  const severalVariants = new Set(rows.map(({ variant }) => variant)).size > 1;
  return [
    {
      key: 'planner',
      header: 'planner',
      value: ({ planner, synthetic }) => (synthetic ? `${planner} (synthetic)` : planner),
    },
    { key: 'variant', header: 'variant', value: (row) => row.variant, hidden: !severalVariants },
    {
      key: 'method',
      header: 'method',
      value: ({ method }) => method,
      hidden: rows.every(({ method }) => method === null),
    },
    {
      key: 'stage',
      header: 'stage',
      value: ({ stage }) => stage,
      hidden: rows.every(({ stage }) => stage === 'total'),
    },
  ];
}

/** Two columns for each suite: its mean with the mark, and how sure that is and of how many values. */
function suiteColumns(
  suites: readonly string[],
  format: (value: Cell) => string,
): Column<PaperRow>[] {
  const names = suites.length > 1 ? [...suites, 'all'] : suites;
  const columns = names.flatMap((suite, index): Column<PaperRow>[] => {
    const isLast = index === names.length - 1;
    const cellOf = ({ cells }: PaperRow) => cells[index];
    return [
      {
        key: suite,
        header: suite,
        value: (row) => marked(cellOf(row), format),
        align: 'right',
        ...(isLast ? {} : { minor: 1 }),
      },
      {
        key: `${suite}_interval`,
        header: '95 % (n)',
        minor: isLast ? 2 : 4,
        value: (row) => `${interval(cellOf(row), format)} (${cellOf(row).values})`,
        align: 'right',
      },
    ];
  });
  const geometric: Column<PaperRow> = {
    key: 'geometric_mean',
    header: `${names.at(-1)} geo`,
    minor: 3,
    value: ({ cells }) => cells[cells.length - 1].geometric_mean,
    format,
  };
  return [...columns, geometric];
}

function marked({ mean, baseline }: Measured, format: (value: Cell) => string): string {
  return `${format(mean)}${baseline?.mark ?? ''}`;
}

function interval({ low, high }: Measured, format: (value: Cell) => string): string {
  return low === null || high === null ? '–' : `${format(low)} – ${format(high)}`;
}

/** A row of the cost table: what a stage took on all suites. */
interface CostRow extends Omit<PaperRow, 'cells'> {
  readonly tokens: Measured;
  readonly cost: Measured;
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

const totalColumns: readonly Column<CostRow>[] = [
  { key: 'tokens', header: 'total tokens', value: ({ tokens }) => tokens.sum, format: rounded },
  { key: 'cost', header: 'total cost', value: ({ cost }) => cost.sum, format: dollars },
  {
    key: 'priced',
    header: 'priced',
    minor: 2,
    value: ({ cost }) => `${cost.values} of ${cost.records}`,
    align: 'right',
  },
  {
    key: 'cost_mean',
    header: 'cost per record',
    value: ({ cost }) => marked(cost, dollars),
    align: 'right',
  },
  {
    key: 'interval',
    header: '95 %',
    minor: 1,
    value: ({ cost }) => interval(cost, dollars),
    align: 'right',
  },
];

/** How the measures of the summary are called and written. */
const summaryMeasures: Readonly<Record<string, [string, (value: Cell) => string]>> = {
  success_percent: ['success, %', percent(1)],
  optimality_percent: ['optimality, %', percent(2)],
  tokens: ['tokens', rounded],
  cost_usd: ['cost, $', dollars],
  seconds: ['time', formatSeconds],
};

const formatOf = ({ measure }: SummaryLine) => summaryMeasures[measure][1];

const summaryColumns: readonly Column<SummaryLine>[] = [
  { key: 'measure', header: 'metric', value: ({ measure }) => summaryMeasures[measure][0] },
  {
    key: 'baseline',
    header: 'baseline',
    value: ({ cell }) => cell.baseline?.mean ?? null,
    format: (value, line) => formatOf(line)(value),
  },
  {
    key: 'mean',
    header: 'mean',
    value: (line) => marked(line.cell, formatOf(line)),
    align: 'right',
  },
  {
    key: 'interval',
    header: '95 %',
    minor: 3,
    value: (line) => interval(line.cell, formatOf(line)),
    align: 'right',
  },
  { key: 'values', header: 'n', minor: 4, value: ({ cell }) => cell.values, format: rounded },
  {
    key: 'change_percent',
    header: 'change, %',
    value: ({ cell }) => changeOf(cell),
    format: change(2),
  },
  {
    key: 'pairs',
    header: 'pairs',
    minor: 2,
    value: ({ cell }) => cell.baseline?.pairs ?? null,
    format: (value) => rounded(value),
  },
  {
    key: 'p_t_holm',
    header: 'p (t)',
    minor: 1,
    value: ({ cell }) => cell.baseline?.p_t_holm ?? null,
    format: probability,
  },
  {
    key: 'p_wilcoxon_holm',
    header: 'p (Wilcoxon)',
    minor: 1,
    value: ({ cell }) => cell.baseline?.p_wilcoxon_holm ?? null,
    format: probability,
  },
];

/** By how much the pairs differ, in percent of the baseline. */
function changeOf({ baseline }: Measured): number | null {
  if (baseline?.difference == null || baseline.mean === null || baseline.mean === 0) return null;
  return (100 * baseline.difference) / baseline.mean;
}

function rounded(value: Cell): string {
  return typeof value === 'number' ? formatFixed(value, 0) : '–';
}

function dollars(value: Cell): string {
  return typeof value === 'number' ? formatFixed(value, 4) : '–';
}

function probability(value: Cell): string {
  if (typeof value !== 'number') return '–';
  return value < 0.0001 ? '< 0.0001' : value.toFixed(4);
}
