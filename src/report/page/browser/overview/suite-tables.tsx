import { formatSeconds } from '../../../format.js';
import type { PageData } from '../../views/page-data.js';
import { DataTable, type TableColumn } from '../parts/data-table.js';
import { decimals } from '../parts/numbers.js';
import { outcomeWords } from './best-planner.js';
import { namer, plannerRows, suitesOf, testRows } from './planner-rows.js';

/** A row of a table of suites: the gap of each planner. */
interface SuiteRow {
  readonly suite: string;
  readonly gaps: ReadonlyMap<string, number | null>;
  readonly least: number | null;
  /** Whether the best planner of the suite is significantly better than the next one, in words. */
  readonly outcome: string;
  readonly isShown: boolean;
}

interface SuiteProps {
  readonly data: PageData;
  readonly choose: (suite: string) => void;
}

/** The gap of every planner on every suite, with the smallest of each suite marked. */
export function SuiteTable({ data, choose }: SuiteProps) {
  const suites = suitesOf(data);
  if (suites.length < 2) return null;
  const rows = suites.map((suite): SuiteRow => {
    const planners = plannerRows(data, suite);
    const gaps = new Map(
      planners.map(({ name, anytime }) => [name, anytime?.final_gap_percent ?? null]),
    );
    const known = planners
      .filter(({ isSynthetic }) => !isSynthetic)
      .flatMap(({ anytime }) => anytime?.final_gap_percent ?? []);
    const least = known.length === 0 ? null : Math.min(...known);
    return { suite, gaps, least, ...leadOf(data, suite) };
  });
  if (rows.every(({ least }) => least === null)) return null;
  const synthetic = new Set(
    plannerRows(data, null)
      .filter(({ isSynthetic }) => isSynthetic)
      .map(({ name }) => name),
  );
  const names = [...new Set(rows.flatMap(({ gaps }) => [...gaps.keys()]))];
  const columns: readonly TableColumn<SuiteRow>[] = [
    {
      key: 'suite',
      header: 'suite',
      about: 'Choose one to see all of the page for it',
      value: ({ suite }) => suite,
      show: ({ suite }) => (
        <button
          type="button"
          class="link"
          onClick={() => {
            choose(suite);
            scrollTo({ top: 0 });
          }}
        >
          {suite}
        </button>
      ),
    },
    ...names.map(
      (name): TableColumn<SuiteRow> => ({
        key: name,
        header: name,
        about: 'Mean primal gap in percent; 100 counts for what is not feasible',
        value: ({ gaps }) => gaps.get(name) ?? null,
        show: ({ gaps, least }) => {
          const gap = gaps.get(name) ?? null;
          const text = decimals(gap, 2);
          return !synthetic.has(name) && gap !== null && gap === least ? (
            <strong class="good">{text} ●</strong>
          ) : (
            text
          );
        },
      }),
    ),
    {
      key: 'outcome',
      header: 'best against the next',
      about:
        'Whether the best planner of the suite is better than the next one: Wilcoxon’s test at 5 %',
      value: ({ outcome }) => outcome,
      show: ({ outcome, isShown }) => <span class={isShown ? 'good' : 'quiet'}>{outcome}</span>,
      minor: names.length > 3,
    },
  ];
  return (
    <section>
      <h3>Suite by suite</h3>
      <p class="quiet">Mean primal gap in percent; ● marks the least of each suite.</p>
      <DataTable
        caption="Primal gap by suite"
        columns={columns}
        rows={rows}
        id={({ suite }) => suite}
      />
    </section>
  );
}

/** The test between the best planner of a suite and the next one. */
function leadOf(data: PageData, suite: string): Pick<SuiteRow, 'outcome' | 'isShown'> {
  const nameOf = namer(data);
  const tests = testRows(data, suite);
  const names = plannerRows(data, suite)
    .map(({ name }) => name)
    .filter((name) => tests.some(({ a, b }) => [nameOf(a), nameOf(b)].includes(name)))
    .slice(0, 2);
  const test = tests.find(({ a, b }) => names.includes(nameOf(a)) && names.includes(nameOf(b)));
  if (test === undefined) return { outcome: 'nothing to compare', isShown: false };
  return { outcome: outcomeWords(test), isShown: test.better !== null };
}

type BestRow = NonNullable<PageData['evaluation']>['best'][number];

const STANDINGS: Readonly<Record<BestRow['standing'], string>> = {
  optimal: 'optimal: it meets a lower bound',
  new: 'new: better than the best known',
  equal: 'as good as the best known',
  worse: 'worse than the best known',
  unmeasured: 'no best known to compare with',
  none: 'no feasible schedule',
};

interface BestProps {
  readonly data: PageData;
  readonly suite: string | null;
}

/** The best schedule of each instance over all records. */
export function BestTable({ data, suite }: BestProps) {
  const rows = (data.evaluation?.best ?? []).filter((row) => suite === null || row.suite === suite);
  if (rows.length === 0) return null;
  const nameOf = namer(data);
  const columns: readonly TableColumn<BestRow>[] = [
    {
      key: 'instance',
      header: 'instance',
      about: 'Name of the instance',
      value: ({ instance }) => instance,
    },
    {
      key: 'value',
      header: 'best here',
      about: 'The smallest makespan of all records here, in units of time of the instance',
      value: ({ value }) => value,
    },
    {
      key: 'upper',
      header: 'best known',
      about: 'The best makespan of the literature (upper bound)',
      value: ({ upper_bound }) => upper_bound,
    },
    {
      key: 'lower',
      header: 'lower bound',
      about: 'No schedule has a smaller makespan',
      value: ({ lower_bound }) => lower_bound,
      minor: true,
    },
    {
      key: 'gap',
      header: 'gap, %',
      about: '(best here − best known) / best known',
      value: ({ gap_percent }) => gap_percent,
      show: ({ gap_percent }) => decimals(gap_percent, 2),
    },
    {
      key: 'by',
      header: 'by',
      about: 'The planner that made it, and others that came to the same',
      value: (row) => (row.value === null ? null : nameOf(row)),
      show: (row) =>
        row.value === null
          ? '–'
          : [nameOf(row), ...row.also].filter((one, i, all) => all.indexOf(one) === i).join(', '),
    },
    {
      key: 'seconds',
      header: 'time',
      about: 'Time that this record worked on its schedule',
      value: ({ seconds }) => seconds,
      show: (row) => formatSeconds(row.seconds),
      minor: true,
    },
    {
      key: 'standing',
      header: 'standing',
      about: 'Comparison with the best known',
      value: ({ standing }) => standing,
      show: ({ standing }) => STANDINGS[standing],
    },
  ];
  return (
    <section>
      <h3>The best of each instance</h3>
      <DataTable
        caption="Best schedules over all records"
        columns={columns}
        rows={rows}
        id={({ instance, objective }) => `${instance} ${objective}`}
        most={20}
      />
    </section>
  );
}
