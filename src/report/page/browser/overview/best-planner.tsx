import { counted } from '../../../format.js';
import type { PageData } from '../../views/page-data.js';
import { decimals, probability } from '../parts/numbers.js';
import {
  namer,
  type PlannerRow,
  plannerRows,
  suitesOf,
  type TestLine,
  testRows,
} from './planner-rows.js';

interface Props {
  readonly data: PageData;
  readonly suite: string | null;
}

/** Sentences on the best planner of a suite and the significance of its lead. */
export function BestPlanner({ data, suite }: Props) {
  const rows = plannerRows(data, suite).filter(({ anytime }) => anytime !== null);
  const [best, ...others] = rows.filter(({ isSynthetic }) => !isSynthetic);
  if (best?.anytime == null) {
    return (
      <p class="empty">
        No record can be compared with the best known schedules: either none is feasible, or the
        best is unknown, as for schedules that were executed under disruptions. The table below
        lists all results.
      </p>
    );
  }
  const suites = suitesOf(data);
  const only = suite ?? (suites.length === 1 ? suites[0] : null);
  const place = only === null ? 'On all suites together' : `On ${only}`;
  const { instances, final_gap_percent } = best.anytime;
  const equals = others.filter(({ anytime }) => anytime?.final_gap_percent === final_gap_percent);
  const isKnown = data.records.some(({ upper_bound }) => upper_bound !== null);
  const lines = others.map((other) => (
    <li key={other.name}>{comparison(best, other, testRows(data, suite), namer(data))}</li>
  ));
  return (
    <div class="verdict">
      <p>
        {place} ({counted(instances, 'instance')}) <strong>{best.name}</strong>
        {equals.length === 0 ? ' ends' : ` and ${counted(equals.length, 'other')} end`} nearest to
        the best {isKnown ? 'known schedules' : 'schedules here'}: the mean primal gap is{' '}
        {decimals(final_gap_percent, 2)} %.
      </p>
      {others.length === 0 && <p>There is no other planner to compare it with.</p>}
      <ul>{lines.slice(0, LISTED)}</ul>
      {lines.length > LISTED && (
        <details>
          <summary>and {lines.length - LISTED} more</summary>
          <ul>{lines.slice(LISTED)}</ul>
        </details>
      )}
    </div>
  );
}

/** Number of planners initially compared with the best one. */
const LISTED = 10;

/** The best planner compared with another one, with the test between them. */
function comparison(
  best: PlannerRow,
  other: PlannerRow,
  tests: readonly TestLine[],
  nameOf: (planner: TestLine['a']) => string,
) {
  const gap = decimals(other.anytime?.final_gap_percent ?? null, 2);
  const names = [best.name, other.name];
  const test = tests.find(({ a, b }) => names.includes(nameOf(a)) && names.includes(nameOf(b)));
  if (test === undefined) {
    return (
      <>
        {other.name}: {gap} %; not compared.
      </>
    );
  }
  return (
    <>
      {other.name}: {gap} %, {differenceWords(test, best.name === nameOf(test.a))} –{' '}
      <strong class={test.better === null ? 'quiet' : 'good'}>{outcomeWords(test)}</strong>
    </>
  );
}

/** The difference in percentage points, with its interval; positive if the other one is worse. */
function differenceWords({ difference, low, high }: TestLine, isA: boolean): string {
  const turn = (value: number | null) => (value === null ? null : isA ? 0 - value : value);
  const [from, to] = isA ? [turn(high), turn(low)] : [low, high];
  const interval =
    from === null
      ? 'no interval, as too little varies'
      : `95\u00a0% interval ${decimals(from, 2)} to ${decimals(to, 2)}`;
  return `${decimals(turn(difference), 2)} points more (${interval})`;
}

/** Whether a difference is significant, and by which test. */
export function outcomeWords(test: TestLine): string {
  const { better, reason, p_wilcoxon_holm, a_better, b_better } = test;
  const sign = p_wilcoxon_holm !== null && p_wilcoxon_holm < 0.0001 ? '' : '=\u00a0';
  const p = `p\u00a0${sign}${probability(p_wilcoxon_holm)}`;
  if (better !== null) return `significant (${p})`;
  switch (reason) {
    case 'no pairs':
      return 'not tested: they share no instance';
    case 'all equal':
      return 'no difference on any instance';
    case 'too few':
      return `not significant: too few, ${counted(a_better + b_better, 'instance')} that differ; a test needs 6`;
    case 'mixed':
      return 'not shown: the means speak for the one, the ranks for the other';
    default:
      return `not significant (${p})`;
  }
}
