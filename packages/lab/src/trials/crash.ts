// What is left of runs that are killed.
//   npm run trials -- crash [--trials 1000]
// Two processes want the same runs on one SQLite log. Again and again one of them is killed (SIGKILL)
// at a random moment, and another begins in its place; half of the runs fail at their end and are
// undone. Then checks, by a file to which the handlers append, that no effect is lost or doubled, that
// none that the log knew to be complete was called again, that what is sent at most once was, and
// that the log verifies. Exits with 1 if not.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openSqliteStore, type Payloads, verifyLog } from '@alas-jssp/workflow';

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

const worker = fileURLToPath(new URL('../crash/worker.js', import.meta.url));
/** A worker process; `begun` resolves when it has opened the log. */
interface StartedWorker {
  child: ChildProcess;
  ended: Promise<unknown[]>;
  begun: Promise<void>;
  ready: boolean;
}

const problems: string[] = [];
const totals = { kills: 0, runs: 0, resumed: 0, early: 0, ends: {} as Record<string, number> };
for (let left = TRIALS; left > 0; left -= KILLS_PER_LOG)
  await tryLog(Math.min(left, KILLS_PER_LOG));

const { kills, runs, ends, resumed, early } = totals;
const told = Object.entries(ends).map(([status, count]) => `${count} ${status}`);
console.log(
  `${kills} kills (${early} before the worker was ready), ${resumed} resumptions, ` +
    `${runs} runs: ${told.sort().join(', ')}`,
);
for (const problem of problems.slice(0, 20)) console.log(problem);
console.log(`effects lost, doubled or repeated, broken chains: ${problems.length}`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Kills workers on one log, lets the last one finish, and checks what is there. */
async function tryLog(killCount: number) {
  const directory = mkdtempSync(join(tmpdir(), 'crash-'));
  for (const folder of ['done', 'undone']) mkdirSync(join(directory, folder));
  // How often the effects that the log knows to be complete had been called by then.
  const settled = new Map<string, number>();
  const workers = [startWorker(directory), startWorker(directory)];
  for (let kill = 0; kill < killCount; kill++) {
    const victim = Math.random() < 0.5 ? 0 : 1;
    await killWorker(workers[victim]);
    noteSettled(directory, settled);
    workers[victim] = startWorker(directory);
  }
  for (const { child, ended } of workers) {
    child.kill('SIGKILL');
    await ended;
  }
  const last = spawn(process.execPath, [worker, directory, '1'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(last, 'exit');
  if (code !== 0) problems.push(`the last worker ended with ${code}`);
  check(directory, settled);
  rmSync(directory, { recursive: true });
}

function startWorker(directory: string) {
  const child = spawn(process.execPath, [worker, directory, '1000000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const started: StartedWorker = {
    child,
    ended: once(child, 'exit'),
    begun: once(child.stdout, 'data').then(() => {
      started.ready = true;
    }),
    ready: false,
  };
  return started;
}

async function killWorker(victim: StartedWorker) {
  const { child, ended, begun } = victim;
  // One in ten while it starts, which is when it opens the log that the last one left behind.
  const starting = Math.random() < 0.1;
  if (!starting) await Promise.race([begun, ended]);
  await wait(Math.random() * (starting ? 150 : 40));
  child.kill('SIGKILL');
  const [code, signal] = await ended;
  if (signal !== 'SIGKILL') problems.push(`a worker ended by itself with ${code}`);
  totals.kills++;
  if (!victim.ready) totals.early++;
}

/** Lines of the world so far, with how often each stands there. */
function worldOf(directory: string) {
  const file = join(directory, 'world.log');
  const counts = new Map<string, number>();
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Notes the effects that are complete in the log of the run that was just broken off. */
function noteSettled(directory: string, settled: Map<string, number>) {
  const file = join(directory, 'log.sqlite');
  if (!existsSync(file)) return;
  const store = openSqliteStore(file);
  const runId = store.runs().at(-1);
  const entries = runId === undefined ? [] : [...store.read({ runId })];
  store.close();
  // Later than the log: what is complete there is called no more.
  const world = worldOf(directory);
  const keys = new Map<string, string>();
  for (const { nodeId, eventType, payload } of entries) {
    if (eventType === 'StartNode') keys.set(nodeId, (payload as Payloads['StartNode']).key ?? '');
    const line = `call ${keys.get(nodeId)}`;
    if (eventType === 'EndNode' && world.has(line) && !settled.has(line)) {
      settled.set(line, world.get(line) ?? 0);
    }
  }
}

/** Checks a log and the effects that its runs had. */
function check(directory: string, settled: Map<string, number>) {
  const store = openSqliteStore(join(directory, 'log.sqlite'));
  const report = verifyLog(store);
  if (!report.valid) {
    const found = [...report.faults, ...report.runs.flatMap(({ problems: all }) => all)];
    problems.push(`the chain is broken: ${JSON.stringify(found)}`);
  }
  const there = effectsIn(directory);
  const world = worldOf(directory);
  for (const runId of store.runs()) {
    const entries = [...store.read({ runId })];
    const { status, error } = entries[entries.length - 1].payload as unknown as Payloads['EndRun'];
    // A step whose attempts were all broken off fails, too: those of `again` are two, one in vain.
    const fails = Number(runId.split('-')[1]) % 2 === 1 || error?.code === 'Interrupted';
    const found = (there.get(runId) ?? []).sort();
    const sent = world.get(`send ${runId}`) ?? 0;
    totals.runs++;
    totals.resumed += entries.filter(({ eventType }) => eventType === 'Resume').length;
    totals.ends[status] = (totals.ends[status] ?? 0) + 1;
    // What broke off while it was sent is in doubt, and the rest is undone.
    const expected = status === 'IN_DOUBT' ? status : fails ? 'COMPENSATED' : 'COMPLETED';
    if (status !== expected) problems.push(`${runId} is ${status}`);
    if (found.join() !== (status === 'COMPLETED' ? EFFECTS : []).join())
      problems.push(`${runId} is ${status} and left ${found.join() || 'nothing'}`);
    if (sent > 1 || (status === 'COMPLETED') !== (sent === 1 && status !== 'IN_DOUBT'))
      problems.push(`${runId} is ${status} and was sent ${sent} times`);
  }
  for (const [line, count] of settled) {
    if (world.get(line) !== count) problems.push(`${line} came again when it was complete`);
  }
  store.close();
}

/** The nodes whose effects are there and not undone, by run. */
function effectsIn(directory: string) {
  const folder = join(directory, 'done');
  const there = new Map<string, string[]>();
  for (const name of readdirSync(folder).filter((file) => !file.endsWith('.tmp'))) {
    const { runId, nodeId } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    there.set(runId, [...(there.get(runId) ?? []), nodeId]);
  }
  return there;
}
