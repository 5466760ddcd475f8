// A campaign on Temporal beside the same campaign in threads, on a network of namespaces. Build first, then
//   node packages/temporal/bench/campaign.mjs [--quick] [--part NAME]... [--json FILE]
// A worker of one slot in each namespace, all on the cores of this machine, as are the server and the starter: the
// efficiency is the time of the threads (one for each core) over that of the campaign, so that what Temporal costs counts in
// full. Exits with 1 if a record is missing, doubled or different from that of the threads.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeCommit } from '@alas-jssp/lab/measure';
import { find } from '../server.mjs';
import { judgeCampaign } from './campaign-judge.mjs';
import { runInThreads, runOnWorkers } from './campaign-run.mjs';
import { createNetwork, enterNamespaces } from './namespaces.mjs';

const HELP = `Usage: node packages/temporal/bench/campaign.mjs [options]

A campaign on Temporal, by workers in namespaces of the network, beside threads.

  --suite SUITE      (classic)
  --planner NAME     (dispatch:best)
  --optimize BUDGET  in iterations, so that results can be compared
                     (400k-iterations)
  --replicates N     (10)
  --workers N        (4)
  --kill SHARE       share of the records after which a worker is killed (0.3)
  --cut SHARE        share of the records after which the network of another
                     worker is cut (0.5)
  --cut-seconds N    (30)
  --slice N          tasks of a slice
  --window N         slices at a time
  --part NAME        only this part: waits, plain or faults; may be repeated
  --quick            few tasks: figures for a first look
  --json FILE        also write the figures as JSON
  --help             show this`;

