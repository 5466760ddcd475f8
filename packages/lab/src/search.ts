// Quality of the search.
//   npm run bench -- search [--quick] [--set hard|classic|paper|two-sets|la-orb|open|flexible|mk|…|setups]
//                         [--seconds 5,20,60] [--threads 2] [--seeds 2] [--out results/search/SET.jsonl] [--cp-sat]
//   npm run bench -- search --goals [--seeds 1]
// Every instance is solved once for each seed and each of --seconds: the search knows its budget. One line
// a solve is appended to --out; what is in the files beside it already is not solved again by the same code, so a
// long campaign can be interrupted and run in pieces. --quick ends within two minutes; --goals makes every solve
// that the table of goals in docs/reference/search.md needs, in results/reference/search (`--set` for one of them).
// With --cp-sat, CP-SAT (engines/cpsat/install.sh) solves each instance, too, after the search and for as long with as
// many threads; its solves are kept in cp-sat.jsonl beside --out. `npm run bench:search` is short for the first line.
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { endWithError } from './measure.js';
import type { Benchmark } from './search/benchmark.js';
import { type Beside, besideIn } from './search/beside.js';
import { familyTable } from './search/families.js';
import {
  appendRow,
  gapOf,
  makespanAfter,
  readFolder,
  readRows,
  type SolveRow,
  searchCommit,
} from './search/rows.js';
import { goals, sourcesOf } from './search/sets.js';
import { solveBenchmark } from './search/solve.js';

/** A set with one budget, and the file of its solves. */
interface Part {
  set: string;
  seconds: number;
  out: string;
}

interface SearchArguments {
  quick: boolean;
  goals: boolean;
  set?: string | undefined;
  seconds: string;
  out?: string | undefined;
  'cp-sat': boolean;
}

const options = {
  quick: { type: 'boolean', default: false },
  goals: { type: 'boolean', default: false },
  set: { type: 'string' },
  seconds: { type: 'string', default: '5' },
  threads: { type: 'string', default: '2' },
  seeds: { type: 'string', default: '1' },
  out: { type: 'string' },
  'cp-sat': { type: 'boolean', default: false },
} as const;

try {
  const { values } = parseArgs({ options });
  const threads = wholeNumber('threads', values.threads);
  const seeds = wholeNumber('seeds', values.seeds);
  for (const { set, seconds, out } of parts(values)) {
    const beside = values['cp-sat'] ? besideIn(dirname(out)) : null;
    await measure({ set, seconds, out, threads, seeds, beside });
    beside?.close();
  }
} catch (error) {
  endWithError(error);
}

/** Sets with one budget each, and the file of their solves. */
function parts({ quick, goals: isGoals, set: named, seconds, out }: SearchArguments): Part[] {
  if (isGoals) {
    const all = goals.filter(({ set }) => named === undefined || set === named);
    return all.map(({ set, seconds: mark }) => ({
      set,
      seconds: mark,
      out: `results/reference/search/${set}.jsonl`,
    }));
  }
  const set = quick ? 'quick' : (named ?? 'hard');
  return seconds.split(',').map((mark) => {
    if (!(Number(mark) > 0)) throw new Error(`--seconds ${seconds}: give numbers above 0`);
    return { set, seconds: Number(mark), out: out ?? `results/search/${set}.jsonl` };
  });
}

async function measure({
  set,
  seconds,
  out,
  threads,
  seeds,
  beside,
}: Part & { threads: number; seeds: number; beside: Beside | null }) {
  const sources = sourcesOf(set);
  const rows: SolveRow[] = [];
  const others = [];
  for (let seed = 0; seed < seeds; seed++) {
    for (const source of sources) {
      rows.push(await solve(source, { seconds, threads, seed, out }));
      if (beside !== null && seed === 0) others.push(await beside.solve(source, seconds, threads));
    }
  }
  console.log(familyTable(sources, rows, others, seconds));
  const gaps = rows.map((row) => gapOf(makespanAfter(row, seconds), row.upper_bound));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const met = gaps.filter((gap) => gap <= 0).length;
  const proven = rows.filter((row) => row.status === 'optimal' && row.seconds <= seconds).length;
  console.log(
    `${set}, ${seconds} s, ${threads} threads, ${seeds} seeds: mean gap ${mean.toFixed(3)} %, best known met ${met} of ${rows.length}, proven optimal ${proven}; ${percent(shareOf(rows))} of ${Math.min(threads, availableParallelism())} cores`,
  );
}

async function solve(
  source: Benchmark,
  { seconds, threads, seed, out }: { seconds: number; threads: number; seed: number; out: string },
) {
  const commit = searchCommit();
  const done = [...readRows(out), ...readFolder(dirname(out))].find(
    (row) =>
      row.instance === source.name &&
      row.budget_seconds === seconds &&
      row.seed === seed &&
      row.threads === threads &&
      row.commit === commit,
  );
  if (done !== undefined) return done;
  const { row } = await solveBenchmark(source, { seconds, threads, seed });
  appendRow(out, row);
  console.log(
    `${source.name.padEnd(8)} ${String(seconds).padStart(4)} s  seed ${seed}  ${String(row.makespan).padStart(6)}  best known ${String(row.upper_bound).padStart(6)}  gap ${row.gap_percent.toFixed(2).padStart(6)} %  ${Math.round(row.iterations / row.seconds / 1000)}k it/s`,
  );
  return row;
}

/** The share of its threads' time that solves were given; NaN if none of them records it. */
function shareOf(rows: readonly SolveRow[]) {
  const timed = rows.filter(({ processor_seconds }) => processor_seconds !== undefined);
  const sum = (value: (row: SolveRow) => number) =>
    timed.reduce((total, row) => total + value(row), 0);
  const cores = (row: SolveRow) => Math.min(row.threads, availableParallelism());
  return sum((row) => row.processor_seconds ?? 0) / sum((row) => cores(row) * row.seconds);
}

function percent(share: number) {
  return Number.isNaN(share) ? '?' : `${Math.round(100 * share)} %`;
}

function wholeNumber(name: string, text: string) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`--${name} ${text}: give a whole number from 1`);
  return value;
}
