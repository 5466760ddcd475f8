import type { PlannerTest, PlannerTests } from '../harness/evaluation/planner-tests.js';
import { type CellValue, type Column, columnsOf } from './columns.js';
import { formatProbability, formatSeconds, intervalText, NOTHING, whole } from './format.js';

/** The columns of a table of planners that are tested against each other. */
export function plannerTestColumns(
  format: (value: CellValue) => string,
  { rows }: PlannerTests,
): Column<PlannerTest>[] {
  const test = columnsOf<PlannerTest>();
  const several = new Set(rows.flatMap(({ a, b }) => [a.variant, b.variant])).size > 1;
  const name = (side: 'a' | 'b') =>
    test.of(side, (row) => `${row[side].planner}${several ? ` (${row[side].variant})` : ''}`, {
      header: side === 'a' ? 'planner' : 'against',
    });
  return [
    test('suite', (suite) => String(suite ?? 'all'), { align: 'left' }),
    name('a'),
    name('b'),
    ...test.hiddenAs({ a_variant: 'a.variant', b_variant: 'b.variant' }),
    test('instances', whole, { minor: 6 }),
    test.of('wins', ({ a_better, equal, b_better }) => `${a_better}/${equal}/${b_better}`, {
      header: 'better/equal/worse',
      minor: 5,
      align: 'right',
    }),
    ...test.hidden('a_better', 'equal', 'b_better', 'mean_a', 'mean_b'),
    test('difference', format),
    test.of('interval', ({ low, high }) => intervalText(low, high, format), {
      header: '95 %',
      minor: 3,
      align: 'right',
    }),
    ...test.hidden('low', 'high'),
    test('p_wilcoxon', formatProbability, { header: 'p', minor: 4 }),
    test('p_wilcoxon_holm', formatProbability, { header: 'p (Holm)', minor: 2 }),
    ...test.hidden('p_t', 'p_t_holm'),
    test(
      'better',
      (_, row) => (row.better === null ? (row.reason ?? '') : row[row.better].planner),
      {
        header: 'shown better',
        align: 'left',
      },
    ),
    ...test.hidden('reason'),
  ];
}

/** A difference of times, with its sign. */
export function changeOfSeconds(value: CellValue): string {
  if (typeof value !== 'number') return NOTHING;
  const sign = value > 0 ? '+' : value < 0 ? '-' : '';
  return `${sign}${formatSeconds(Math.abs(value))}`;
}
