// Quality of the search. Build first, then
//   node bench/search.mjs [--quick] [--set hard|classic|la-orb] [--seconds 5,20,60] [--threads 2]
//                         [--seeds 2] [--out results/search.jsonl]
// Every instance is solved once for each seed and each of --seconds: the search knows its budget. One line
// a solve is appended to --out; what is there already is not run again by this commit, so a long campaign
// can be interrupted and run in pieces. --quick ends within two minutes.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { findBenchmark, resolveSources } from 'alas-jssp/jssp';
import { optimize } from 'alas-jssp/search';
import { validate } from 'alas-jssp/validator';
import { describeCommit } from './measure.mjs';
import { sets } from './sets.mjs';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    set: { type: 'string', default: 'hard' },
    seconds: { type: 'string', default: '5' },
    threads: { type: 'string', default: '2' },
    seeds: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
const set = values.quick ? 'quick' : values.set;
const out = values.out ?? `results/search/${set}.jsonl`;
const threads = Number(values.threads);
const seeds = Number(values.seeds);
mkdirSync(dirname(out), { recursive: true });
const lines = existsSync(out) ? readFileSync(out, 'utf8').trim().split('\n') : [];
const solves = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
const commit = describeCommit();

const marks = values.seconds.split(',').map(Number);

for (const mark of marks) {
  const rows = [];
  for (let seed = 0; seed < seeds; seed++) {
    for (const { name } of resolveSources(sets[set] ?? set)) {
      rows.push(await solve(name, seed, mark));
    }
  }
  const gaps = rows.map((row) => gapOf(makespanAfter(row, mark), row.upper_bound));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const met = gaps.filter((gap) => gap <= 0).length;
  const proven = rows.filter((row) => row.status === 'optimal' && row.seconds <= mark).length;
  console.log(
    `${set}, ${mark} s, ${threads} threads, ${seeds} seeds: mean gap ${mean.toFixed(3)} %, best known met ${met} of ${rows.length}, proven optimal ${proven}`,
  );
}

function gapOf(makespan, upper) {
  return (100 * (makespan - upper)) / upper;
}

function makespanAfter(row, seconds) {
  return row.trace.filter(([when]) => when <= seconds).at(-1)[1];
}

async function solve(name, seed, budget) {
  const done = solves.find(
    (row) =>
      row.instance === name &&
      row.budget_seconds === budget &&
      row.seed === seed &&
      row.threads === threads &&
      row.commit === commit,
  );
  if (done !== undefined) return done;
  const source = findBenchmark(name);
  const instance = source.load();
  const trace = [];
  // The literature's bounds are not told: what is proven here is proven by us.
  const { schedule, status, lowerBound, stats } = await optimize(instance, {
    budget: { seconds: budget },
    stop: (state) => state.best < source.bounds.lower,
    seed,
    threads,
    onImprovement: ({ value, seconds }) => trace.push([Number(seconds.toFixed(3)), value]),
  });
  if (!validate(instance, schedule).valid) throw new Error(`${name}: not feasible`);
  const gap = gapOf(schedule.makespan, source.bounds.upper);
  const row = {
    schema: 'alas-jssp/search-bench@1',
    instance: name,
    budget_seconds: budget,
    threads,
    seed,
    makespan: schedule.makespan,
    lower_bound: lowerBound.value,
    upper_bound: source.bounds.upper,
    gap_percent: gap,
    status,
    seconds: stats.seconds,
    iterations: stats.iterations,
    trace,
    commit,
    machine: `${availableParallelism()} × ${cpus()[0].model.trim()}`,
    node: process.version,
  };
  appendFileSync(out, `${JSON.stringify(row)}\n`);
  console.log(
    `${name.padEnd(8)} ${String(budget).padStart(4)} s  seed ${seed}  ${String(row.makespan).padStart(6)}  best known ${String(row.upper_bound).padStart(6)}  gap ${gap.toFixed(2).padStart(6)} %  ${Math.round(stats.iterations / stats.seconds / 1000)}k it/s`,
  );
  return row;
}
