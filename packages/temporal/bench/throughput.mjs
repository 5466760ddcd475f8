// What Temporal costs, and how far it goes. Build first, then
//   node packages/temporal/bench/throughput.mjs [--quick] [--part NAME]... [--json FILE]
// Measures suites on 1, 2 and 4 worker processes (tasks per second, CPU seconds per task of workers, client and
// server, events and bytes of history per task), and the overhead beside worker threads for tasks of a second and
// more, in pairs. Shops are measured by shop-trial.mjs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { describeCommit, median } from '@alas-jssp/lab/measure';
import { runBenchmark } from 'alas-jssp/harness';
import { connect, createTemporalExecutor, parseAddress } from '../dist/index.js';
import { find } from '../server.mjs';
import { startFleet, startLastingServer, usageOf } from './processes.mjs';

const HELP = `Usage: node packages/temporal/bench/throughput.mjs [options]

  --quick        few tasks: figures for a first look
  --part NAME    only this part: suites or overhead; may be repeated
  --json FILE    also write the figures as JSON
  --help         show this`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    part: { type: 'string', multiple: true },
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

/** Tasks that cost next to nothing. */
const SHORT = (replicates) => ({
  suite: 'ft06,abz,orb',
  planners: ['dispatch:spt'],
  replicates,
});

/** Budgets of searches that take about a second and several, and how often they are made. */
const LONG = [
  ['1 s', '250k-iterations', 16],
  ['4 s', '1m-iterations', 6],
];

const PARTS = { suites: measureSuites, overhead: measureOverhead };
const chosen = values.part ?? Object.keys(PARTS);
const rows = [];
for (const name of chosen) {
  const part = PARTS[name];
  if (part === undefined) {
    console.error(`there is no part ${name}\n\n${HELP}`);
    process.exit(2);
  }
  await part();
}
if (values.json !== undefined) {
  mkdirSync(dirname(values.json), { recursive: true });
  const facts = { commit: describeCommit(), node: process.version, cpu: cpus()[0].model };
  const whole = { schema: 'alas-jssp/bench@1', ...facts, cpus: availableParallelism(), rows };
  writeFileSync(values.json, `${JSON.stringify(whole, null, 2)}\n`);
}

/** Short tasks, so that what is measured is the way there and back. */
async function measureSuites() {
  console.log(
    '\nSuites: short tasks (dispatch:spt on ft06, abz and orb), one slot for each worker',
  );
  for (const workers of [1, 2, 4]) {
    const replicates = values.quick ? 20 : 120;
    await onTemporal(workers, 1, async (place) => {
      // The first run reads files, compiles and fills caches.
      await place.run(SHORT(2));
      const row = { part: 'suites', workers, ...(await place.run(SHORT(replicates))) };
      rows.push(row);
      tell(`${workers} workers`, row);
    });
  }
  const replicates = values.quick ? 20 : 120;
  await inThreads(SHORT(2), 1);
  const row = { part: 'suites', threads: 1, ...(await inThreads(SHORT(replicates), 1)) };
  rows.push(row);
  tell('1 thread', row);
}

/** Tasks of about one second and of several, on threads and on Temporal in turns: medians of pairs. */
async function measureOverhead() {
  console.log('\nOverhead: searches on as many slots as cores, threads and Temporal in turns');
  const pairs = values.quick ? 3 : 7;
  for (const [name, budget, replicates] of LONG) {
    const spec = { suite: 'ta21', planners: ['insertion'], optimize: budget, replicates };
    const workers = availableParallelism();
    await onTemporal(workers, 1, async (place) => {
      await place.run({ ...spec, replicates: workers });
      const found = [];
      for (let k = 0; k < pairs; k++) {
        const threads = await inThreads(spec, workers);
        const temporal = await place.run(spec);
        found.push({ threads, temporal });
      }
      const ratioOf = (pick) =>
        median(found.map((pair) => pick(pair.temporal) / pick(pair.threads)));
      const row = {
        part: 'overhead',
        name,
        tasks: found[0].threads.tasks,
        taskSeconds: median(
          found.map(({ threads }) => (threads.seconds * workers) / threads.tasks),
        ),
        wall: ratioOf(({ seconds }) => seconds),
        cpu: ratioOf(({ cpu }) => cpu),
        workersCpu: median(found.map(({ temporal, threads }) => temporal.workersCpu / threads.cpu)),
        pairs: found,
      };
      rows.push(row);
      const percent = (ratio) => `${((ratio - 1) * 100).toFixed(1)} %`;
      console.log(
        `  ${name}: ${row.taskSeconds.toFixed(2)} s a task; Temporal takes ${percent(row.wall)} more time, ` +
          `${percent(row.cpu)} more CPU in all, ${percent(row.workersCpu)} more in workers`,
      );
    });
  }
}

