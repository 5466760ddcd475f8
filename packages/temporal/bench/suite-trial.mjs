// A suite on workers that die. Build both packages first, then
//   node packages/temporal/bench/suite-trial.mjs [--suite all] [--planner NAME]... [--every 3] [--server-kills 1]
// Three workers of one slot take its tasks; two of them are killed (SIGKILL) again and again, at random, and begun
// again at once; the server is killed while the run goes on, and started again on its database. Then every record
// must be there, each once, and equal to that of worker threads but for measured times. Exits with 1 if not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { readRecords, recordKey, runBenchmark } from 'alas-jssp/harness';
import { createTemporalExecutor } from '../dist/index.js';
import { startFleet, startLastingServer } from './processes.mjs';

const { values } = parseArgs({
  options: {
    suite: { type: 'string', default: 'all' },
    planner: { type: 'string', multiple: true, default: ['dispatch:best', 'insertion'] },
    optimize: { type: 'string' },
    replicates: { type: 'string', default: '1' },
    // Seconds from a kill to the next, on average.
    every: { type: 'string', default: '3' },
    'server-kills': { type: 'string', default: '1' },
  },
});
const spec = {
  suite: values.suite,
  planners: values.planner,
  replicates: Number(values.replicates),
  optimize: values.optimize ?? null,
};
const EVERY = Number(values.every) * 1000;
const SERVER_KILLS = Number(values['server-kills']);
/** Milliseconds for which the server is away. */
const AWAY = 3000;

const problems = [];
const directory = mkdtempSync(join(tmpdir(), 'suite-trial-'));
const local = await timed(() => runBenchmark({ ...spec, workers: 3 }));
const total = local.result.records.length;
console.log(`${total} records in ${local.seconds} s by threads`);

const server = await startLastingServer(join(directory, 'temporal.db'));
const options = { address: server.address('trial'), slots: 1 };
const fleet = startFleet(3, options, (text) => problems.push(text));
const seen = new Map();
const kills = { workers: 0, server: 0 };
const over = new AbortController();
const killing = [killWorkers(), killServer()];
const there = await timed(() =>
  runBenchmark(spec, {
    out: join(directory, 'run'),
    executor: createTemporalExecutor(server.address('trial')),
    onRecord: (record) => seen.set(recordKey(record), (seen.get(recordKey(record)) ?? 0) + 1),
    onNotice: (line) => console.log(`  ${line}`),
  }),
);
over.abort();
await Promise.all(killing);
await fleet.stop();
await server.stop();
judge();
console.log(
  `${there.result.records.length} records in ${there.seconds} s by three workers: two of them killed ` +
    `${kills.workers} times, the server ${kills.server} times`,
);
for (const problem of problems.slice(0, 20)) console.log(problem);
console.log(`records missing, doubled or different, workers that broke off: ${problems.length}`);
rmSync(directory, { recursive: true });
process.exit(problems.length === 0 ? 0 : 1);

async function timed(run) {
  const began = performance.now();
  const result = await run();
  return { result, seconds: ((performance.now() - began) / 1000).toFixed(1) };
}

/** Kills one of two workers after the other, until the run is over. */
async function killWorkers() {
  while (await pause(2 * EVERY * Math.random())) {
    await fleet.replace(Math.random() < 0.5 ? 0 : 1);
    kills.workers += 1;
  }
}

/** Kills the server whenever another share of the records is there. */
async function killServer() {
  for (let kill = 1; kill <= SERVER_KILLS; kill++) {
    while (seen.size < (kill * total) / (SERVER_KILLS + 1)) if (!(await pause(100))) return;
    await server.restart(AWAY);
    kills.server += 1;
  }
}

/** Waits; false as soon as the run is over. */
function pause(milliseconds) {
  return sleep(milliseconds, true, { signal: over.signal }).catch(() => false);
}

function judge() {
  const { records } = there.result;
  if (there.result.interrupted) problems.push('the run says that it was interrupted');
  for (const [key, count] of seen) if (count > 1) problems.push(`${key} came ${count} times`);
  const written = readRecords(join(directory, 'run', 'records.jsonl'));
  if (!isDeepStrictEqual(written, records)) problems.push('the file has other records');
  const byKey = new Map(records.map((record) => [recordKey(record), record]));
  if (byKey.size !== records.length) problems.push('records are doubled');
  for (const wanted of local.result.records) {
    const found = byKey.get(recordKey(wanted));
    if (found === undefined) problems.push(`${recordKey(wanted)} is missing`);
    else if (!isDeepStrictEqual(untimed(found), untimed(wanted)))
      problems.push(`${recordKey(wanted)} is different`);
  }
}

/** A record without what was measured. */
function untimed(record) {
  const isMeasured = (key) => key.includes('seconds');
  return JSON.parse(JSON.stringify(record, (key, value) => (isMeasured(key) ? undefined : value)));
}
