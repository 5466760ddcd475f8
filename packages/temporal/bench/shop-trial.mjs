// A living shop of many events on Temporal, over many histories, while its workers are killed: its versions must be
// those of an embedded shop that is told the same, and its histories must be replayed without a difference.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process, { argv, exit, stderr, stdout } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createMemoryStore } from '@alas-jssp/workflow';
import { Worker } from '@temporalio/worker';
import { resolveSource } from 'alas-jssp';
import { dispatch } from 'alas-jssp/search';
import { openShop as openEmbedded } from 'alas-jssp/shop';
import { connect, openShop, parseAddress } from '../dist/index.js';
import { installRuntime } from '../dist/telemetry/runtime.js';
import { workflowCode } from '../dist/workflow-code.js';
import { startServer } from '../server.mjs';

const HELP = `usage: node packages/temporal/bench/shop-trial.mjs [options]

A living shop is told of events while its workers are killed with SIGKILL at random, and compared with an embedded one.

  --instance NAME   (ta21)
  --events N        (1000)
  --kills N         workers that are killed, over the whole of it (20)
  --history N       events of a history after which the shop goes on in a new one (as the server suggests: 4096)
  --seed N          of events and kills (1)
  --policy JSON     changes to the policy of the shop`;

process.setMaxListeners(100);

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    help: { type: 'boolean' },
    instance: { type: 'string', default: 'ta21' },
    events: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '20' },
    history: { type: 'string' },
    seed: { type: 'string', default: '1' },
    policy: { type: 'string', default: '{"budget":{"passes":2,"evaluations":500}}' },
  },
});
if (values.help) {
  stdout.write(`${HELP}\n`);
  exit(0);
}

/** Lines that workers wrote. */
const problems = [];
const random = seeded(Number(values.seed));
const count = Number(values.events);
const policy = JSON.parse(values.policy);
const schedule = dispatch(resolveSource(values.instance).load(), { rule: 'mwkr' });

installRuntime();
const told = await tellEmbedded();
const server = await startServer();
const address = parseAddress(server.address('shop-trial'));
const workers = [await startWorker(), await startWorker()];
const historyEvents = values.history === undefined ? undefined : Number(values.history);
const shop = await openShop({ address, runId: 'trial', schedule, policy, historyEvents });
const kills = killsAt();
const { warm, killed, seconds } = await tellTemporal();
const cold = await measureCold();
const faults = compare(told.shop.story, shop.story);
await shop.close();
const histories = await replayAll();
for (const worker of workers) worker.kill('SIGKILL');
await server.stop();

const row = (name, value) => stdout.write(`${`${name}:`.padEnd(46)}${value}\n`);
row('events, versions, workers killed', `${count}, ${shop.version}, ${kills.size}`);
row('differences from the embedded shop', faults.length === 0 ? 'none' : faults.join('; '));
if (problems.length > 0) stderr.write(problems.join(''));
row('histories, all replayed', histories.length);
row('their events', histories.map(({ events }) => events).join(' '));
row('their sizes (kB)', histories.map(({ bytes }) => Math.round(bytes / 1000)).join(' '));
row('events of the history per event of the shop', (sum(histories, 'events') / count).toFixed(1));
row('bytes of the history per event of the shop', Math.round(sum(histories, 'bytes') / count));
row('all of it, kills and all (s)', seconds.toFixed(1));
row('embedded, all of it (s)', told.seconds.toFixed(1));
row('answer, warm worker, median and p95 (ms)', `${quantile(warm, 0.5)} ${quantile(warm, 0.95)}`);
row(
  'answer, embedded, median and p95 (ms)',
  `${quantile(told.each, 0.5)} ${quantile(told.each, 0.95)}`,
);
row('events per second of one shop, warm', (1000 / mean(warm)).toFixed(1));
row('answer after a kill, median and most (ms)', `${quantile(killed, 0.5)} ${quantile(killed, 1)}`);
row('answer, cold worker, whole log (ms)', cold.join(' '));
exit(faults.length === 0 && shop.story.end?.status === 'COMPLETED' ? 0 : 1);

/** Tells an embedded shop of events made up on the way; what it refuses is made up anew. */
async function tellEmbedded() {
  const shop = await openEmbedded({ store: createMemoryStore(), schedule, policy, runId: 'trial' });
  const messages = [];
  const each = [];
  const horizon = schedule.makespan;
  while (messages.length < count) {
    const now = Math.floor((horizon * messages.length) / count);
    const message = newsAt(now, shop);
    const began = performance.now();
    try {
      await send(shop, message);
    } catch (error) {
      if (shop.story.end !== null) throw error;
      continue;
    }
    each.push(performance.now() - began);
    messages.push(message);
  }
  return { shop, messages, each, seconds: each.reduce((a, b) => a + b, 0) / 1000 };
}

