// Workflows with effects outside on Temporal, while workers and the server are killed. Build first, then
//   node packages/temporal/bench/kill-trials.mjs [--trials 200] [--from 0] [--seed X] [--out FILE]
//     [--most 6] [--workers 3] [--summary]
// Each trial is one random workflow, or two that want the same room, under random faults of handlers, with
// people who approve, deny, tell and cancel. Meanwhile workers are killed (SIGKILL) every second or two and
// started again, and now and then the server. After each trial the outside, which no kill reaches, must agree
// with what the ends of its runs say. Trials are appended to a file, and those that stand there are not made
// again; --seed makes one alone and tells its story. Exits with 1 if one fails.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { inTurns } from '@alas-jssp/lab/conformance/trial';
import { find } from '../server.mjs';
import { openKillPlace } from './kill-place.mjs';

const HELP = `Usage: node packages/temporal/bench/kill-trials.mjs [options]

Kills workers and the server while workflows with effects outside run, and judges their ends by the outside.

  --trials N     trials to make (200)
  --from SEED    seed of the first (0)
  --seed SEED    make only this one, and tell its story; nothing is written
  --out FILE     where trials are noted; those that stand there are not made again
                 (results/temporal-kill-trials.jsonl)
  --most N       trials at the same time (6)
  --workers N    worker processes (3)
  --every S      seconds between two kills, on average (1.5)
  --server P     share of kills that hit the server (0.1)
  --keep DIR     keep Temporal's histories of the runs of trials that fail
  --summary      only tell what is in the file
  --help         show this

Exit code 0 if every trial agrees with the outside, 1 if not, 2 for wrong usage.`;

const values = readOptions();
const trials = readTrials(values.out);
const complaints = [];
if (!values.summary) {
  if (find() === undefined) {
    console.error('temporal is not installed: run engines/temporal/install.sh');
    process.exit(2);
  }
  await makeTrials();
}
if (values.seed === undefined) summarise();

function readOptions() {
  const options = {
    trials: { type: 'string', default: '200' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string' },
    out: { type: 'string', default: 'results/temporal-kill-trials.jsonl' },
    most: { type: 'string', default: '6' },
    workers: { type: 'string', default: '3' },
    every: { type: 'string', default: '1.5' },
    server: { type: 'string', default: '0.1' },
    keep: { type: 'string' },
    summary: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  };
  try {
    const { values: given } = parseArgs({ options });
    if (given.help) {
      console.log(HELP);
      process.exit(0);
    }
    for (const name of ['trials', 'from', 'seed', 'most', 'workers', 'every', 'server']) {
      const number = Number(given[name] ?? 0);
      if (!(number >= 0)) throw new Error(`--${name}: give a number, not ${given[name]}`);
    }
    return given;
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`);
    process.exit(2);
  }
}

async function makeTrials() {
  const alone = values.seed !== undefined;
  const first = Number(alone ? values.seed : values.from);
  const count = alone ? 1 : Number(values.trials);
  const todo = Array.from({ length: count }, (_, k) => first + k).filter((seed) => {
    return alone || !trials.has(seed);
  });
  if (todo.length === 0) return;
  const [workers, every, server] = [values.workers, values.every, values.server].map(Number);
  const settings = { workers, every, server };
  const place = await openKillPlace(first, settings, (text) => complaints.push(text));
  const started = performance.now();
  mkdirSync(dirname(values.out), { recursive: true });
  let done = 0;
  try {
    await inTurns(todo, Number(values.most), async (seed) => {
      const { noted, story } = await place.tryOut(seed, values.keep);
      trials.set(seed, noted);
      if (alone) tell(noted, story);
      else appendFileSync(values.out, `${JSON.stringify(noted)}\n`);
      done++;
      const seconds = Math.round((performance.now() - started) / 1000);
      const found = noted.problems.length === 0 ? '' : `: ${noted.problems[0]}`;
      process.stderr.write(`seed ${seed}, ${done} of ${todo.length} in ${seconds} s${found}\n`);
    });
  } finally {
    const { worker, server: ofServer } = place.kills();
    console.log(`${worker} kills of workers, ${ofServer} of the server`);
    await place.stop();
  }
}

function readTrials(file) {
  if (!existsSync(file)) return new Map();
  // A line that was broken off is tried again.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return new Map(lines.map((line) => JSON.parse(line)).map((trial) => [trial.seed, trial]));
}

function tell({ seed, runs, problems, kills }, story) {
  console.log(`seed ${seed}: ${kills.worker} kills of workers, ${kills.server} of the server`);
  for (const line of story) console.log(line);
  for (const { runId, status, lost, doubts, cut } of runs) {
    const more = cut ? ', cut off' : '';
    console.log(`${runId}: ${status}, ${lost} attempts lost, ${doubts} doubts${more}`);
  }
  for (const problem of problems) console.log(`! ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

function summarise() {
  const all = [...trials.values()];
  const sum = (pick) => all.reduce((total, trial) => total + pick(trial), 0);
  const runs = all.flatMap((trial) => trial.runs);
  const ends = {};
  for (const { status } of runs) ends[status] = (ends[status] ?? 0) + 1;
  const told = Object.entries(ends).map(([status, count]) => `${count} ${status}`);
  const failed = all.filter(({ problems }) => problems.length > 0);
  const hit = all.filter(({ kills }) => kills.worker + kills.server > 0);
  const total = (name) => runs.reduce((count, run) => count + Number(run[name]), 0);
  console.log(
    `${all.length} trials, ${hit.length} of them hit by kills of workers ` +
      `(${sum(({ kills }) => kills.worker)} hits) or the server (${sum(({ kills }) => kills.server)} hits)`,
  );
  console.log(`${runs.length} runs: ${told.sort().join(', ')}`);
  console.log(
    `${total('lost')} attempts lost, ${total('doubts')} doubts settled, ${total('cut')} runs cut off`,
  );
  for (const { seed, problems } of failed.slice(0, 20)) console.log(`seed ${seed}: ${problems[0]}`);
  for (const text of complaints.slice(0, 5)) console.log(text);
  console.log(`trials that disagree with the outside: ${failed.length}`);
  process.exitCode = failed.length + complaints.length === 0 ? 0 : 1;
}
