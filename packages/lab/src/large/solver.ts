// One solve of a large shop, in a process of its own so that its memory and processor time are its own:
//   node solver.js '{"set":…,"name":…,"seconds":…,"threads":…,"seed":…,"keep":…,"commit":…}'
// Keeps the schedule if it is better than the one that is kept, and prints the row of the solve.
import { loadavg } from 'node:os';
import { keepSchedule } from '../campaign/kept-schedules.js';
import { endWithError } from '../measure.js';
import { thinTrace } from '../search/rows.js';
import { sourcesOf } from '../search/sets.js';
import { solveBenchmark } from '../search/solve.js';
import type { LargeTask } from './large-rows.js';

try {
  process.stdout.write(JSON.stringify(await solveLarge(JSON.parse(process.argv[2]))));
} catch (error) {
  endWithError(error);
}

async function solveLarge({ set, name, seconds, threads, seed, keep, commit }: LargeTask) {
  const source = sourcesOf(set).find((each) => each.name === name);
  if (source === undefined) throw new Error(`${set} has no instance ${name}`);
  const { schedule, row } = await solveBenchmark(source, { seconds, threads, seed });
  const { trace, ...facts } = row;
  const peak = process.resourceUsage().maxRSS / 1024;
  const { instance } = schedule;
  const work = instance.duration.reduce((sum, duration) => sum + duration, 0);
  const { lower, upper, asOf } = source.bounds;
  const found = { budget_seconds: seconds, seed, threads, commit, solved_at: row.solved_at };
  keepSchedule(keep, schedule, found, source, 'compressed certificate');
  return {
    ...facts,
    suite: source.suite,
    jobs: instance.jobs,
    machines: instance.machines,
    /** The mean work of a machine. */
    mean_load: work / instance.machines,
    published_lower_bound: lower || null,
    bounds_as_of: asOf || null,
    first_makespan: trace[0]?.[1] ?? row.makespan,
    first_after: trace[0]?.[0] ?? row.seconds,
    reached_after: trace.at(-1)?.[0] ?? row.seconds,
    below_best_known_after: trace.find(([, value]) => value < upper)?.[0] ?? null,
    load: Number(loadavg()[0].toFixed(2)),
    peak_megabytes: Math.round(peak),
    trace: thinTrace(trace),
    commit,
  };
}