/** Runs in threads of this process. */
async function inThreads(spec, workers) {
  const before = process.cpuUsage();
  const began = performance.now();
  const { records } = await runBenchmark({ ...spec, workers });
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1e6;
  return { tasks: records.length, seconds, cpu, perSecond: records.length / seconds };
}

/** A server and workers, for runs one after the other. */
async function onTemporal(count, slots, act) {
  const directory = mkdtempSync(join(tmpdir(), 'throughput-'));
  const server = await startLastingServer(join(directory, 'temporal.db'));
  const address = server.address('bench');
  const fleet = startFleet(count, { address, slots }, (text) => {
    throw new Error(text);
  });
  const client = await connect(parseAddress(address));
  try {
    await act({ run: (spec) => runThere(spec, { address, server, fleet, client }) });
  } finally {
    await client.connection.close();
    await fleet.stop();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function runThere(spec, { address, server, fleet, client }) {
  const known = await historiesOf(client);
  const usage = () => ({
    workers: fleet.pids().reduce((sum, pid) => sum + usageOf(pid).cpu, 0),
    server: usageOf(server.pid()).cpu,
    client: usageOf().cpu,
  });
  const before = usage();
  const began = performance.now();
  const { records } = await runBenchmark(spec, { executor: createTemporalExecutor(address) });
  const seconds = (performance.now() - began) / 1000;
  const after = usage();
  const tasks = records.length;
  const histories = await historiesOf(client);
  const grown = (name) => histories[name] - known[name];
  const spent = (name) => after[name] - before[name];
  return {
    tasks,
    seconds,
    perSecond: tasks / seconds,
    cpu: spent('workers') + spent('server') + spent('client'),
    workersCpu: spent('workers'),
    serverCpu: spent('server'),
    clientCpu: spent('client'),
    serverBytes: usageOf(server.pid()).bytes,
    workerBytes: Math.max(...fleet.pids().map((pid) => usageOf(pid).bytes)),
    workflows: grown('workflows'),
    events: grown('events'),
    bytes: grown('bytes'),
  };
}

/** How many workflows a server has, and the events and bytes of their histories; lists lag a moment behind. */
async function historiesOf(client) {
  const total = { workflows: 0, events: 0, bytes: 0 };
  await sleep(1500);
  for await (const { workflowId, runId } of client.workflow.list()) {
    const { historyLength, historySize } = await client.workflow
      .getHandle(workflowId, runId)
      .describe();
    total.workflows++;
    total.events += historyLength;
    total.bytes += historySize ?? 0;
  }
  return total;
}

function tell(name, row) {
  const { tasks, seconds, perSecond, cpu, workersCpu, serverCpu, clientCpu, events, bytes } = row;
  const each = (amount) => `${((1000 * amount) / tasks).toFixed(2)} ms`;
  const ends =
    events === undefined
      ? ''
      : `, of it ${each(workersCpu)} workers, ${each(serverCpu)} server, ${each(clientCpu)} client; ` +
        `${(events / tasks).toFixed(2)} events and ${Math.round(bytes / tasks)} bytes of history a task`;
  console.log(
    `  ${name.padEnd(10)} ${tasks} tasks in ${seconds.toFixed(1)} s, ${perSecond.toFixed(0)} a second, ` +
      `${each(cpu)} of CPU a task${ends}`,
  );
}
