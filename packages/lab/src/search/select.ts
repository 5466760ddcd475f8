// The recorded solves that a table shows.

import type { Benchmark } from './benchmark.js';
import { gapOf, makespanAfter, type SolveRow } from './rows.js';

/** The solves that a table shows, and how many instances of the set they cover. */
export interface SelectedSolves {
  rows: SolveRow[];
  instances: number;
  /** When the newest was solved; empty for those without a date. */
  newest: string;
}

/**
 * The solves of a set with a budget: those of one commit on one machine, which has solved the most of the set, and the newest of
 * such. Where none were made with that budget, longer ones, of which the makespan by then counts: before November
 * 2026 the search did not know its budget, and solvers beside it do not use it.
 *
 * @returns with how many instances of the set they are of
 */
export function selectSolves(
  rows: readonly SolveRow[],
  sources: readonly Pick<Benchmark, 'name'>[],
  seconds: number,
): SelectedSolves {
  const names = new Set(sources.map(({ name }) => name));
  const inSet = rows.filter(({ instance }) => names.has(instance));
  const exact = bestGroup(inSet.filter((row) => row.budget_seconds === seconds));
  const longer = bestGroup(inSet.filter((row) => row.budget_seconds > seconds));
  // Those of before have no date; the ones with more seeds count.
  const isOfBefore = exact.newest === '' && longer.newest === '';
  const isFuller = longer.instances === exact.instances && longer.rows.length > exact.rows.length;
  return longer.instances > exact.instances || (isOfBefore && isFuller) ? longer : exact;
}

/** Mean gap in percent after so many seconds, to best known makespans as they are today. */
export function meanGap(rows: readonly SolveRow[], sources: readonly Benchmark[], seconds: number) {
  const upper = new Map(sources.map(({ name, bounds }) => [name, bounds.upper]));
  const gaps = rows.map((row) =>
    gapOf(makespanAfter(row, seconds), upper.get(row.instance) ?? Number.NaN),
  );
  return gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
}

function bestGroup(rows: readonly SolveRow[]) {
  const groups = new Map<string, { solves: Map<string, SolveRow>; newest: string }>();
  for (const row of rows) {
    const key = `${row.commit} ${row.threads} ${row.budget_seconds} ${row.machine}`;
    const group = groups.get(key) ?? { solves: new Map(), newest: '' };
    // A solve may stand in several files.
    group.solves.set(`${row.instance} ${row.seed ?? 0}`, row);
    if ((row.solved_at ?? '') > group.newest) group.newest = row.solved_at ?? '';
    groups.set(key, group);
  }
  let best: SelectedSolves = { rows: [], instances: 0, newest: '' };
  for (const { solves, newest } of groups.values()) {
    const instances = new Set([...solves.values()].map(({ instance }) => instance)).size;
    if (instances < best.instances || (instances === best.instances && newest < best.newest))
      continue;
    best = { rows: [...solves.values()], instances, newest };
  }
  return best;
}
