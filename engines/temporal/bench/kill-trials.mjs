// Workflows with effects outside on Temporal, while workers and the server are killed. Build first, then
//   node engines/temporal/bench/kill-trials.mjs [--trials 200] [--from 0] [--seed X] [--out FILE]
//     [--most 6] [--workers 3] [--summary]
// Each trial is one random workflow, or two that want the same room, under random faults of handlers, with
// people who approve, deny, tell and cancel. Meanwhile workers are killed (SIGKILL) every second or two and
// started again, and now and then the server. After each trial the outside, which no kill reaches, must agree
// with what the ends of its runs say. Trials are appended to a file, and those that stand there are not made
// again; --seed makes one alone and tells its story. Exits with 1 if one fails.
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { inTurns } from '../../../bench/conformance/trial.mjs';
import { createRandom } from '../../../dist/core/random.js';
import { find } from '../server.mjs';
import { tryOut } from './kill-trial.mjs';
import { startOutside } from './outside.mjs';
import { startFleet, startLastingServer } from './processes.mjs';
import { talkTo } from './talk.mjs';

const HELP = `Usage: node engines/temporal/bench/kill-trials.mjs [options]

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
  const directory = mkdtempSync(join(tmpdir(), 'kill-trials-'));
  const outside = await startOutside(first);
  const server = await startLastingServer(join(directory, 'temporal.db'));
  const address = server.address('trials');
  const handlers = fileURLToPath(new URL('outside-handlers.mjs', import.meta.url));
  const options = { address, slots: 20, handlers, env: { ALAS_OUTSIDE: outside.url } };
  const fleet = startFleet(Number(values.workers), options, (text) => complaints.push(text));
  const talk = await talkTo(address);
  const killer = startKiller(first, fleet, server);
  const started = performance.now();
  mkdirSync(dirname(values.out), { recursive: true });
  let done = 0;
  try {
    await inTurns(todo, Number(values.most), async (seed) => {
      const before = killer.count();
      const trial = await tryOut(seed, { talk, outside, keep: values.keep });
      const { worker, server: ofServer } = killer.since(before);
      const { story, ...told } = trial;
      const noted = { ...told, kills: { worker, server: ofServer } };
      trials.set(seed, noted);
      if (alone) tell(noted, story);
      else appendFileSync(values.out, `${JSON.stringify(noted)}\n`);
      done++;
      const seconds = Math.round((performance.now() - started) / 1000);
      const found = trial.problems.length === 0 ? '' : `: ${trial.problems[0]}`;
      process.stderr.write(`seed ${seed}, ${done} of ${todo.length} in ${seconds} s${found}\n`);
    });
  } finally {
    await killer.stop();
    await talk.close();
    await fleet.stop();
    await server.stop();
    await outside.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Kills a worker every second or two, and now and then the server. */
function startKiller(seed, fleet, server) {
  const random = createRandom(`kills ${seed}`);
  const counts = { worker: 0, server: 0 };
  let stopped = false;
  const kill = async () => {
    if (random.next() < Number(values.server)) {
      await server.restart(random.next() * 1000);
      counts.server++;
      return;
    }
    const place = random.integer(0, fleet.pids().length - 1);
    await fleet.replace(place, random.next() * 500);
    counts.worker++;
  };
  const ended = (async () => {
    while (!stopped) {
      await sleep(2 * random.next() * Number(values.every) * 1000);
      if (!stopped) await kill();
    }
  })();
  return {
    count: () => ({ ...counts }),
    since: (before) => ({
      worker: counts.worker - before.worker,
      server: counts.server - before.server,
    }),
    async stop() {
      stopped = true;
      await ended;
    },
  };
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
  for (const { runId, status, lost } of runs) console.log(`${runId}: ${status}, ${lost} lost`);
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
  const lost = runs.reduce((total, run) => total + run.lost, 0);
  console.log(
    `${all.length} trials, ${hit.length} of them hit by kills of workers ` +
      `(${sum(({ kills }) => kills.worker)} hits) or the server (${sum(({ kills }) => kills.server)} hits)`,
  );
  console.log(`${runs.length} runs: ${told.sort().join(', ')}; ${lost} attempts lost`);
  for (const { seed, problems } of failed.slice(0, 20)) console.log(`seed ${seed}: ${problems[0]}`);
  for (const text of complaints.slice(0, 5)) console.log(text);
  console.log(`trials that disagree with the outside: ${failed.length}`);
  process.exitCode = failed.length + complaints.length === 0 ? 0 : 1;
}
