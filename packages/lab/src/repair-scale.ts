// What a repair costs in growing shops and growing cascades, and what it touches.
//   npm run bench -- repair-scale [--quick] [--shops 10x10,1000x1000] [--processor] [--json FILE]
// In place: breakdowns one after the other, of up to 0.1 % to 50 % of the makespan, on dispatched
// schedules; shown by the size of the cascade that each caused. The guard is what the engine checks
// in place; judging is what the validator does with whole schedules. Whole repairs: one breakdown of
// 5 % of the makespan each, of schedules from 20,000 iterations of search, by the default policy.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRandom, deriveSeed } from '@alas-jssp/core';
import {
  commitVersion,
  compensate,
  completeEvents,
  judgeExecution,
  openLiveShop,
  requireFit,
  shiftRight,
  updateLive,
  warmUp,
} from 'alas-jssp/internal/lab';
import { generateTaillard, type Schedule } from 'alas-jssp/jssp';
import { createRepairEngine, defaultPolicy, lcrp, updateStatus } from 'alas-jssp/lcrp';
import { dispatch, optimize } from 'alas-jssp/search';
import { save } from './measure.js';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    shops: { type: 'string' },
    cold: { type: 'string' },
    processor: { type: 'boolean', default: false },
  },
});
type LiveShop = NonNullable<ReturnType<typeof openLiveShop>>;
type TimedEvent = ReturnType<typeof completeEvents>[number];

/** Milliseconds and counts of one repair, by name. */
type Sample = Record<string, number>;

const SHOPS = [
  [10, 10],
  [20, 15],
  [50, 20],
  [100, 20],
  [100, 100],
  [300, 300],
  [1000, 1000],
];
const CASCADES = [10, 100, 1000, 10_000];
const MOST_WHOLE = 2000;
const COLD_PROCESSES = values.quick ? 3 : 11;
const EVENTS = values.quick ? 40 : 200;
const REPAIRS = values.quick ? 30 : 200;
/** Repairs that are not counted: the engine is to be warm. */
const UNCOUNTED = 30;
const ITERATIONS = 20_000;
/** Milliseconds: on a machine that others use, those of the processor alone, garbage collection included. */
const clock = values.processor ? processorTime : () => performance.now();

if (values.cold === undefined) await main();
else {
  const [jobs, machines] = values.cold.split('x').map(Number);
  await cold(jobs, machines);
}

async function main() {
  const chosen = values.shops?.split(',');
  const shops = values.quick
    ? SHOPS.slice(0, 5)
    : SHOPS.filter((shop) => chosen?.includes(shop.join('x')) ?? true);
  const rows = [];
  warmUp();
  console.log('in place: milliseconds p50 / p95 / p99');
  for (const [jobs, machines] of shops) rows.push(...inPlace(jobs, machines));
  console.log('\nwhole repairs, default policy, stateless parts: milliseconds p50 / p95 / p99');
  for (const [jobs, machines] of shops) {
    if (jobs * machines <= MOST_WHOLE) rows.push(await whole(jobs, machines));
  }
  console.log(`\nfirst repair of a process, ${COLD_PROCESSES} processes: milliseconds p50 / p95`);
  for (const size of ['10x10', '100x20']) rows.push(coldRow(size));
  save(rows);
}

function shopOf(jobs: number, machines: number) {
  const instance = generateTaillard({ jobs, machines, timeSeed: 1, machineSeed: 2 });
  return dispatch(instance, { rule: 'mwkr' });
}

async function optimized(start: Schedule) {
  const options = { start, budget: { iterations: ITERATIONS }, seed: 1 };
  return (await optimize(start.instance, options)).schedule;
}

/** Events one after the other on one shop, sorted by the size of the cascade that each caused. */
function inPlace(jobs: number, machines: number) {
  const plan = shopOf(jobs, machines);
  const random = createRandom(deriveSeed('repair-scale', jobs, machines));
  const classes: Sample[][] = CASCADES.map(() => []);
  for (const share of [0.001, 0.01, 0.1, 0.5]) {
    const shop = openLiveShop(plan);
    if (shop === null) throw new Error('the shop cannot be repaired in place');
    for (let i = 1; i <= EVENTS; i++) {
      // What starts between two events is frozen in passing.
      const now = Math.round(plan.makespan * (0.1 + (0.3 * i) / EVENTS));
      const length = Math.max(1, Math.round(plan.makespan * share * random.next()));
      const machine = random.integer(0, machines - 1);
      const event = { kind: 'breakdown' as const, machine, from: now, to: now + length };
      const sample = step(shop, completeEvents([event], now), now);
      const at = CASCADES.findIndex((most) => sample.touched <= most);
      if (at >= 0) classes[at].push(sample);
    }
  }
  return classes.flatMap((samples, i) => (samples.length < 5 ? [] : [classRow(samples, i)]));

  function classRow(samples: readonly Sample[], i: number) {
    const row = {
      title: 'in place',
      operations: jobs * machines,
      cascade: CASCADES[i],
      samples: samples.length,
      touched: percentiles(samples, 'touched'),
      heap_operations: percentiles(samples, 'heapOperations'),
      status: percentiles(samples, 'status'),
      shift: percentiles(samples, 'shift'),
      guard: percentiles(samples, 'guard'),
      together: percentiles(samples, 'together'),
    };
    console.log(
      `  ${`${jobs}×${machines}`.padEnd(10)} ≤ ${String(CASCADES[i]).padEnd(6)} n ${String(samples.length).padEnd(4)} touched ${row.touched[0]}  heap ${row.heap_operations[0]}  phase 0 ${show(row.status)}  phase 1 ${show(row.shift)}  guard ${show(row.guard)}  all ${show(row.together)}`,
    );
    return row;
  }
}

