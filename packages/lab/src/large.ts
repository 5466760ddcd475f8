// The search on large shops, those of Da Col and Teppan (2022) and generated ones:
//   npm run bench -- large [--seconds 60,600] [--set large] [--instances NAME,…] [--seeds 1] [--threads 2]
//                        [--folder ../shared/large] [--out results/reference/large/large.jsonl] [--cp-sat]
//   npm run bench -- large --check [--out …]
//   npm run bench -- large --plans DIR [--out …]
// Sets: `large` (tai-100x100 and tai-100x1000, whose files are in --folder), one of the two, `million` (four generated
// shops of 1000×1000), names such as random-300x300-99-1 (jobs × machines, longest duration, seed). All instances are
// solved with the shortest of --seconds first. Every solve has a process of its own, and a line in --out that the same
// code does not make twice: interrupt it at any time (the solve in progress is lost) and start it again.
// The best schedule of each instance and budget is kept beside --out, as a compressed certificate in best-SECONDSs/;
// those of generated shops are large and go into results/large/. Kept certificates are checked at the end, or alone with
// --check. --plans writes the kept schedules as run folders that any judge of runs can read. With --cp-sat, CP-SAT solves
// each instance, too (as in `bench -- search`; cp-sat.jsonl beside --out).
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { keptProblems, keptRecords } from './campaign/kept-schedules.js';
import type { LargeRow, LargeTask } from './large/large-rows.js';
import { writePlans } from './large/plans.js';
import { runApart } from './large/run-apart.js';
import { endWithError } from './measure.js';
import type { Benchmark } from './search/benchmark.js';
import { type Beside, besideIn } from './search/beside.js';
import { appendRow, gapOf, readRows, searchCommit } from './search/rows.js';
import { sourcesOf } from './search/sets.js';

const options = {
  seconds: { type: 'string', default: '60,600' },
  set: { type: 'string', default: 'large' },
  instances: { type: 'string' },
  seeds: { type: 'string', default: '1' },
  threads: { type: 'string', default: '2' },
  folder: { type: 'string', default: '../shared/large' },
  out: { type: 'string', default: 'results/reference/large/large.jsonl' },
  'cp-sat': { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  plans: { type: 'string' },
} as const;

/** Where certificates of generated shops go, which are not committed. */
const UNCOMMITTED = 'results/large';

const controller = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => controller.abort());

try {
  const { values } = parseArgs({ options });
  const set = setOf(values.set, values.folder);
  const sources = selected(sourcesOf(set), values.instances);
  const { out } = values;
  if (values.plans !== undefined) {
    for (const folder of keptFolders(out)) {
      console.log(`${folder}: ${writePlans(folder, values.plans, sources)} plans`);
    }
  } else {
    if (!values.check) {
      const beside = values['cp-sat'] ? besideIn(dirname(out)) : null;
      const seeds = numbers('seeds', values.seeds)[0];
      const threads = numbers('threads', values.threads)[0];
      const marks = numbers('seconds', values.seconds).sort((a, b) => a - b);
      await solveAll(sources, { set, out, marks, seeds, threads, beside });
      beside?.close();
    }
    if (!controller.signal.aborted) check(out, sources);
  }
  if (controller.signal.aborted) process.exit(130);
} catch (error) {
  endWithError(error);
}

/** The set with the folder of the files that are not in the package. */
function setOf(set: string, folder: string) {
  const outside = `tai-100x1000=${folder}`;
  if (set === 'large') return `tai-100x100,${outside}`;
  return set === 'tai-100x1000' ? outside : set;
}

function selected(sources: readonly Benchmark[], instances: string | undefined) {
  if (instances === undefined) return sources;
  return instances.split(',').map((name) => {
    const source = sources.find((each) => each.name === name);
    if (source === undefined) {
      throw new Error(
        `--instances ${name}: the set has ${sources[0].name} to ${sources.at(-1)?.name}`,
      );
    }
    return source;
  });
}

interface SolveAllOptions {
  set: string;
  out: string;
  marks: readonly number[];
  seeds: number;
  threads: number;
  beside: Beside | null;
}

async function solveAll(
  sources: readonly Benchmark[],
  { set, out, marks, seeds, threads, beside }: SolveAllOptions,
) {
  // Once: a commit that arrives meanwhile is not what the compiled code was made from.
  const commit = searchCommit();
  for (const seconds of marks) {
    for (let seed = 0; seed < seeds; seed++) {
      for (const source of sources) {
        if (controller.signal.aborted) return;
        const { name, bounds } = source;
        const home = Number.isNaN(bounds.upper) ? UNCOMMITTED : dirname(out);
        const keep = join(home, `best-${seconds}s`);
        const row = await solveOnce({ set, name, seconds, threads, seed, keep, commit }, out);
        if (row !== null) console.log(lineOf(row));
        if (beside !== null && seed === 0 && row !== null) {
          const other = await beside.solve(source, seconds, threads);
          console.log(
            `${''.padEnd(15)} CP-SAT: ${other.makespan ?? 'no schedule'}, ${other.status}`,
          );
        }
      }
    }
  }
}

/** Makes a solve unless the same code has made it; null if it was interrupted. */
async function solveOnce(task: LargeTask, out: string) {
  const done = readRows<LargeRow>(out).find(
    (row) =>
      row.instance === task.name &&
      row.budget_seconds === task.seconds &&
      row.seed === task.seed &&
      row.threads === task.threads &&
      row.commit === task.commit,
  );
  if (done !== undefined) return done;
  const row = await runApart(task, controller.signal);
  if (row !== null) appendRow(out, row);
  return row;
}

function lineOf(row: LargeRow) {
  const { makespan, lower_bound, upper_bound, status } = row;
  const cells = [
    row.instance.padEnd(15),
    `${row.budget_seconds} s`.padStart(6),
    `seed ${row.seed}`,
    String(makespan).padStart(7),
    upper_bound === null || Number.isNaN(upper_bound)
      ? `mean load ${Math.round(row.mean_load)}`
      : `best known ${upper_bound}  ${gapOf(makespan, upper_bound).toFixed(2).padStart(6)} %`,
    status === 'optimal' ? 'proven' : `bound ${lower_bound}`,
    `${row.seconds.toFixed(1)} s, ${Math.round(row.processor_seconds ?? 0)} s of processors`,
    `${row.peak_megabytes} MB`,
  ];
  return cells.join('  ');
}

/** Checks all kept certificates of the sources, and says how many hold. */
function check(out: string, sources: readonly Benchmark[]) {
  const named = new Map(sources.map((source) => [source.name, source]));
  const sourceOf = (name: string) => named.get(name);
  for (const folder of keptFolders(out)) {
    const kept = keptRecords(folder).filter(({ instance }) => named.has(instance)).length;
    if (kept === 0) continue;
    const problems = keptProblems(folder, { below: false, sourceOf });
    for (const problem of problems) console.error(`${folder}: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
    else console.log(`${folder}: ${kept} certificates hold`);
  }
}

/** The folders of the best schedules, one for each budget. */
function keptFolders(out: string) {
  return [dirname(out), UNCOMMITTED]
    .filter((home) => existsSync(home))
    .flatMap((home) => {
      const names = readdirSync(home).filter((name) => /^best-[\d.]+s$/.test(name));
      return names.map((name) => join(home, name));
    });
}

function numbers(name: string, list: string) {
  return list.split(',').map((part) => {
    const value = Number(part);
    if (!(value > 0)) throw new Error(`--${name} ${list}: give numbers above 0`);
    return value;
  });
}
