// How many events living shops take in on Temporal, and what limits them. Build first, then
//   node packages/temporal/bench/shop-throughput.mjs [--quick] [--json FILE]
// Shops receive the same events at the same time, each of the next as soon as it has answered. Their last versions must
// be that of an embedded shop; the processor time is split into that of the server, of the workers and of the callers, and
// what the embedded shop needs is the part of the repairs. Exits with 1 if a shop ends elsewhere.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { describeCommit } from '@alas-jssp/lab/measure';
import { createMemoryStore } from '@alas-jssp/workflow';
import { resolveSource } from 'alas-jssp';
import { dispatch } from 'alas-jssp/search';
import { fingerprint, openShop as openEmbedded } from 'alas-jssp/shop';
import { connect, openShop, parseAddress } from '../dist/index.js';
import { find, startServer } from '../server.mjs';
import { coresNow, idleSince, startFleet, startLastingServer, usageOf } from './processes.mjs';

const HELP = `Usage: node packages/temporal/bench/shop-throughput.mjs [options]

Events of living shops on Temporal: how many a second, and what limits them.

  --instance NAMES   instances of the shops, with commas (ft06,ta21)
  --shops COUNTS     shops at the same time, with commas (1,4,16)
  --events N         events of each shop (100)
  --workers N        (2)
  --history N        events of a history after which a shop goes on in a new
                     one (as the server suggests: 4096)
  --memory           the server keeps all in memory, not in a file
  --quick            few events: figures for a first look
  --json FILE        also write the figures as JSON
  --help             show this`;

