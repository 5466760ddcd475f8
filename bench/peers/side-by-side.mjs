// The search and OR-Tools CP-SAT in turns: same instances, seconds, threads and machine. Needs
// python3 with the package `ortools`; build first, then
//   node bench/peers/side-by-side.mjs [--set hard] [--seconds 10,60] [--threads 2] [--out DIR]
// Every solve is appended to DIR/search.jsonl or DIR/cp-sat.jsonl; what is there already is not
// solved again. CP-SAT's makespans after fewer seconds than the longest are read off the same solves; the
// search, which knows its budget, solves for each.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { resolveSources } from 'alas-jssp/jssp';
import { sets } from '../sets.mjs';

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'hard' },
    seconds: { type: 'string', default: '10,60' },
    threads: { type: 'string', default: '2' },
    out: { type: 'string', default: 'results/search' },
  },
});
const here = dirname(fileURLToPath(import.meta.url));
const marks = values.seconds.split(',').map(Number);
const longest = String(Math.max(...marks));
const ours = join(values.out, 'search.jsonl');
const theirs = join(values.out, 'cp-sat.jsonl');
mkdirSync(values.out, { recursive: true });

const sources = resolveSources(sets[values.set] ?? values.set);
for (const { name } of sources) {
  run(process.execPath, join(here, '../search.mjs'), [
    ...['--set', name, '--seconds', values.seconds, '--threads', values.threads, '--out', ours],
  ]);
  const benchmarks = join(here, '../../benchmarks');
  run('python3', join(here, 'cpsat.py'), [benchmarks, name, longest, values.threads, theirs]);
}

console.log(
  `${'instance'.padEnd(9)} ${'best known'.padStart(10)}${marks.map((s) => `${`search ${s} s`.padStart(13)}${`CP-SAT ${s} s`.padStart(13)}`).join('')}`,
);
const sums = marks.map(() => [0, 0]);
for (const { name, bounds } of sources) {
  const cells = marks.flatMap((mark, i) =>
    [ours, theirs].map((file, solver) => {
      const makespan = makespanAfter(file, name, mark);
      const gap = (100 * (makespan - bounds.upper)) / bounds.upper;
      sums[i][solver] += gap / sources.length;
      return `${makespan} ${gap.toFixed(2).padStart(5)}`.padStart(13);
    }),
  );
  console.log(`${name.padEnd(9)} ${String(bounds.upper).padStart(10)}${cells.join('')}`);
}
const means = sums.flat().map((mean) => `${mean.toFixed(2)} %`.padStart(13));
console.log(`${'mean gap'.padEnd(20)}${means.join('')}`);

function run(program, script, args) {
  execFileSync(program, [script, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
}

function makespanAfter(file, instance, seconds) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const rows = lines.map((line) => JSON.parse(line));
  // CP-SAT's rows name no seed. The last one is that of the newest commit.
  const row = rows.findLast(
    (each) =>
      each.instance === instance &&
      String(each.threads) === values.threads &&
      (file === ours ? each.budget_seconds === seconds : each.budget_seconds >= Number(longest)) &&
      (each.seed ?? 0) === 0,
  );
  return row?.trace.filter(([when]) => when <= seconds).at(-1)?.[1] ?? Number.NaN;
}
