// How well and how fast repairs are. Build first, then
//   node bench/repair.mjs [--instances ta21,ta41,dmu21,dmu56,swv06] [--replicates 3] [--policy '{"…"}']
// Each schedule, two seconds of search, meets one breakdown of 5 % of its makespan. Shown is the
// share of the way from right-shift (everything free moves by the disturbance) to a recompute
// (300,000 iterations over everything free, from the compensated schedule), and changed places
// relative to those of the recompute, both realigned; ratios of means. What takes long, schedules
// and recomputes, is kept under results/repair-bench/.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createSchedule, resolveSources } from 'alas-jssp/jssp';
import { maxSeconds, optimize } from 'alas-jssp/search';
import { createRandom, deriveSeed } from '../dist/core/random.js';
import { compensate } from '../dist/lcrp/compensate.js';
import { changedPlaces } from '../dist/lcrp/cost.js';
import { recompute } from '../dist/lcrp/fallback.js';
import { defaultPolicy, lcrp, updateStatus } from '../dist/lcrp/index.js';
import { warmUp } from '../dist/lcrp/warm-up.js';

const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: 'ta21,ta41,dmu21,dmu56,swv06' },
    replicates: { type: 'string', default: '3' },
    policy: { type: 'string', default: '{}' },
  },
});
const FOLDER = 'results/repair-bench';
const ITERATIONS = 300_000;
const LATENCY_ROUNDS = 5;

mkdirSync(FOLDER, { recursive: true });
const policy = { ...defaultPolicy, ...JSON.parse(values.policy) };
const sums = { shift: 0, least: 0, local: 0, best: 0, localChanges: 0, bestChanges: 0 };
const latencies = { compensation: [], repair: [] };
const phases = {};
warmUp();
for (const { name, load } of resolveSources(values.instances)) {
  const instance = load();
  const schedule = await planned(name, instance);
  for (let replicate = 0; replicate < Number(values.replicates); replicate++) {
    const row = await measure(name, schedule, replicate);
    for (const key of Object.keys(sums)) sums[key] += row[key];
    phases[row.phase] = (phases[row.phase] ?? 0) + 1;
    console.log(
      `${`${name}#${replicate}`.padEnd(9)} plan ${schedule.makespan}  right-shift ${row.shift}  phase 1 ${row.least}  lcrp ${row.local} (${row.phase}, ${row.localChanges} changed, ${row.evaluations} evaluations)  recompute ${row.best} (${row.bestChanges} changed)`,
    );
  }
}
report();

async function planned(name, instance) {
  const start = await kept(`${name}-plan`, async () => {
    const { schedule } = await optimize(instance, { stop: maxSeconds(2), seed: 1 });
    return [...schedule.start];
  });
  return createSchedule(instance, Int32Array.from(start));
}

async function measure(name, schedule, replicate) {
  const breakdown = breakdownOf(name, schedule, replicate);
  const now = breakdown.from;
  const { task } = updateStatus({ schedule, events: [breakdown], now });
  const compensated = timed(latencies.compensation, () => compensate(task));
  const context = { seed: replicate };
  const repaired = timed(latencies.repair, () => lcrp.repair(task, policy, context));
  const best = await kept(`${name}-${replicate}-recompute`, async () => {
    const found = await recompute(task, compensated, defaultPolicy, ITERATIONS, context);
    return { makespan: found.makespan, changes: changedPlaces(task, found) };
  });
  return {
    shift: rightShift(task, breakdown),
    least: compensated.makespan,
    local: repaired.schedule.makespan,
    phase: repaired.phase,
    evaluations: repaired.evaluations,
    localChanges: changedPlaces(task, repaired.schedule),
    best: best.makespan,
    bestChanges: best.changes,
  };
}

function breakdownOf(name, { instance, makespan }, replicate) {
  const random = createRandom(deriveSeed('repair-bench', name, replicate));
  const from = Math.round(makespan * (0.1 + 0.5 * random.next()));
  return {
    kind: 'breakdown',
    machine: random.integer(0, instance.machines - 1),
    from,
    to: from + Math.round(0.05 * makespan),
    resumable: random.next() < 0.8,
  };
}

/** The makespan if everything free starts later by as much as the first that is hit. */
function rightShift({ instance, planned }, { from, to }) {
  const free = [...planned.keys()].filter((op) => (instance.frozen?.[op] ?? -1) < 0);
  const earliest = Math.min(from, ...free.map((op) => planned[op]));
  const start = planned.map((time, op) =>
    (instance.frozen?.[op] ?? -1) < 0 ? time + to - earliest : time,
  );
  return createSchedule(instance, start).makespan;
}

function timed(list, work) {
  let result;
  for (let round = 0; round < LATENCY_ROUNDS; round++) {
    const began = performance.now();
    result = work();
    list.push(performance.now() - began);
  }
  return result;
}

async function kept(key, compute) {
  const file = `${FOLDER}/${key}.json`;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    const result = await compute();
    writeFileSync(file, JSON.stringify(result));
    return result;
  }
}

function report() {
  const { shift, least, local, best, localChanges, bestChanges } = sums;
  const way = (from, reached) => ((from - reached) / (from - best)).toFixed(3);
  const percentile = (list, share) =>
    list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(share * list.length))];
  console.log(`from right-shift: phase 1 ${way(shift, least)}  lcrp ${way(shift, local)}`);
  console.log(`from phase 1:     lcrp ${way(least, local)}`);
  console.log(`changed places:   ${((100 * localChanges) / bestChanges).toFixed(0)} %`);
  console.log(`phases:           ${JSON.stringify(phases)}`);
  for (const [what, list] of Object.entries(latencies)) {
    const [p50, p99] = [0.5, 0.99].map((share) => percentile(list, share).toFixed(2));
    console.log(`${`${what}:`.padEnd(17)} p50 ${p50} ms  p99 ${p99} ms`);
  }
}