function newsAt(now, shop) {
  const { version } = shop;
  const { instance } = shop.schedule;
  const { jobs, machines } = instance;
  const machine = below(machines);
  const job = below(jobs);
  const dice = below(100);
  if (dice < 40)
    return { now, events: [{ kind: 'breakdown', machine, from: now, to: now + 1 + below(30) }] };
  if (dice < 60) return { now, events: [{ kind: 'delay', job, until: now + 1 + below(40) }] };
  if (dice < 85) {
    const step = below(instance.jobOffset[job + 1] - instance.jobOffset[job]);
    return { now, events: [{ kind: 'duration', job, step, factor: 0.5 + random() }] };
  }
  if (dice < 90) {
    const operations = [
      { machine, duration: 10 },
      { machine: below(machines), duration: 15 },
    ];
    return { now, events: [{ kind: 'arrival', job: { operations, release: now } }] };
  }
  if (dice < 93) return { now, events: [{ kind: 'cancellation', job }] };
  return version > 1 ? { now, undo: Math.max(1, version - 1 - below(5)) } : newsAt(now, shop);
}

function send(shop, { now, events, undo }) {
  return events === undefined
    ? shop.undo(undo, { now, by: 'kim' })
    : shop.report(events, { now, by: 'kim' });
}

/** The messages during which a worker is killed. */
function killsAt() {
  const at = new Set();
  while (at.size < Number(values.kills)) at.add(5 + below(count - 5));
  return at;
}

async function tellTemporal() {
  const [warm, killed] = [[], []];
  const began = performance.now();
  for (const [k, message] of told.messages.entries()) {
    const from = performance.now();
    const outcome = send(shop, message);
    if (kills.has(k)) {
      await sleep(random() * 40);
      const victim = below(workers.length);
      workers[victim].kill('SIGKILL');
      workers[victim] = await startWorker();
    }
    await outcome;
    (kills.has(k) ? killed : warm).push(performance.now() - from);
    if (stdout.isTTY) stdout.write(`\r${k + 1} events, version ${shop.version} `);
  }
  if (stdout.isTTY) stdout.write('\r\x1b[K');
  return { warm, killed, seconds: (performance.now() - began) / 1000 };
}

/** The first answers of a worker that knows nothing, while no other is there: of the second it is warm. */
async function measureCold() {
  const ended = workers.map((worker) => once(worker, 'exit'));
  for (const worker of workers) worker.kill('SIGTERM');
  await Promise.all(ended);
  // The server forgets those who polled last.
  await sleep(12_000);
  workers.splice(0, 2, await startWorker());
  const now = schedule.makespan;
  const times = [];
  for (let k = 0; k < 2; k++) {
    const from = performance.now();
    const news = [{ kind: 'breakdown', machine: k, from: now + k, to: now + 20 }];
    await Promise.all([shop, told.shop].map((one) => one.report(news, { now: now + k })));
    times.push(Math.round(performance.now() - from));
  }
  return times;
}

function compare(here, there) {
  const faults = [];
  if (here.turns.length !== there.turns.length) {
    faults.push(`${there.turns.length} instants in place of ${here.turns.length}`);
  }
  for (const [k, { instant, committed, proposal }] of here.turns.entries()) {
    const other = there.turns[k];
    const same =
      JSON.stringify(instant.events) === JSON.stringify(other?.instant.events) &&
      committed?.sha256 === other?.committed?.sha256 &&
      committed?.version === other?.committed?.version &&
      proposal?.method === other?.proposal?.method;
    if (!same) faults.push(`instant ${k} of ${instant.now} differs`);
  }
  const starts = told.shop.schedule.start;
  if (starts.some((start, op) => start !== shop.schedule.start[op]))
    faults.push('another schedule');
  return faults.slice(0, 5);
}

/** Replays all histories of the shop by the workflows of this build. */
async function replayAll() {
  const client = await connect(address);
  const { payloadCodecs } = client.options.loadedDataConverter;
  const code = { ...(await workflowCode()), dataConverter: { payloadCodecs } };
  const histories = [];
  const runs = [];
  await sleep(1500);
  for await (const info of client.workflow.list({ query: "WorkflowId = 'trial'" })) runs.push(info);
  for (const { runId, historySize } of runs.reverse()) {
    const history = await client.workflow.getHandle('trial', runId).fetchHistory();
    await Worker.runReplayHistory(code, history, 'trial');
    histories.push({ events: history.events.length, bytes: Number(historySize) });
  }
  await client.connection.close();
  return histories;
}

/** A worker in a process of its own, once it polls. */
async function startWorker() {
  const binary = fileURLToPath(new URL('../bin/alas-jssp-temporal.js', import.meta.url));
  const words = [binary, 'worker', '--address', server.address('shop-trial'), '--slots', '1'];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  process.once('exit', () => child.kill('SIGKILL'));
  await once(child.stderr, 'data');
  child.stderr.on('data', (text) => problems.push(String(text)));
  return child;
}

function below(limit) {
  return Math.floor(random() * limit);
}

/** Mulberry32: good enough to make up events. */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function quantile(times, q) {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0);
}

function mean(times) {
  return times.reduce((a, b) => a + b, 0) / Math.max(1, times.length);
}

function sum(rows, key) {
  return rows.reduce((total, row) => total + row[key], 0);
}