const { values } = parseArgs({
  options: {
    instance: { type: 'string', default: 'ft06,ta21' },
    shops: { type: 'string', default: '1,4,16' },
    events: { type: 'string', default: '100' },
    workers: { type: 'string', default: '2' },
    history: { type: 'string' },
    memory: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
if (find() === undefined) {
  console.error('temporal is not installed: run engines/temporal/install.sh');
  process.exit(2);
}

const EVENTS = values.quick ? 20 : Number(values.events);
const POLICY = { budget: { passes: 2, evaluations: 500 } };
/** Share of the cores' time without work, by whomever, up to which they are the limit. */
const IDLE = 0.15;

const LOAD = loadavg()[0];
// What else runs here makes times longer, and the processors busy without it.
console.log(`load of the machine before: ${LOAD.toFixed(1)}`);
const rows = [];
let wrong = 0;
for (const instance of values.instance.split(',')) {
  const embedded = await reportToEmbedded(instance);
  console.log(
    `\n${instance}: embedded ${(1000 / embedded.ms).toFixed(0)} events a second, ${embedded.cpu.toFixed(1)} ms of CPU an event`,
  );
  for (const shops of values.quick ? [1, 4] : values.shops.split(',').map(Number)) {
    const row = await measure(instance, embedded, shops);
    rows.push(row);
    tell(row);
  }
}
console.log(`\nshops that ended with another version than the embedded one: ${wrong}`);
if (values.json !== undefined) {
  mkdirSync(dirname(values.json), { recursive: true });
  const facts = { commit: describeCommit(), node: process.version, cpu: cpus()[0].model };
  const whole = {
    schema: 'alas-jssp/bench@1',
    ...facts,
    cpus: availableParallelism(),
    load: LOAD,
    rows,
  };
  writeFileSync(values.json, `${JSON.stringify(whole, null, 2)}\n`);
}
process.exit(wrong === 0 ? 0 : 1);

/** Reports events to an embedded shop: once to warm up and to make the events, once more to measure. */
async function reportToEmbedded(name) {
  const schedule = dispatch(resolveSource(name).load(), { rule: 'mwkr' });
  const settings = { schedule, policy: POLICY, runId: 'embedded' };
  const messages = [];
  const first = await openEmbedded({ ...settings, store: createMemoryStore() });
  const random = seeded(1);
  while (messages.length < EVENTS) {
    const now = Math.floor((schedule.makespan * messages.length) / EVENTS);
    const message = { now, event: newsAt(now, schedule.instance, random) };
    // Events that it refuses are replaced.
    const isTaken = await report(first, message).then(
      () => true,
      () => false,
    );
    if (isTaken) messages.push(message);
  }
  const shop = await openEmbedded({ ...settings, store: createMemoryStore() });
  const before = usageOf().cpu;
  const began = performance.now();
  for (const message of messages) await report(shop, message);
  const ms = (performance.now() - began) / EVENTS;
  const cpu = (1000 * (usageOf().cpu - before)) / EVENTS;
  return { schedule, messages, ms, cpu, sha256: fingerprint(shop.schedule) };
}

function report(shop, { now, event }) {
  return shop.report([event], { now, by: 'kim' });
}

function newsAt(now, { machines, jobs, jobOffset }, random) {
  const below = (limit) => Math.floor(random() * limit);
  const job = below(jobs);
  const step = below(jobOffset[job + 1] - jobOffset[job]);
  const dice = random();
  if (dice < 0.4) return { kind: 'delay', job, until: now + 1 + below(40) };
  if (dice < 0.7) return { kind: 'duration', job, step, factor: 0.5 + random() };
  return { kind: 'breakdown', machine: below(machines), from: now, to: now + 1 + below(30) };
}

async function measure(instance, embedded, shops) {
  const directory = mkdtempSync(join(tmpdir(), 'shop-throughput-'));
  const server = values.memory
    ? await inMemory()
    : await startLastingServer(join(directory, 'temporal.db'));
  const address = server.address('shops');
  const fleet = startFleet(Number(values.workers), { address, slots: 1 }, (text) => {
    throw new Error(text);
  });
  while (fleet.atWork().length < Number(values.workers)) await sleep(100);
  const historyEvents = values.history === undefined ? undefined : Number(values.history);
  const { schedule, messages } = embedded;
  const settings = { address: parseAddress(address), schedule, policy: POLICY, historyEvents };
  const living = [];
  for (let k = 0; k < shops; k++)
    living.push(await openShop({ ...settings, runId: `${instance}-${k}` }));
  const usage = () => ({
    workers: fleet.pids().reduce((sum, pid) => sum + usageOf(pid).cpu, 0),
    server: usageOf(server.pid()).cpu,
    callers: usageOf().cpu,
  });
  const before = usage();
  const cores = coresNow();
  const began = performance.now();
  const times = (await Promise.all(living.map((shop) => tellAll(shop, messages)))).flat();
  const seconds = (performance.now() - began) / 1000;
  const after = usage();
  const idle = idleSince(cores);
  for (const shop of living) if (fingerprint(shop.schedule) !== embedded.sha256) wrong++;
  const histories = await historiesOf(address);
  for (const shop of living) await shop.close();
  await fleet.stop();
  await server.stop();
  rmSync(directory, { recursive: true });
  const events = times.length;
  const cpu = Object.fromEntries(
    Object.keys(after).map((key) => [key, (1000 * (after[key] - before[key])) / events]),
  );
  return rowOf({
    instance,
    shops,
    events,
    seconds,
    times,
    cpu,
    idle,
    histories,
    repair: embedded.cpu,
  });
}

async function tellAll(shop, messages) {
  const times = [];
  for (const message of messages) {
    const from = performance.now();
    await report(shop, message);
    times.push(performance.now() - from);
  }
  return times;
}

async function inMemory() {
  const server = await startServer();
  return { ...server, pid: () => server.pid };
}

/** Sizes of the histories of all shops, of which each has one or more. */
async function historiesOf(address) {
  const client = await connect(parseAddress(address));
  await sleep(1500);
  const total = { count: 0, events: 0, bytes: 0 };
  for await (const { workflowId, runId } of client.workflow.list({
    query: "WorkflowType = 'alasShop'",
  })) {
    const handle = client.workflow.getHandle(workflowId, runId);
    const { historyLength, historySize } = await handle.describe();
    total.count += 1;
    total.events += historyLength;
    total.bytes += historySize ?? 0;
  }
  await client.connection.close();
  return total;
}

function rowOf({ instance, shops, events, seconds, times, cpu, idle, histories, repair }) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  const all = cpu.workers + cpu.server + cpu.callers;
  const busy = (all * events) / (1000 * seconds * availableParallelism());
  return {
    ...{ instance, shops, workers: Number(values.workers), memory: values.memory, events },
    ...{ seconds, perSecond: events / seconds, p50: at(0.5), p95: at(0.95), p99: at(0.99) },
    ...{ most: at(1), cpu: { all, ...cpu, repair }, busy, idle, limit: limitOf(cpu, repair, idle) },
    histories: histories.count,
    historyEvents: histories.events / events,
    historyBytes: histories.bytes / events,
  };
}

/** What ends the growth: what an event waits for, or the largest part of the processors' time. */
function limitOf(cpu, repair, idle) {
  if (idle > IDLE) return 'the way there and back: each shop waits for its own answers';
  const parts = {
    'the server': cpu.server,
    'repairs on the workers': Math.min(repair, cpu.workers),
    'the rest of the workers (sandbox, messages)': Math.max(0, cpu.workers - repair),
    'the callers': cpu.callers,
  };
  const [[name]] = Object.entries(parts).sort(([, a], [, b]) => b - a);
  return `processors, most of all ${name}`;
}

function tell(row) {
  const { shops, perSecond, p50, p95, most, cpu, busy, idle, limit } = row;
  const { historyEvents, historyBytes } = row;
  const ms = (amount) => `${amount.toFixed(1)} ms`;
  console.log(
    `  ${shops} shops: ${perSecond.toFixed(1)} events a second, answers ${ms(p50)} (95 % ${ms(p95)}, most ${ms(most)}); ` +
      `CPU an event ${ms(cpu.all)}: server ${ms(cpu.server)}, workers ${ms(cpu.workers)}, callers ${ms(cpu.callers)}`,
  );
  console.log(
    `    cores busy with it ${(100 * busy).toFixed(0)} %, idle ${(100 * idle).toFixed(0)} %; ${row.histories} histories, ${historyEvents.toFixed(1)} events ` +
      `and ${Math.round(historyBytes)} bytes an event; limit: ${limit}`,
  );
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
