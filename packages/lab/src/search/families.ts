// Solves of the search, and of CP-SAT beside it, by family: mean gaps, best known makespans met, proofs.

import type { Benchmark } from './benchmark.js';
import type { CpSatRow } from './beside.js';
import { gapOf, makespanAfter, type SolveRow } from './rows.js';

/** What a table needs of a solve of either solver. */
interface Solve {
  gap: number;
  isMet: boolean;
  isProven: boolean;
}

/**
 * A table in Markdown with a line for each family, and one for all if there are several. Gaps are to the best known
 * makespan; to the better of the two solvers where none is known.
 */
export function familyTable(
  sources: readonly Benchmark[],
  rows: readonly SolveRow[],
  others: readonly CpSatRow[],
  seconds: number,
): string {
  const suites = [...new Set(sources.map(({ suite }) => suite))];
  const heads = ['', 'solves', 'mean gap %', 'best met', 'proven'];
  if (others.length > 0)
    heads.push(
      ...['CP-SAT: solves', 'mean gap %', 'best met', 'proven'],
      ...['the search there: mean gap %', 'better: search', 'CP-SAT'],
    );
  const line = (name: string, some: readonly Benchmark[]) => {
    const pairs = some.flatMap((source) => solvesOf(source, rows, others, seconds));
    const cells = [name, pairs.length, ...sums(pairs.map(({ own }) => own))];
    if (others.length > 0) {
      const both = pairs.filter(({ other }) => other !== null) as { own: Solve; other: Solve }[];
      cells.push(
        both.length,
        ...sums(both.map(({ other }) => other)),
        sums(both.map(({ own }) => own))[0],
        both.filter(({ own, other }) => own.gap < other.gap).length,
        both.filter(({ own, other }) => own.gap > other.gap).length,
      );
    }
    return cells;
  };
  const lines = suites.map((suite) =>
    line(
      suite,
      sources.filter((one) => one.suite === suite),
    ),
  );
  if (suites.length > 1) lines.push(line('**all**', sources));
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const rule = row(heads.map((_, i) => (i === 0 ? '---' : '---:')));
  return ['', row(heads), rule, ...lines.map(row), ''].join('\n');
}

/** The solves of an instance, one for each seed, each beside that of CP-SAT. */
function solvesOf(
  { name, bounds }: Benchmark,
  rows: readonly SolveRow[],
  others: readonly CpSatRow[],
  seconds: number,
) {
  const own = rows.filter(({ instance }) => instance === name);
  const other = others.find(({ instance }) => instance === name);
  const reached = own.map((row) => makespanAfter(row, seconds));
  const found = other?.makespan ?? Number.POSITIVE_INFINITY;
  const best = Number.isNaN(bounds.upper) ? Math.min(found, ...reached) : bounds.upper;
  const solve = (makespan: number, status: string, took: number): Solve => ({
    gap: gapOf(makespan, best),
    isMet: makespan <= best,
    isProven: status === 'optimal' && took <= seconds + LATE,
  });
  return own.map((row, i) => ({
    own: solve(reached[i], row.status, row.seconds),
    other: other === undefined ? null : solve(found, other.status, other.seconds),
  }));
}

/** Seconds by which a solve may end late and still count. */
const LATE = 0.5;

function sums(solves: readonly Solve[]): (string | number)[] {
  const found = solves.filter(({ gap }) => Number.isFinite(gap));
  const mean = found.reduce((sum, { gap }) => sum + gap, 0) / found.length;
  const missing = solves.length - found.length;
  return [
    `${Number.isNaN(mean) ? '' : mean.toFixed(2)}${missing > 0 ? ` (${missing} without a schedule)` : ''}`,
    solves.filter(({ isMet }) => isMet).length,
    solves.filter(({ isProven }) => isProven).length,
  ];
}