function step(shop: LiveShop, events: readonly TimedEvent[], now: number) {
  const times = [clock()];
  const status = updateLive(shop, events, now, { tooLate: 'skip' });
  times.push(clock());
  const shifted = status && shiftRight(shop, status.concerned);
  if (status === null || shifted === null) throw new Error('the event cannot be repaired in place');
  const { touched, heapOperations } = shifted;
  times.push(clock());
  requireFit(shop, status.concerned, now);
  requireFit(shop, touched, now);
  times.push(clock());
  commitVersion(shop, status.totals);
  return {
    touched: touched.length,
    heapOperations,
    status: times[1] - times[0],
    shift: times[2] - times[1],
    guard: times[3] - times[2],
    together: times[3] - times[0],
  };
}

/** Every repair begins with the plan, at another time and on another machine. */
async function whole(jobs: number, machines: number) {
  const plan = await optimized(shopOf(jobs, machines));
  const samples: Sample[] = [];
  for (let i = 0; i < UNCOUNTED + REPAIRS; i++) {
    const { events, now } = breakdownOf(plan, i);
    const times = [performance.now()];
    const { task } = updateStatus({ schedule: plan, events, now });
    times.push(performance.now());
    const compensated = compensate(task);
    times.push(performance.now());
    judgeExecution(compensated);
    times.push(performance.now());
    const engine = createRepairEngine(plan, defaultPolicy, { method: lcrp, seed: i });
    await engine.warmUp();
    const began = performance.now();
    const result = await engine.handle(events, now);
    if (!result.judgement.executable) throw new Error('not executable');
    const took = performance.now() - began;
    if (i < UNCOUNTED) continue;
    samples.push({
      status: times[1] - times[0],
      shift: times[2] - times[1],
      judge: times[3] - times[2],
      whole: took,
      evaluations: result.evaluations,
    });
  }
  const row = {
    title: 'whole',
    operations: jobs * machines,
    samples: samples.length,
    status: percentiles(samples, 'status'),
    shift: percentiles(samples, 'shift'),
    judge: percentiles(samples, 'judge'),
    whole: percentiles(samples, 'whole'),
    evaluations: percentiles(samples, 'evaluations'),
  };
  console.log(
    `  ${`${jobs}×${machines}`.padEnd(10)} phase 0 ${show(row.status)}  phase 1 ${show(row.shift)}  judge ${show(row.judge)}  whole ${show(row.whole)}  evaluations ${row.evaluations[0]}`,
  );
  return row;
}

function breakdownOf({ instance, makespan }: Schedule, i: number) {
  const random = createRandom(deriveSeed('repair-scale', instance.name, i));
  const now = Math.round(makespan * (0.1 + 0.5 * random.next()));
  const machine = random.integer(0, instance.machines - 1);
  const to = now + Math.round(0.05 * makespan);
  return { events: [{ kind: 'breakdown' as const, machine, from: now, to }], now };
}

/** In a process of its own: the first phase 0 and 1 in it, and the first whole repair. */
async function cold(jobs: number, machines: number) {
  const plan = shopOf(jobs, machines);
  const { events, now } = breakdownOf(plan, 0);
  const times = [performance.now()];
  const { task } = updateStatus({ schedule: plan, events, now });
  times.push(performance.now());
  compensate(task);
  times.push(performance.now());
  await lcrp.repair(task, defaultPolicy, { seed: 1 });
  times.push(performance.now());
  console.log(JSON.stringify(times.slice(1).map((time, i) => time - times[i])));
}

function coldRow(size: string) {
  const file = fileURLToPath(import.meta.url);
  const samples = Array.from({ length: COLD_PROCESSES }, () => {
    const out = execFileSync(process.execPath, [file, '--cold', size], { encoding: 'utf8' });
    const [status, shift, whole] = JSON.parse(out);
    return { status, shift, whole };
  });
  const [status, shift, rest] = ['status', 'shift', 'whole'].map((key) =>
    percentiles(samples, key),
  );
  console.log(
    `  ${size}: phase 0 ${show(status)}  phase 1 ${show(shift)}  phases 1 to 3 ${show(rest)}`,
  );
  return { title: 'cold', size, samples: samples.length, status, shift, whole: rest };
}

function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function percentiles(samples: readonly Sample[], key: string) {
  const sorted = samples.map((sample) => sample[key]).sort((a, b) => a - b);
  return [0.5, 0.95, 0.99].map(
    (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))],
  );
}

function show(numbers: readonly number[]) {
  return numbers.map((number) => number.toFixed(2)).join(' / ');
}
