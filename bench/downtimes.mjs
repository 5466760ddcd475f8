// What downtimes of all machines cost the search. Build first, then
//   node bench/downtimes.mjs [--shops 3] [--iterations 100000] [--seconds 1] [FILE …]
// Shops of 200 jobs on 50 machines, of unequal length and with recirculation, made here; or those of
// REALM-Bench files (its J4: processing times, and disruptions of which every emergency_shutdown takes
// all machines down), each planned by a dispatching rule. Iterations per second of the kernel alone
// on what a shutdown leaves, without and with downtimes; then a recompute of so many iterations: its
// processor time, the makespan before and after, and the lower bound. --lib DIRECTORY runs another build.
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    shops: { type: 'string', default: '3' },
    iterations: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '1' },
    lib: { type: 'string', default: join(import.meta.dirname, '..', 'dist') },
  },
});
const load = (path) => import(pathToFileURL(resolve(values.lib, path)));
const { generateRandom, instanceFromJobs, lowerBound } = await load('jssp/index.js');
const { dispatch } = await load('search/index.js');
const { findMethod, repair, updateStatus } = await load('lcrp/index.js');
const { remainderOf } = await load('lcrp/phases/remainder.js');
const { replaceInstance } = await load('jssp/instance.js');
const { createKernel } = await load('search/kernel.js');
const { orderByTime } = await load('search/evolution/solution.js');

const ROUNDS = 3;
const iterations = Number(values.iterations);
const shops = positionals.length > 0 ? positionals.map(readShop) : madeShops();
for (const shop of shops) await measure(shop);

function madeShops() {
  return Array.from({ length: Number(values.shops) }, (_, i) => {
    const size = { jobs: 200, machines: 50, minLength: 5, maxLength: 20 };
    const instance = generateRandom({ ...size, seed: i + 1, recirculation: true });
    return { instance, shutdowns: [{ from: 150, to: 260 }] };
  });
}

function readShop(path) {
  const { processing_times: jobs, disruptions } = JSON.parse(readFileSync(path, 'utf8'));
  const steps = jobs.map((job) =>
    job.map(({ machine, processing_time: time }) => [machine - 1, time]),
  );
  const shutdowns = disruptions
    .filter(({ type }) => type === 'emergency_shutdown')
    .map(({ start_time: from, duration }) => ({ from, to: from + duration }));
  return { instance: instanceFromJobs(basename(path, '.json'), steps), shutdowns };
}

async function measure({ instance, shutdowns }) {
  const plan = dispatch(instance, { rule: 'mwkr' });
  for (const { from, to } of shutdowns) {
    const downtime = { kind: 'breakdown', from, to, resumable: true };
    const events = Array.from({ length: instance.machines }, (_, machine) => ({
      ...downtime,
      machine,
    }));
    const { task } = updateStatus({ schedule: plan, events, now: from });
    const { instance: shop } = remainderOf(task.instance);
    const free = speedOf(replaceInstance(shop, { calendar: null }));
    const down = speedOf(shop);
    const policy = { fallback: { degradation: 0, iterations } };
    const began = process.cpuUsage();
    const repaired = await repair({ schedule: plan, events, now: from }, policy, {
      method: findMethod('recompute'),
    });
    const { user, system } = process.cpuUsage(began);
    console.log(
      `${instance.name.padEnd(24)} ${String(shop.operations).padStart(5)} operations left  ` +
        `${rate(free)} iterations/s free, ${rate(down)} with downtimes (${(free / down).toFixed(1)} times as long)  ` +
        `recompute ${((user + system) / 1e6).toFixed(1)} s: ${plan.makespan} to ${repaired.schedule.makespan}, bound ${lowerBound(task.instance).value}`,
    );
  }
}

function rate(perSecond) {
  return String(Math.round(perSecond)).padStart(7);
}

/** The median of the speed of the kernel, by processor time. */
function speedOf(instance) {
  const kernel = createKernel(instance);
  kernel.exports.configure(6, 14, 6, false);
  kernel.exports.seedRandom(1);
  const startOver = () => {
    kernel.load(orderByTime(dispatch(instance, { rule: 'mwkr' }).start));
    kernel.exports.start();
  };
  const speeds = Array.from({ length: ROUNDS }, () => {
    startOver();
    let count = 0;
    let spent = 0;
    while (spent < Number(values.seconds)) {
      const before = kernel.exports.iterations();
      const began = process.cpuUsage().user;
      const goesOn = kernel.exports.search(20, 2 ** 30, 0) !== 0;
      spent += (process.cpuUsage().user - began) / 1e6;
      count += kernel.exports.iterations() - before;
      if (!goesOn) startOver();
    }
    return count / spent;
  });
  return speeds.sort((a, b) => a - b)[ROUNDS >> 1];
}
