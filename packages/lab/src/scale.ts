// Large shops: first schedule, value after given seconds, time over the budget, peak memory.
//   npm run bench -- scale [--sizes 100x100,1000x1000] [--seconds 10,60] [--threads 2] [--seeds 1]
//                        [--out results/search/scale.jsonl] [--abort 3]
// Shops are made as those of the published large set (Da Col and Teppan 2022, doi:10.1016/j.orp.2022.100249):
// 10, 100 or 1000 jobs on as many machines; every job visits every machine once, in random order; durations
// are uniform. Ours go from 1 to 1000, which the published bounds of that set suggest. Build first. Every
// solve has a process of its own, and a line in --out that is not made twice by one commit. --abort SECONDS
// aborts every solve after as long, and measures how long it takes to end. `bench -- large` solves the published shops and
// generated ones with other durations.
import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generateRandom } from 'alas-jssp/jssp';
import { optimize } from 'alas-jssp/search';
import { validate } from 'alas-jssp/validator';
import { describeCommit, endWithError } from './measure.js';
import { appendRow, readRows, type Trace, thinTrace } from './search/rows.js';

/** A solve of a shop of a size within a budget in seconds; aborted after some seconds unless null. */
interface ScaleTask {
  size: string;
  budget: number;
  threads: number;
  seed: number;
  abort: number | null;
}

interface ScaleRow extends ScaleTask {
  makespan: number;
  lower_bound: number;
  status: string;
  seconds: number;
  over_seconds: number;
  processor_seconds: number;
  load: number;
  peak_megabytes: number;
  trace: Trace;
  commit: string | null;
  machine: string;
  node: string;
}

// Wrong options end in one line, here and in the processes that this one starts.
process.on('uncaughtException', endWithError);

const { values } = parseArgs({
  options: {
    sizes: {
      type: 'string',
      default: '10x10,10x100,10x1000,100x10,100x100,100x1000,1000x10,1000x100,1000x1000',
    },
    seconds: { type: 'string', default: '10,60' },
    threads: { type: 'string', default: '2' },
    seeds: { type: 'string', default: '1' },
    abort: { type: 'string' },
    out: { type: 'string', default: 'results/search/scale.jsonl' },
    solve: { type: 'string' },
  },
});

if (values.solve === undefined) measureAll();
else process.stdout.write(JSON.stringify(await solve(JSON.parse(values.solve))));

/** Makes all solves, each in a process of its own, and prints a table. */
function measureAll() {
  const done = readRows<ScaleRow>(values.out);
  const commit = describeCommit();
  const machine = `${availableParallelism()} × ${cpus()[0].model.trim()}`;
  console.log(
    '| size | budget, s | first schedule, s | its gap, % | makespan | lower bound | gap, % | seconds | over budget, s | peak memory, MB | processor, s | load |',
  );
  console.log(
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
  );
  for (const size of values.sizes.split(',')) {
    for (const budget of values.seconds.split(',').map(Number)) {
      for (let seed = 0; seed < Number(values.seeds); seed++) {
        const abort = values.abort === undefined ? null : Number(values.abort);
        const task: ScaleTask = { size, budget, threads: Number(values.threads), seed, abort };
        const isSame = (row: ScaleRow) =>
          row.commit === commit &&
          (Object.keys(task) as (keyof ScaleTask)[]).every((key) => row[key] === task[key]);
        const row = done.find(isSame) ?? runApart(task, { commit, machine, node: process.version });
        console.log(rowOf(row));
      }
    }
  }
}

function runApart(
  task: ScaleTask,
  origin: Pick<ScaleRow, 'commit' | 'machine' | 'node'>,
): ScaleRow {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), '--solve', JSON.stringify(task)],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  const row = { schema: 'alas-jssp/scale-bench@1', ...task, ...JSON.parse(stdout), ...origin };
  appendRow(values.out, row);
  return row;
}

async function solve({ size, budget, threads, seed, abort }: ScaleTask) {
  const [jobs, machines] = size.split('x').map(Number);
  const instance = generateRandom({
    jobs,
    machines,
    seed: `scale ${size} ${seed}`,
    maxDuration: 1000,
  });
  const trace: Trace = [];
  const controller = new AbortController();
  if (abort !== null) setTimeout(() => controller.abort(), 1000 * abort);
  const began = performance.now();
  const since = () => (performance.now() - began) / 1000;
  const { schedule, status, lowerBound, stats } = await optimize(instance, {
    budget: { seconds: budget },
    seed,
    threads,
    signal: controller.signal,
    onImprovement: ({ value }) => trace.push([Number(since().toFixed(3)), value]),
  });
  const seconds = since();
  const { user, system } = process.cpuUsage();
  const peak = process.resourceUsage().maxRSS / 1024;
  if (!validate(instance, schedule).valid) throw new Error(`${size}: not feasible`);
  return {
    makespan: schedule.makespan,
    lower_bound: lowerBound.value,
    bound_source: lowerBound.source,
    status,
    seconds,
    over_seconds: seconds - Math.min(budget, abort ?? budget),
    processor_seconds: (user + system) / 1e6,
    // Work of others counts, too: with more than there are cores, seconds are worth less.
    load: loadavg()[0],
    peak_megabytes: peak,
    iterations: stats.iterations,
    restarts: stats.restarts,
    trace: thinTrace(trace),
  };
}

function rowOf(row: ScaleRow) {
  const gap = (value: number) => ((100 * (value - row.lower_bound)) / row.lower_bound).toFixed(2);
  const [first, value] = row.trace[0];
  return `| ${[
    row.size.replace('x', '×'),
    row.budget,
    first.toFixed(2),
    gap(value),
    row.makespan,
    row.lower_bound,
    row.status === 'optimal' ? 'proven' : gap(row.makespan),
    row.seconds.toFixed(2),
    Math.max(0, row.over_seconds).toFixed(2),
    Math.round(row.peak_megabytes),
    Math.round(row.processor_seconds),
    row.load.toFixed(0),
  ].join(' | ')} |`;
}
