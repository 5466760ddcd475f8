import { InputError } from '@alas-jssp/core/errors';
import { readJsonFile } from '@alas-jssp/core/json-file';
import { geometricPercent, groupBy, mean, present } from '../statistics/descriptive.js';
import { type LeaderboardEntry, leaderboardEntrySchema } from './entry.js';

/** A line of the leaderboard: a planner in a variant, over all its results in one entry. */
export interface LeaderboardRow {
  readonly planner: string;
  readonly variant: string;
  readonly by: string | null;
  /** Mean gap to the best known makespans, of its feasible results; null without one. */
  readonly gap_percent: number | null;
  readonly geometric_gap_percent: number | null;
  readonly success_percent: number;
  /** Plans that were feasible before their repair, as the records say; null for a run without repairs. */
  readonly feasible_before_repair: number | null;
  readonly proven_optimal: number;
  readonly instances: number;
  readonly results: number;
  readonly seconds_mean: number;
  readonly tokens: number;
  readonly cost_usd: number | null;
  readonly schedules: LeaderboardEntry['schedules'];
  readonly date: string;
}

/** Reads an entry of the leaderboard. @throws InputError if it is missing or invalid */
export function readLeaderboardEntry(file: string): LeaderboardEntry {
  const hint = 'give a file that alas-jssp submit wrote';
  const entry = readJsonFile(file, leaderboardEntrySchema, 'entry', hint);
  const unknown = entry.results.find(({ planner }) => !entry.planners.includes(planner));
  if (unknown === undefined) return entry;
  const problem = `a result is of ${unknown.planner}, which is no planner of the entry`;
  throw new InputError('bad_entry', problem, hint, { file });
}

/**
 * The lines of the leaderboard, by mean gap. Lines over other instances are not comparable, so the number of instances
 * is part of each line.
 */
export function standingsOf(entries: readonly LeaderboardEntry[]): LeaderboardRow[] {
  const standings = entries.flatMap((entry) => {
    const key = (one: { planner: string; variant: string }) =>
      JSON.stringify([one.planner, one.variant]);
    return [...groupBy(entry.results, key).values()].map((results): LeaderboardRow => {
      const gaps = present(results.map(({ gap_percent }) => gap_percent));
      const feasible = results.filter(({ makespan }) => makespan !== null).length;
      const costs = results.map(({ cost_usd }) => cost_usd);
      return {
        planner: results[0].planner,
        variant: results[0].variant,
        by: entry.by,
        gap_percent: mean(gaps),
        geometric_gap_percent: geometricPercent(gaps),
        success_percent: (100 * feasible) / results.length,
        feasible_before_repair: entry.repair ? results.filter(wasFeasible).length : null,
        proven_optimal: results.filter(({ proven_optimal }) => proven_optimal).length,
        instances: new Set(results.map(({ instance }) => instance)).size,
        results: results.length,
        seconds_mean: mean(results.map(({ seconds }) => seconds)) ?? 0,
        tokens: results.reduce((total, { tokens }) => total + tokens.input + tokens.output, 0),
        cost_usd: costs.includes(null)
          ? null
          : costs.reduce<number>((total, cost) => total + (cost ?? 0), 0),
        schedules: entry.schedules,
        date: entry.date,
      };
    });
  });
  const gap = ({ gap_percent }: LeaderboardRow) => gap_percent ?? Number.POSITIVE_INFINITY;
  return standings.sort((a, b) => compare(gap(a), gap(b)));
}

function wasFeasible({ feasible_before_repair }: LeaderboardEntry['results'][number]): boolean {
  return feasible_before_repair === true;
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
