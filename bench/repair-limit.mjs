// How well a repair keeps its limit of time: `budget.seconds` of the policy bounds the whole of it. Build
// first, then
//   node bench/repair-limit.mjs [--quick] [--cpu] [--shops 10x10,100x20] [--limits 5,10] [--json FILE]
// Each engine is warmed up and then repairs a few events, its first among the counted. The searches would go on
// for much longer than any limit. Milliseconds on the clock, and of the processor (of this process, whose
// garbage collector works beside it); "floor" is a repair without rounds: status, compensation and
// verdict. With --cpu all clocks are that of the processor: for a machine that does other things, too.
import { parseArgs } from 'node:util';
import { generateTaillard, replaceInstance } from 'alas-jssp/jssp';
import { createRepairEngine } from 'alas-jssp/lcrp';
import { dispatch } from 'alas-jssp/search';
import { createRandom } from '../dist/core/random.js';
import { save } from './measure.mjs';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    shops: { type: 'string', default: '10x10,20x15,50x20,100x20' },
    limits: { type: 'string', default: '5,10,20,50' },
    cpu: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
if (values.cpu) performance.now = processorTime;
const REPAIRS = values.quick ? 60 : 500;
const EVENTS = 5;
const ENDLESS = { rounds: 10_000, evaluations: 2_000_000_000 };
/** Policies that find ways to take long. */
const POLICIES = {
  makespan: {},
  tardiness: { objective: 'total-weighted-tardiness' },
  fallback: { fallback: { degradation: 0, iterations: 10_000_000 } },
  edits: { limits: { mostEdited: 40 } },
};

const shops = values.shops.split(',').map((shop) => shop.split('x').map(Number));
const rows = [];
console.log(
  'limit  policy      shop      repairs    wall p50     p99   worst   cpu p99  within 1.2',
);
for (const limit of values.limits.split(',').map(Number)) {
  for (const [name, changes] of Object.entries(POLICIES)) {
    const samples = [];
    for (const shop of shops) {
      const own = await series(shop, limit, changes, Math.ceil(REPAIRS / shops.length));
      report(limit, name, shop.join('×'), own);
      samples.push(...own);
    }
    report(limit, name, 'all', samples);
  }
}
for (const shop of shops) {
  const own = await series(shop, null, { budget: { rounds: 0 } }, values.quick ? 30 : 200);
  report(null, 'floor', shop.join('×'), own);
}
save(rows);

async function series([jobs, machines], limit, changes, repairs) {
  const samples = [];
  for (let seed = 1; samples.length < repairs; seed++) {
    const instance = withDueDates(
      generateTaillard({ jobs, machines, timeSeed: seed, machineSeed: seed + 500 }),
    );
    const plan = dispatch(instance, { rule: 'mwkr' });
    const budget = { ...ENDLESS, seconds: limit === null ? null : limit / 1000 };
    const engine = createRepairEngine(plan, { budget, ...changes }, { seed });
    await engine.warmUp();
    const random = createRandom(seed);
    for (let i = 1; i <= EVENTS && samples.length < repairs; i++) {
      const now = Math.round((plan.makespan * i) / (EVENTS + 4));
      const event = eventAt(engine, random, i, now, plan.makespan);
      samples.push(await timed(engine, [event], now));
    }
  }
  return samples;
}

/** Due dates that half of the jobs miss. */
function withDueDates(instance) {
  const { jobs, jobOffset, duration } = instance;
  const { end } = dispatch(instance, { rule: 'mwkr' });
  const due = Int32Array.from({ length: jobs }, (_, job) => {
    const work = duration.slice(jobOffset[job], jobOffset[job + 1]).reduce((a, b) => a + b, 0);
    return Math.max(work, Math.round(end[jobOffset[job + 1] - 1] * (0.8 + 0.4 * (job % 2))));
  });
  return replaceInstance(instance, { due });
}

function eventAt({ instance }, random, i, now, makespan) {
  const machine = random.integer(0, instance.machines - 1);
  const to = now + Math.round(makespan * 0.05);
  if (i % 3 !== 0) return { kind: 'breakdown', machine, from: now, to, resumable: i % 2 === 0 };
  const operations = Array.from({ length: instance.machines }, (_, machine) => ({
    machine,
    duration: 20,
  }));
  return { kind: 'arrival', job: { name: `new ${i}`, operations, release: now } };
}

async function timed(engine, events, now) {
  const cpu = processorTime();
  const began = performance.now();
  try {
    const { judgement } = await engine.handle(events, now);
    if (!judgement.executable) throw new Error('not executable');
  } catch (error) {
    // Too few edits: that has to be found out in time, too.
    if (error.code !== 'too_few_edits') throw error;
  }
  const wall = performance.now() - began;
  return { wall, cpu: processorTime() - cpu };
}

/** Milliseconds of the processor that this process has used. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function report(limit, policy, shop, samples) {
  const quantile = (key, share) => {
    const sorted = samples.map((one) => one[key]).toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
  };
  const within = samples.filter(({ wall }) => wall <= 1.2 * limit).length / samples.length;
  const row = {
    title: 'limit of time',
    limit_ms: limit,
    policy,
    shop,
    repairs: samples.length,
    wall_p50: quantile('wall', 0.5),
    wall_p99: quantile('wall', 0.99),
    wall_worst: quantile('wall', 1),
    cpu_p99: quantile('cpu', 0.99),
    share_within: limit === null ? null : within,
  };
  rows.push(row);
  const number = (value) => value.toFixed(2).padStart(8);
  console.log(
    `${String(limit ?? '–').padStart(5)}  ${policy.padEnd(10)}  ${shop.padEnd(8)} ${String(samples.length).padStart(8)}    ${number(row.wall_p50)}${number(row.wall_p99)}${number(row.wall_worst)}  ${number(row.cpu_p99)}  ${limit === null ? '' : `${(100 * within).toFixed(1)} %`}`,
  );
}
