// Iterations per second of the tabu search alone, one thread. Usage:
//   npm run bench -- search-kernel [--instances ta01,dmu21,ta41,dmu80,ta71]
// Medians of five repetitions. With --profile: where the time goes, by WebAssembly
// function, from V8's own profiler (needs a kernel with names: npm run build:kernel -- --debug).
import { Session } from 'node:inspector/promises';
import { parseArgs } from 'node:util';
import { createKernel, type Kernel, orderByTime } from 'alas-jssp/internal/lab';
import { type Instance, resolveSources } from 'alas-jssp/jssp';
import { dispatch } from 'alas-jssp/search';
import { endWithError } from './measure.js';

// Wrong options end in one line.
process.on('uncaughtException', endWithError);

const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: 'ta01,dmu21,ta41,dmu80,ta71' },
    seconds: { type: 'string', default: '1' },
    profile: { type: 'boolean', default: false },
  },
});
const REPETITIONS = 5;

for (const { name, load } of resolveSources(values.instances)) {
  const instance = load();
  const kernel = warmedUp(instance);
  const speeds = Array.from({ length: REPETITIONS }, () => speedOf(kernel)).sort((a, b) => a - b);
  const speed = speeds[REPETITIONS >> 1];
  const perPass = 1e9 / speed / (2 * instance.operations);
  console.log(
    `${name.padEnd(8)} ${`${instance.jobs}×${instance.machines}`.padEnd(9)} ${String(Math.round(speed)).padStart(8)} iterations/s  ${perPass.toFixed(1).padStart(6)} ns an operation and pass, all told`,
  );
  if (values.profile) await profile(kernel);
}

/** A kernel that has left its start behind. */
function warmedUp(instance: Instance) {
  const kernel = createKernel(instance);
  const { jobs, machines } = instance;
  const tenure = Math.round(10 + jobs / machines);
  kernel.exports.configure(6, tenure, Math.round(0.4 * tenure), false);
  kernel.exports.seedRandom(1);
  startOver(kernel);
  kernel.exports.search(Math.min(50_000, Math.ceil(2e8 / instance.operations)), 2 ** 30, 0);
  return kernel;
}

function startOver(kernel: Kernel) {
  kernel.load(orderByTime(dispatch(kernel.instance, { rule: 'mwkr', seed: 1 }).start));
  kernel.exports.start();
}

/**
 * Iterations per second of processor time, which other processes disturb less than the clock. A
 * search that meets an optimum whose critical path leaves no move, as that of ta71 does, starts
 * over.
 */
function speedOf(kernel: Kernel) {
  const { search, iterations } = kernel.exports;
  const now = () => process.cpuUsage().user / 1e6;
  const began = now();
  let count = 0;
  while (now() - began < Number(values.seconds)) {
    const before = iterations();
    const goesOn = search(50, 2 ** 30, 0) !== 0;
    count += iterations() - before;
    if (!goesOn) startOver(kernel);
  }
  return count / (now() - began);
}

async function profile(kernel: Kernel) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 100 });
  await session.post('Profiler.start');
  speedOf(kernel);
  const { profile: result } = await session.post('Profiler.stop');
  session.disconnect();
  const hits = new Map();
  for (const { callFrame, hitCount } of result.nodes) {
    hits.set(callFrame.functionName, (hits.get(callFrame.functionName) ?? 0) + hitCount);
  }
  const total = [...hits.values()].reduce((sum, count) => sum + count, 0);
  for (const [name, count] of [...hits].sort((a, b) => b[1] - a[1]).slice(0, 10)) {
    console.log(`    ${((100 * count) / total).toFixed(1).padStart(5)} %  ${name}`);
  }
}