const { values } = parseArgs({
  options: {
    suite: { type: 'string', default: 'classic' },
    planner: { type: 'string', default: 'dispatch:best' },
    optimize: { type: 'string', default: '400k-iterations' },
    replicates: { type: 'string', default: '10' },
    workers: { type: 'string', default: '4' },
    kill: { type: 'string', default: '0.3' },
    cut: { type: 'string', default: '0.5' },
    'cut-seconds': { type: 'string', default: '30' },
    slice: { type: 'string' },
    window: { type: 'string' },
    part: { type: 'string', multiple: true, default: ['waits', 'plain', 'faults'] },
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
await enterNamespaces();

/** Share of the cores that others may have without making times useless. */
const QUIET = 0.05;

/** A planner that waits, then puts one operation after the other. */
const WAITS = `
export default async ({ operations, jobOf, jobOffset, machine, duration }) => {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const entries = [];
  let time = 0;
  for (let op = 0; op < operations; op++) {
    const job = jobOf[op];
    const start = time;
    time += duration[op];
    entries.push({ job, step: op - jobOffset[job], machine: machine[op], start, end: time });
  }
  return { entries, makespan: time };
};
`;

const number = (text) => (text === undefined ? undefined : Number(text));
const WORKERS = Number(values.workers);
const settings = { slice: number(values.slice), window: number(values.window) };
const network = createNetwork(WORKERS);
const directory = mkdtempSync(join(tmpdir(), 'campaign-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
const LOAD = loadavg()[0];
// What else runs here makes times longer, and the processors busy without it.
console.log(`load of the machine before: ${LOAD.toFixed(1)}`);
const rows = [];
const problems = [];

if (values.part.includes('waits')) await measureWaits();
if (values.part.some((part) => part !== 'waits')) await measureCampaign();
for (const problem of problems.slice(0, 20)) console.log(problem);
console.log(`\nrecords lost, doubled or different: ${problems.length}`);
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
process.exit(problems.length === 0 ? 0 : 1);

/** Tasks that have a slot for a second and need no processor, as if each worker had a machine of its own. */
async function measureWaits() {
  const planner = join(directory, 'waits.mjs');
  writeFileSync(planner, WAITS);
  console.log('\nTasks that wait for a second: the slots are the limit, not the processors');
  const each = values.quick ? 10 : 40;
  for (const workers of [1, 2, 4].filter((count) => count <= WORKERS)) {
    const replicates = each * workers;
    const spec = { suite: 'ft06', planners: [`module:${planner}`], replicates };
    const run = await runOnWorkers(spec, { network, workers, total: replicates, settings });
    const efficiency = replicates / (workers * run.seconds);
    const row = rowOf('waits', run, { efficiency });
    rows.push(row);
    console.log(
      `  ${workers} workers  ${replicates} tasks in ${run.seconds.toFixed(1)} s, efficiency ${efficiency.toFixed(3)} ` +
        `(task seconds / workers / seconds)`,
    );
  }
}

/** The campaign in threads, and by workers: all well, and with faults. */
async function measureCampaign() {
  const spec = {
    suite: values.quick ? 'abz,orb' : values.suite,
    planners: [values.planner],
    optimize: values.optimize,
    replicates: values.quick ? 2 : Number(values.replicates),
  };
  const threads = availableParallelism();
  console.log(`\nThe campaign: ${JSON.stringify(spec)}`);
  const local = await runInThreads(spec, threads);
  const total = local.records.length;
  rows.push({ ...rowOf('threads', local, { efficiency: 1 }), spec });
  tell(`${threads} threads`, rows.at(-1));
  for (const part of ['plain', 'faults'].filter((name) => values.part.includes(name))) {
    const faults = part === 'faults' && faultsOf();
    const run = await runOnWorkers(spec, { network, workers: WORKERS, total, settings, faults });
    const row = rowOf(part, run, { efficiency: local.seconds / run.seconds });
    rows.push(row);
    tell(`${WORKERS} workers${faults ? ', with faults' : ''}`, row, local);
    const { records: found, seen, tasks } = run;
    problems.push(...run.problems);
    problems.push(...judgeCampaign({ wanted: local.records, found, seen, ends: tasks.ends }));
    if (faults && (run.failed.killed === 0 || run.failed.cutSeconds === 0))
      problems.push(`the faults did not all take place: ${JSON.stringify(run.failed)}`);
  }
}

function faultsOf() {
  const { kill, cut, 'cut-seconds': seconds } = values;
  return { kill: Number(kill), cut: Number(cut), seconds: Number(seconds) };
}

/** The figures of a run, for JSON. */
function rowOf(part, { records, workers, seconds, idle, cpu, tasks, failed, notices }, more) {
  const total = records.length;
  const sum = Object.values(cpu).reduce((a, b) => a + b, 0);
  const others = Math.max(0, 1 - idle - sum / (seconds * availableParallelism()));
  const row = { part, workers, tasks: total, seconds, ...more, others, cpu: { all: sum, ...cpu } };
  if (tasks === undefined) return row;
  const { workers: byWorker, repeated, events, bytes, seconds: busy } = tasks;
  const share = busy / (workers * seconds);
  const each = [...byWorker.values()].map((one) => one.tasks);
  return { ...row, busy: share, tasksOfWorkers: each, repeated, events, bytes, failed, notices };
}

function tell(name, row, local) {
  const { tasks, seconds, efficiency, cpu } = row;
  const each = (amount) => `${((1000 * amount) / tasks).toFixed(1)} ms`;
  console.log(
    `  ${name}: ${tasks} tasks in ${seconds.toFixed(1)} s, efficiency ${efficiency.toFixed(3)}; ` +
      `CPU a task ${each(cpu.all)}`,
  );
  if (row.others > QUIET)
    console.log(
      `    other work had ${(100 * row.others).toFixed(0)} % of the cores: compare processor time, not seconds`,
    );
  if (local === undefined) return;
  console.log(
    `    of it ${each(cpu.workers)} of workers, ${each(cpu.server)} of the server, ${each(cpu.starter)} of the starter; ` +
      `CPU of threads / of all ${(local.cpu.workers / cpu.all).toFixed(3)}, / of workers ${(local.cpu.workers / cpu.workers).toFixed(3)}`,
  );
  console.log(
    `    slots with a task ${(100 * row.busy).toFixed(1)} %, tasks of each worker process ${row.tasksOfWorkers.join(' ')}, ` +
      `attempts that were repeated ${row.repeated}, ${(row.events / tasks).toFixed(2)} events and ${Math.round(row.bytes / tasks)} bytes a task`,
  );
  if (!row.failed) return;
  const { killed, cutSeconds, recordsMeanwhile } = row.failed;
  console.log(
    `    killed: ${killed} worker; cut off for ${cutSeconds.toFixed(1)} s: another, while ${recordsMeanwhile} records came`,
  );
}
