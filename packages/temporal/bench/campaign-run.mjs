// A run of a campaign: in threads of this process, or by workers of a network, of which some fail.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordKey, runBenchmark } from 'alas-jssp/harness';
import { connect, createTemporalExecutor, parseAddress } from '../dist/index.js';
import { readTasks } from './campaign-judge.mjs';
import { coresNow, idleSince, startFleet, startLastingServer, usageOf } from './processes.mjs';

/** Milliseconds until a killed worker is started again: supervisors of workers need a moment, too. */
const ABSENCE = 10_000;

/** Runs in threads of this process. */
export async function runInThreads(spec, workers) {
  const before = usageOf().cpu;
  const cores = coresNow();
  const began = performance.now();
  const { records } = await runBenchmark({ ...spec, workers });
  const seconds = (performance.now() - began) / 1000;
  const idle = idleSince(cores);
  return { records, workers, seconds, idle, cpu: { workers: usageOf().cpu - before } };
}

/**
 * Runs on a new server, by workers of one slot, each in a namespace of its own.
 *
 * @param {object} spec
 * @param {{ network: ReturnType<typeof import('./namespaces.mjs').createNetwork>, workers: number,
 *   total: number, settings?: object, faults?: { kill: number, cut: number, seconds: number } }} how `total`: of records; `settings`: of the executor; `faults`:
 *   the shares of the records after which a worker is killed, and the network of another is cut, for so many seconds
 */
export async function runOnWorkers(spec, { network, workers, total, settings = {}, faults }) {
  const directory = mkdtempSync(join(tmpdir(), 'campaign-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', remove);
  const server = await startLastingServer(join(directory, 'temporal.db'), {}, network.ip);
  const address = server.address('campaign');
  const problems = [];
  const { nodes } = network;
  const complain = (text) => problems.push(text);
  const fleet = startFleet(workers, { address, slots: 1 }, complain, (k) => nodes[k].within);
  const over = new AbortController();
  const seen = new Map();
  const notices = [];
  const lost = { cpu: 0 };
  await atWork(fleet, workers, problems);
  const usage = () => ({
    workers: fleet.pids().reduce((sum, pid) => sum + cpuOf(pid), lost.cpu),
    server: usageOf(server.pid()).cpu,
    starter: usageOf().cpu,
  });
  const before = usage();
  const cores = coresNow();
  const began = performance.now();
  const failing =
    faults && failWorkers({ faults, fleet, nodes, lost, total, count: () => seen.size, over });
  const { records } = await runBenchmark(spec, {
    executor: createTemporalExecutor(address, settings),
    onRecord: (record) => seen.set(recordKey(record), (seen.get(recordKey(record)) ?? 0) + 1),
    onNotice: (line) => notices.push(line),
  });
  const seconds = (performance.now() - began) / 1000;
  const after = usage();
  const idle = idleSince(cores);
  over.abort();
  const failed = await failing;
  const tasks = await tasksOn(address);
  await fleet.stop();
  await server.stop();
  process.off('exit', remove);
  remove();
  const cpu = Object.fromEntries(Object.keys(after).map((key) => [key, after[key] - before[key]]));
  return { records, workers, seconds, idle, cpu, seen, problems, notices, failed, tasks };
}

/** Waits until all workers poll. */
async function atWork(fleet, workers, problems) {
  while (fleet.atWork().length < workers) {
    if (problems.length > 0) throw new Error(problems[0]);
    await sleep(100);
  }
}

/** Kills the first worker after a share of the records, and cuts the last one off after another. */
async function failWorkers({ faults, fleet, nodes, lost, total, count, over }) {
  const failed = { killed: 0, cutSeconds: 0, recordsMeanwhile: 0 };
  const pause = (milliseconds) =>
    sleep(milliseconds, true, { signal: over.signal }).catch(() => false);
  const reach = async (share) => {
    while (count() < share * total) if (!(await pause(50))) return false;
    return true;
  };
  const kill = async () => {
    if (!(await reach(faults.kill))) return;
    lost.cpu += cpuOf(fleet.pids()[0]);
    failed.killed += 1;
    await fleet.replace(0, ABSENCE);
  };
  const cut = async () => {
    if (!(await reach(faults.cut))) return;
    const node = nodes[fleet.pids().length - 1];
    const began = performance.now();
    const before = count();
    node.cut();
    await pause(faults.seconds * 1000);
    node.mend();
    failed.cutSeconds = (performance.now() - began) / 1000;
    failed.recordsMeanwhile = count() - before;
  };
  await Promise.all([kill(), cut()]);
  return failed;
}

/** CPU seconds of a process; none of one that is gone. */
function cpuOf(pid) {
  try {
    return usageOf(pid).cpu;
  } catch {
    return 0;
  }
}

async function tasksOn(address) {
  const client = await connect(parseAddress(address));
  // Lists of workflows lag a moment behind.
  await sleep(1500);
  try {
    return await readTasks(client);
  } finally {
    await client.connection.close();
  }
}
