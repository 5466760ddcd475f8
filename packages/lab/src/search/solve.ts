// One solve of a benchmark, judged, and its line.

import { availableParallelism, cpus } from 'node:os';
import type { Schedule } from 'alas-jssp/jssp';
import { type Improvement, optimize } from 'alas-jssp/search';
import { validate } from 'alas-jssp/validator';
import type { Benchmark } from './benchmark.js';
import { gapOf, type SolveRow, searchCommit, type Trace } from './rows.js';

/**
 * Solves a benchmark. The search does not know the literature's bounds: its proofs are its own.
 *
 * @returns `processor_seconds` says how much of its threads the machine had time for
 * @throws Error if the validator refuses the schedule
 */
export async function solveBenchmark(
  source: Benchmark,
  {
    seconds,
    threads,
    seed,
    start,
    signal,
    onImprovement,
  }: {
    seconds: number;
    threads: number;
    seed: number;
    start?: Schedule | undefined;
    signal?: AbortSignal | undefined;
    onImprovement?: (improvement: Improvement) => void;
  },
): Promise<{ schedule: Schedule; row: SolveRow & Record<string, unknown> }> {
  const instance = source.load();
  const trace: Trace = [];
  const before = process.cpuUsage();
  const { schedule, status, lowerBound, stats } = await optimize(instance, {
    budget: { seconds },
    stop: (state) => state.best < source.bounds.lower,
    seed,
    threads,
    ...(start !== undefined && { start }),
    ...(signal !== undefined && { signal }),
    onImprovement: (improvement) => {
      trace.push([Number(improvement.seconds.toFixed(3)), improvement.value]);
      onImprovement?.(improvement);
    },
  });
  const { user, system } = process.cpuUsage(before);
  if (!validate(instance, schedule).valid) throw new Error(`${source.name}: not feasible`);
  const row = {
    schema: 'alas-jssp/search-bench@1',
    instance: source.name,
    budget_seconds: seconds,
    threads,
    seed,
    makespan: schedule.makespan,
    lower_bound: lowerBound.value,
    bound_source: lowerBound.source,
    upper_bound: source.bounds.upper,
    gap_percent: gapOf(schedule.makespan, source.bounds.upper),
    status,
    seconds: stats.seconds,
    processor_seconds: Number(((user + system) / 1e6).toFixed(2)),
    iterations: stats.iterations,
    trace,
    commit: searchCommit(),
    machine: `${availableParallelism()} × ${cpus()[0].model.trim()}`,
    node: process.version,
    solved_at: new Date().toISOString(),
  };
  return { schedule, row };
}
