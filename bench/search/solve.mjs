// One solve of a benchmark, judged, and its line.
import { availableParallelism, cpus } from 'node:os';
import { optimize } from 'alas-jssp/search';
import { validate } from 'alas-jssp/validator';
import { gapOf, searchCommit } from './rows.mjs';

/**
 * Solves a benchmark. The literature's bounds are not told: what is proven is proven here.
 *
 * @param {import('alas-jssp/jssp').InstanceSource} source
 * @param {{
 *   seconds: number, threads: number, seed: number, start?: any, signal?: AbortSignal,
 *   onImprovement?: (improvement: any) => void,
 * }} how
 * @returns {Promise<{ schedule: any, row: any }>} `processor_seconds` tells how much of its threads the machine had time for
 * @throws Error if the validator refuses the schedule
 */
export async function solveBenchmark(
  source,
  { seconds, threads, seed, start, signal, onImprovement },
) {
  const instance = source.load();
  const trace = [];
  const before = process.cpuUsage();
  const { schedule, status, lowerBound, stats } = await optimize(instance, {
    budget: { seconds },
    stop: (state) => state.best < source.bounds.lower,
    seed,
    threads,
    start,
    signal,
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
