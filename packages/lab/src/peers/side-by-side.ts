// The search and OR-Tools CP-SAT in turns: same instances, seconds, threads and machine. Needs
// python3 with the package `ortools`:
//   npm run bench -- peers/side-by-side [--set hard|paper|two-sets|…] [--seconds 10,60] [--threads 2] [--out DIR]
// Every solve is appended to DIR/search.jsonl or DIR/cp-sat.jsonl; what is there already is not
// solved again. CP-SAT's makespans after fewer seconds than the longest are read off the same solves; the
// search, which knows its budget, solves for each.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { endWithError } from '../measure.js';
import { gapOf, makespanAfter, readRows } from '../search/rows.js';
import { sourcesOf } from '../search/sets.js';

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

const sources = sourcesOf(values.set);
for (const { name } of sources) {
  run(process.execPath, join(here, '../search.js'), [
    ...['--set', name, '--seconds', values.seconds, '--threads', values.threads, '--out', ours],
  ]);
  run('python3', join(here, '../../peers/cpsat.py'), [
    'benchmarks',
    name,
    longest,
    values.threads,
    theirs,
  ]);
}

console.log(
  `${'instance'.padEnd(9)} ${'best known'.padStart(10)}${marks.map((s) => `${`search ${s} s`.padStart(13)}${`CP-SAT ${s} s`.padStart(13)}`).join('')}`,
);
const sums = marks.map(() => [0, 0]);
for (const { name, bounds } of sources) {
  const cells = marks.flatMap((mark, i) =>
    [ours, theirs].map((file, solver) => {
      const makespan = makespanOf(file, name, mark);
      const gap = gapOf(makespan, bounds.upper);
      sums[i][solver] += gap / sources.length;
      return `${makespan} ${gap.toFixed(2).padStart(5)}`.padStart(13);
    }),
  );
  console.log(`${name.padEnd(9)} ${String(bounds.upper).padStart(10)}${cells.join('')}`);
}
const means = sums.flat().map((mean) => `${mean.toFixed(2)} %`.padStart(13));
console.log(`${'mean gap'.padEnd(20)}${means.join('')}`);

/** Runs a script; one that fails or is interrupted ends this one, and has said why. */
function run(program: string, script: string, args: readonly string[]) {
  const { error, status } = spawnSync(program, [script, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (error) endWithError(error);
  if (status !== 0) process.exit(status ?? 130);
}

function makespanOf(file: string, instance: string, seconds: number) {
  // CP-SAT's rows name no seed. The last one is that of the newest commit.
  const row = readRows(file).findLast(
    (each) =>
      each.instance === instance &&
      String(each.threads) === values.threads &&
      (file === ours ? each.budget_seconds === seconds : each.budget_seconds >= Number(longest)) &&
      (each.seed ?? 0) === 0,
  );
  return row === undefined ? Number.NaN : makespanAfter(row, seconds);
}
