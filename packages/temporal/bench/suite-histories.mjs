// How large the histories of a suite get. Build both packages first, then
//   node packages/temporal/bench/suite-histories.mjs [--tasks 10000] [--workers 2] [--planner dispatch:spt]
// Runs so many tiny tasks (ft06) and reads the sizes of all workflows from the server.
import { parseArgs } from 'node:util';
import { runBenchmark } from 'alas-jssp/harness';
import { connect, createTemporalExecutor, parseAddress } from '../dist/index.js';
import { startServer } from '../server.mjs';
import { startFleet, usageOf } from './processes.mjs';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '10000' },
    workers: { type: 'string', default: '2' },
    planner: { type: 'string', default: 'dispatch:spt' },
  },
});
const tasks = Number(values.tasks);

const server = await startServer();
const address = server.address('histories');
const fleet = startFleet(Number(values.workers), { address, slots: 1 }, console.error);
const spec = { suite: 'ft06', planners: [values.planner], replicates: tasks };
const began = performance.now();
let first = 0;
const { records } = await runBenchmark(spec, {
  executor: createTemporalExecutor(address),
  onRecord() {
    first ||= performance.now();
  },
});
const ended = performance.now();
const cpu = { server: usageOf(server.pid).cpu, workers: 0 };
for (const pid of fleet.pids()) cpu.workers += usageOf(pid).cpu;

const client = await connect(parseAddress(address));
const suites = [];
const slices = [];
for await (const { workflowId, runId, type } of client.workflow.list()) {
  if (type !== 'alasSuite' && type !== 'alasSlice') continue;
  const { raw } = await client.workflow.getHandle(workflowId, runId).describe();
  const { historyLength, historySizeBytes } = raw.workflowExecutionInfo;
  const size = { events: Number(historyLength), bytes: Number(historySizeBytes) };
  (type === 'alasSuite' ? suites : slices).push(size);
}
const errors = records.filter(({ status }) => status === 'error').length;
const rate = (tasks - 1) / ((ended - first) / 1000);
console.log(
  `${records.length} records (${errors} errors) in ${((ended - began) / 1000).toFixed(1)} s, ` +
    `${rate.toFixed(0)} a second once they came; CPU milliseconds a task: ` +
    `${((1000 * cpu.server) / tasks).toFixed(1)} of the server, ${((1000 * cpu.workers) / tasks).toFixed(1)} of workers`,
);
tell('suites', suites);
tell('slices', slices);
const bytes = [...suites, ...slices].reduce((sum, size) => sum + size.bytes, 0);
const events = [...suites, ...slices].reduce((sum, size) => sum + size.events, 0);
console.log(
  `in all ${(events / tasks).toFixed(2)} events and ${(bytes / tasks).toFixed(0)} bytes a task`,
);
await client.connection.close();
await fleet.stop();
await server.stop();
process.exit(0);

function tell(name, sizes) {
  const most = (key) => Math.max(...sizes.map((size) => size[key]));
  console.log(`${sizes.length} ${name}: at most ${most('events')} events, ${most('bytes')} bytes`);
}
