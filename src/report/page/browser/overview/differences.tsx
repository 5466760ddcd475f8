import { dot, link, plot, ruleX } from '@observablehq/plot';
import { useCallback } from 'preact/hooks';
import type { PageData } from '../../views/page-data.js';
import { Chart } from '../parts/chart.js';
import { DataTable, type TableColumn } from '../parts/data-table.js';
import { decimals, probability, signed } from '../parts/numbers.js';
import { outcomeWords } from './best-planner.js';
import { namer, type TestLine, testRows } from './planner-rows.js';

interface Props {
  readonly data: PageData;
  readonly suite: string | null;
}

/** Maximum number of pairs in the chart. */
const DRAWN = 24;

/** Differences between planners, pair by pair, with intervals and tests. */
export function Differences({ data, suite }: Props) {
  const rows = testRows(data, suite);
  const nameOf = namer(data);
  const draw = useCallback((width: number) => drawIntervals(rows, nameOf, width), [data, suite]);
  if (rows.length === 0) return null;
  return (
    <section>
      <h3>Differences between planners</h3>
      <p class="quiet">
        Mean difference of the primal gap of A less that of B on the instances that both have, in
        points of percent: below 0 where A is better. The line is the 95 % bootstrap interval over
        instances; a difference counts as significant if Wilcoxon’s signed-rank test, corrected by
        Holm’s method for all pairs and suites, has p below 0.05.
      </p>
      <Chart label="Intervals of the differences; the table below has the numbers" draw={draw} />
      {rows.length > DRAWN && (
        <p class="quiet">
          The chart shows the first {DRAWN} of {rows.length} pairs; the table has all.
        </p>
      )}
      <DataTable
        caption="Pairs of planners"
        columns={columnsOf(nameOf)}
        rows={rows}
        id={({ a, b }) => `${nameOf(a)} ${nameOf(b)}`}
      />
    </section>
  );
}

function drawIntervals(
  rows: readonly TestLine[],
  nameOf: (planner: TestLine['a']) => string,
  width: number,
): Element {
  const pairs = rows.slice(0, DRAWN).flatMap(({ a, b, difference, low, high, better }, index) => {
    if (difference === null) return [];
    const ends = { low: low ?? difference, high: high ?? difference };
    return [{ y: index, name: `${nameOf(a)} − ${nameOf(b)}`, difference, ...ends, better }];
  });
  const names = new Map(pairs.map(({ y, name }) => [y, name]));
  const space = Math.min(width * 0.5, 12 + 7 * Math.max(...pairs.map(({ name }) => name.length)));
  const letters = Math.floor((space - 12) / 7);
  const colour = (pair: (typeof pairs)[number]) =>
    pair.better === null ? 'var(--quiet)' : 'var(--series-0)';
  return plot({
    className: 'plot',
    width,
    height: 62 + 26 * pairs.length,
    marginBottom: 42,
    marginLeft: space,
    x: {
      label: 'points of percent, A − B',
      grid: true,
      nice: true,
      ticks: width / 110,
      labelOffset: 38,
    },
    y: {
      type: 'band',
      label: null,
      tickSize: 0,
      tickFormat: (y: number) => clipped(names.get(y) ?? '', letters),
    },
    marks: [
      ruleX([0], { stroke: 'currentColor' }),
      link(pairs, {
        x1: 'low',
        x2: 'high',
        y1: 'y',
        y2: 'y',
        stroke: colour,
        strokeWidth: 2.5,
      }),
      dot(pairs, {
        x: 'difference',
        y: 'y',
        r: 4.5,
        fill: (pair) => (pair.better === null ? 'var(--ground)' : colour(pair)),
        stroke: colour,
        strokeWidth: 2,
        title: ({ name, difference, low, high }) =>
          `${name}: ${signed(difference, 2)} (${signed(low, 2)} to ${signed(high, 2)})`,
      }),
    ],
  });
}

/** A text truncated in the middle, where names of planners differ least. */
function clipped(text: string, letters: number): string {
  if (text.length <= letters) return text;
  const half = Math.max(2, Math.floor((letters - 1) / 2));
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}

function columnsOf(nameOf: (planner: TestLine['a']) => string): readonly TableColumn<TestLine>[] {
  return [
    { key: 'a', header: 'A', about: 'One planner', value: ({ a }) => nameOf(a) },
    { key: 'b', header: 'B', about: 'The other planner', value: ({ b }) => nameOf(b) },
    {
      key: 'difference',
      header: 'A − B',
      about: 'Mean difference of the primal gap in points of percent; below 0 where A is better',
      value: ({ difference }) => difference,
      show: ({ difference }) => signed(difference, 2),
    },
    {
      key: 'interval',
      header: '95 % interval',
      about: 'Bootstrap interval of the mean difference over instances',
      value: ({ low }) => low,
      show: ({ low, high }) => (low === null ? '–' : `${decimals(low, 2)} to ${decimals(high, 2)}`),
    },
    {
      key: 'wins',
      header: 'A : B better',
      about: 'Instances on which A is better, on which B is, and those where they are equal',
      value: ({ a_better, b_better }) => a_better - b_better,
      show: ({ a_better, b_better, equal }) => `${a_better} : ${b_better} (${equal} equal)`,
      minor: true,
      ascending: false,
    },
    {
      key: 'p',
      header: 'p',
      about: 'Wilcoxon’s signed-rank test, two-sided, after Holm’s correction',
      value: ({ p_wilcoxon_holm }) => p_wilcoxon_holm,
      show: ({ p_wilcoxon_holm }) => probability(p_wilcoxon_holm),
    },
    {
      key: 'outcome',
      header: 'outcome',
      about: 'Who is better, if the test shows it at 5 %',
      value: (row) => row.better ?? row.reason,
      show: (row) =>
        row.better === null ? (
          <span class="quiet">{outcomeWords(row)}</span>
        ) : (
          <span class="good">{nameOf(row[row.better])} is better</span>
        ),
    },
  ];
}
