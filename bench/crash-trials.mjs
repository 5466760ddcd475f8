// What is left of runs that are killed. Build first, then
//   node bench/crash-trials.mjs [--trials 1000]
// Starts workers that run workflows on an SQLite log, kills each (SIGKILL) at a random moment and
// starts the next, which goes on where it broke off; half of the runs fail at their end and are
// undone. Then checks that no effect is lost or doubled, that no effect that the log knew to be
// complete was called again, and that the chain of the log verifies. Exits with 1 if not.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openSqliteStore, verifyLog } from 'alas-jssp/workflow';

const { values } = parseArgs({ options: { trials: { type: 'string', default: '1000' } } });
const TRIALS = Number(values.trials);
/** Kills of one log, before it is checked and a new one begun. */
const KILLS_PER_LOG = 50;
/** The paths of a run's steps that have effects. */
const EFFECTS = [
  'again',
  'both/left/one',
  'both/left/two',
  ...[0, 1, 2].map((turn) => `both/right/each[${turn}]/item`),
  'first',
];

const worker = fileURLToPath(new URL('crash-worker.mjs', import.meta.url));
const problems = [];
const totals = { kills: 0, runs: 0, completed: 0, compensated: 0, resumed: 0, early: 0 };
for (let left = TRIALS; left > 0; left -= KILLS_PER_LOG)
  await tryLog(Math.min(left, KILLS_PER_LOG));

const { kills, runs, completed, compensated, resumed, early } = totals;
console.log(
  `${kills} kills (${early} before the worker was ready), ${resumed} resumptions, ` +
    `${runs} runs: ${completed} completed, ${compensated} compensated`,
);
for (const problem of problems.slice(0, 20)) console.log(problem);
console.log(`effects lost, doubled or repeated, broken chains: ${problems.length}`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Kills workers on one log, lets the last one finish, and checks what is there. */
async function tryLog(killCount) {
  const directory = mkdtempSync(join(tmpdir(), 'crash-'));
  for (const folder of ['done', 'undone']) mkdirSync(join(directory, folder));
  // How often the effects that the log knows to be complete had been called by then.
  const settled = new Map();
  for (let kill = 0; kill < killCount; kill++) {
    await runAndKill(directory);
    noteSettled(directory, settled);
  }
  const last = spawn(process.execPath, [worker, directory, '1'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(last, 'exit');
  if (code !== 0) problems.push(`the last worker ended with ${code}`);
  check(directory, settled);
  rmSync(directory, { recursive: true });
}

async function runAndKill(directory) {
  const child = spawn(process.execPath, [worker, directory, '1000000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let ready = false;
  child.stdout.once('data', () => {
    ready = true;
  });
  // One in ten while it starts, which is when it opens the log that the last one left behind.
  const starting = Math.random() < 0.1;
  if (!starting) await Promise.race([once(child.stdout, 'data'), ended]);
  await wait(Math.random() * (starting ? 150 : 40));
  child.kill('SIGKILL');
  const [code, signal] = await ended;
  if (signal !== 'SIGKILL') problems.push(`a worker ended by itself with ${code}`);
  totals.kills++;
  if (!ready) totals.early++;
}

/** Calls so far, by key. */
function callsIn(directory) {
  const file = join(directory, 'calls.log');
  const counts = new Map();
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  for (const key of lines) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Notes the effects that are complete in the log of the run that was just broken off. */
function noteSettled(directory, settled) {
  const file = join(directory, 'log.sqlite');
  if (!existsSync(file)) return;
  const store = openSqliteStore(file);
  const runId = store.runs().at(-1);
  const keys = new Map();
  const calls = callsIn(directory);
  for (const { nodeId, eventType, payload } of runId === undefined ? [] : store.read({ runId })) {
    if (eventType === 'StartNode') keys.set(nodeId, payload.key);
    const key = keys.get(nodeId);
    if (eventType === 'EndNode' && key !== undefined && !settled.has(key)) {
      settled.set(key, calls.get(key));
    }
  }
  store.close();
}

/** Checks a log and the effects that its runs had. */
function check(directory, settled) {
  const store = openSqliteStore(join(directory, 'log.sqlite'));
  const report = verifyLog(store);
  if (!report.valid) {
    const found = [...report.faults, ...report.runs.flatMap(({ problems: all }) => all)];
    problems.push(`the chain is broken: ${JSON.stringify(found)}`);
  }
  const there = effectsIn(directory);
  for (const runId of store.runs()) {
    const entries = [...store.read({ runId })];
    const { status } = entries.at(-1).payload;
    const fails = Number(runId.split('-')[1]) % 2 === 1;
    const expected = fails ? [] : EFFECTS;
    const found = (there.get(runId) ?? []).sort();
    totals.runs++;
    totals.resumed += entries.filter(({ eventType }) => eventType === 'Resume').length;
    totals[fails ? 'compensated' : 'completed']++;
    if (status !== (fails ? 'COMPENSATED' : 'COMPLETED')) problems.push(`${runId} is ${status}`);
    if (found.join() !== expected.join())
      problems.push(`${runId} left ${found.join() || 'nothing'}`);
  }
  const calls = callsIn(directory);
  for (const [key, count] of settled) {
    if (calls.get(key) !== count) problems.push(`${key} was called again when it was complete`);
  }
  store.close();
}

/** The nodes whose effects are there and not undone, by run. */
function effectsIn(directory) {
  const folder = join(directory, 'done');
  const there = new Map();
  for (const name of readdirSync(folder).filter((file) => !file.endsWith('.tmp'))) {
    const { runId, nodeId } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    there.set(runId, [...(there.get(runId) ?? []), nodeId]);
  }
  return there;
}
