// What moves under tardiness cost beside moves under the makespan: iterations per second of processor time
// of the tabu search alone, one thread, in turns. Build first, then
//   node bench/tardiness.mjs [--instances ta01,dmu21,ta41,dmu80,ta71] [--tightness 1.3] [--tried 0]
//                            [--downtimes 0]
// Due dates and weights as `run --due-tightness` gives them; --downtimes so many on every machine, half of
// them resumable; --tried moves of an iteration that are tried out, −1 for all. Medians of five rounds.
import { parseArgs } from 'node:util';
import { resolveSources } from 'alas-jssp/jssp';
import { dispatch } from 'alas-jssp/search';
import { orderByTime } from '../dist/search/evolution/solution.js';
import { createKernel } from '../dist/search/kernel.js';
import { createProblem } from '../dist/search/problem.js';
import { withConditions } from './lab/conditions.mjs';
import { endWithError } from './search/rows.mjs';

// Wrong options end in one line, here and in the processes that this one starts.
process.on('uncaughtException', endWithError);

const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: 'ta01,dmu21,ta41,dmu80,ta71' },
    tightness: { type: 'string', default: '1.3' },
    tried: { type: 'string' },
    downtimes: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '0.5' },
  },
});
const ROUNDS = 5;
const WARM_UP = 10_000;

for (const { name, load } of resolveSources(values.instances)) {
  const plain = withConditions(load(), {
    tightness: Number(values.tightness),
    downtimes: Number(values.downtimes),
  });
  const kernels = ['makespan', 'total-weighted-tardiness'].map((objective) =>
    warmedUp(createProblem(plain, objective)),
  );
  const rounds = Array.from({ length: ROUNDS }, () => kernels.map(speedOf));
  const [makespan, tardiness] = kernels.map((_, i) => median(rounds.map((round) => round[i])));
  console.log(
    `${name.padEnd(8)} ${`${plain.jobs}×${plain.machines}`.padEnd(9)} iterations/s: ${String(Math.round(makespan)).padStart(8)} makespan, ${String(Math.round(tardiness)).padStart(8)} tardiness  ${(makespan / tardiness).toFixed(1).padStart(5)} times as long`,
  );
}

function median(numbers) {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1];
}

/** A kernel that has left its start behind. */
function warmedUp({ instance, objective, watched }) {
  const kernel = createKernel(instance, watched);
  const { jobs, machines } = instance;
  const tenure = Math.round(10 + jobs / machines);
  const isTardiness = objective !== 'makespan';
  kernel.exports.configure(6, tenure, Math.round(0.4 * tenure), isTardiness);
  kernel.exports.configureTrials?.(Number(values.tried ?? 0));
  kernel.exports.seedRandom(1);
  kernel.exports.limitTrials(1000);
  startOver(kernel);
  const enough = Math.min(WARM_UP, Math.ceil(2e7 / instance.operations));
  while (kernel.exports.search(100, 2 ** 30, 0) !== 0 && kernel.exports.iterations() < enough);
  return kernel;
}

function startOver(kernel) {
  kernel.load(orderByTime(dispatch(kernel.instance, { rule: 'mwkr', seed: 1 }).start));
  kernel.exports.start();
}

/** Iterations per second; a search that ends, as that of ta71 does, starts over. */
function speedOf(kernel) {
  const { search, iterations } = kernel.exports;
  const now = () => process.cpuUsage().user / 1e6;
  const began = now();
  let count = 0;
  while (now() - began < Number(values.seconds)) {
    const before = iterations();
    const goesOn = search(200, 2 ** 30, 0) !== 0;
    count += iterations() - before;
    if (!goesOn) startOver(kernel);
  }
  return count / (now() - began);
}
