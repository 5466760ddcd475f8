// A campaign on open instances: benchmarks whose best known schedule is not proven to be optimal.
//   npm run bench -- campaign [--hours 1] [--seconds 600] [--most 8] [--rank 20] [--set open] [--threads 2]
//                       [--out results/campaign] [--records results/reference/records]
// First a solve of --rank seconds of each of them (0: none), to rank them by their gap to the best known makespan.
// Then solves of --seconds of the --most with the smallest gaps, in turns: the first from scratch, the next from
// the best schedule found so far, and so on, each with a seed of its own; until --hours are over. OUT/open.jsonl
// has a line a solve, OUT/best the best schedule of each instance, kept as soon as it is found. A schedule below
// the best known makespan goes into --records, with a certificate. To be interrupted at any time, and started again.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bounds, Schedule } from 'alas-jssp/jssp';
import { validate } from 'alas-jssp/validator';
import {
  keepSchedule,
  keptProblems,
  keptRecords,
  keptSchedule,
} from './campaign/kept-schedules.js';
import { endWithError } from './measure.js';
import type { Benchmark } from './search/benchmark.js';
import { appendRow, gapOf, readRows, type SolveRow, searchCommit } from './search/rows.js';
import { sourcesOf } from './search/sets.js';
import { solveBenchmark } from './search/solve.js';

const options = {
  hours: { type: 'string', default: '1' },
  seconds: { type: 'string', default: '600' },
  most: { type: 'string', default: '8' },
  rank: { type: 'string', default: '20' },
  set: { type: 'string', default: 'open' },
  threads: { type: 'string', default: '2' },
  out: { type: 'string', default: 'results/campaign' },
  records: { type: 'string', default: 'results/reference/records' },
} as const;

/** What all solves of a campaign share. */
interface SolveOptions {
  threads: number;
  /** Folders of the best schedules, and of those below the best known makespans. */
  best: string;
  records: string;
}

interface CampaignOptions extends SolveOptions {
  sources: readonly Benchmark[];
  file: string;
  hours: number;
  seconds: number;
  most: number;
  rank: number;
}

interface AttemptOptions extends SolveOptions {
  seconds: number;
  seed: number;
  isWarm: boolean;
}

const controller = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => controller.abort());

try {
  const { values } = parseArgs({ options });
  const { out, records } = values;
  await campaign({
    sources: sourcesOf(values.set),
    file: join(out, 'open.jsonl'),
    best: join(out, 'best'),
    records,
    hours: number('hours', values.hours),
    seconds: number('seconds', values.seconds, 1),
    most: number('most', values.most, 1),
    rank: number('rank', values.rank),
    threads: number('threads', values.threads, 1),
  });
  const problems = [
    ...keptProblems(join(out, 'best'), { below: false }),
    ...keptProblems(records, { below: true }),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
  if (controller.signal.aborted) process.exit(130);
} catch (error) {
  endWithError(error);
}

async function campaign({ sources, file, hours, seconds, most, rank, ...how }: CampaignOptions) {
  const end = performance.now() + 3_600_000 * hours;
  const left = () => (controller.signal.aborted ? 0 : (end - performance.now()) / 1000);
  const rows = readRows(file);
  const solvesOf = (source: Benchmark) => rows.filter(({ instance }) => instance === source.name);
  const solve = async (source: Benchmark, budget: number, isWarm: boolean) => {
    const row = await attempt(source, {
      seconds: Math.round(Math.min(budget, left())),
      seed: solvesOf(source).length,
      isWarm,
      ...how,
    });
    rows.push(row);
    appendRow(file, row);
  };
  for (const source of rank > 0 ? sources : []) {
    if (solvesOf(source).length === 0 && left() >= rank) await solve(source, rank, false);
  }
  const long = (source: Benchmark) => solvesOf(source).slice(rank > 0 ? 1 : 0);
  const gap = (source: Benchmark) => Math.min(...solvesOf(source).map((row) => row.gap_percent));
  const candidates = sources.toSorted((a, b) => gap(a) - gap(b) || 0).slice(0, most);
  while (left() > Math.max(1, seconds / 10)) {
    const [next] = candidates.toSorted((a, b) => long(a).length - long(b).length);
    await solve(next, seconds, long(next).length % 2 === 1);
  }
  report(sources, rows);
}

/** A solve whose every schedule that is better than the best so far is kept at once. */
async function attempt(
  source: Benchmark,
  { seconds, seed, isWarm, threads, best, records }: AttemptOptions,
) {
  const start = isWarm ? keptSchedule(best, source) : undefined;
  const kept = keptRecords(best).find(({ instance }) => instance === source.name);
  let least = kept?.makespan ?? Number.POSITIVE_INFINITY;
  const commit = searchCommit();
  const keep = (schedule: Schedule, after: number) => {
    if (schedule.makespan >= least) return;
    if (!validate(schedule.instance, schedule).valid)
      throw new Error(`${source.name}: not feasible`);
    least = schedule.makespan;
    const found = {
      seed,
      threads,
      seconds: Number(after.toFixed(1)),
      started_from: start?.makespan ?? null,
      commit,
      found_at: new Date().toISOString(),
    };
    keepSchedule(best, schedule, found);
    if (least >= source.bounds.upper) return;
    keepSchedule(records, schedule, found);
    console.log(`${source.name}: ${least}, below the best known ${source.bounds.upper}`);
  };
  const { schedule, row } = await solveBenchmark(source, {
    seconds,
    threads,
    seed,
    start,
    signal: controller.signal,
    onImprovement: ({ value, seconds: after, schedule: make }) => {
      // The first schedules come many a second: what is kept is the best of each.
      if (value < Math.min(least, source.bounds.upper * 1.05)) keep(make(), after);
    },
  });
  keep(schedule, row.seconds);
  console.log(
    `${source.name.padEnd(8)} ${String(seconds).padStart(5)} s  seed ${String(seed).padStart(3)}  ${start === undefined ? 'from scratch' : `from ${start.makespan}`.padEnd(12)}  ${String(row.makespan).padStart(6)}  best known ${String(row.upper_bound).padStart(6)}  gap ${row.gap_percent.toFixed(3).padStart(6)} %`,
  );
  return { ...row, started_from: start?.makespan ?? null };
}

/** A line for each instance: the best makespan of all solves, and what was spent on it. */
function report(sources: readonly Benchmark[], rows: readonly SolveRow[]) {
  const lines = sources.flatMap(({ name, bounds }) => {
    const solves = rows.filter(({ instance }) => instance === name);
    if (solves.length === 0) return [];
    const makespan = Math.min(...solves.map((row) => row.makespan));
    const spent = solves.reduce((sum, row) => sum + row.seconds, 0);
    return [{ name, bounds, makespan, spent, solves: solves.length }];
  });
  const gap = ({ makespan, bounds }: { makespan: number; bounds: Bounds }) =>
    gapOf(makespan, bounds.upper);
  for (const line of lines.sort((a, b) => gap(a) - gap(b))) {
    const { name, bounds, makespan, spent, solves } = line;
    console.log(
      `${name.padEnd(8)} ${String(makespan).padStart(6)}  bounds ${bounds.lower}–${bounds.upper}  gap ${gap(line).toFixed(3).padStart(6)} %  ${solves} solves, ${Math.round(spent)} s`,
    );
  }
}

function number(name: string, text: string, least = 0) {
  const value = Number(text);
  if (text === '' || !(value >= least)) {
    throw new Error(`--${name} ${text}: give a number from ${least}`);
  }
  return value;
}
