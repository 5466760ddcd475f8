// @ts-check
// A small shop floor that follows its schedule while 1,000 things happen: jobs arrive and are
// cancelled, machines break down and come back, work takes longer or shorter, material is late.
// The repair engine keeps the schedule going. Run with
//   node examples/shop-floor.mjs [--events 1000] [--seed 1]
// Ends with exit code 1 if any schedule on the way could not be executed.
import { parseArgs } from 'node:util';
import { generateRandom } from 'alas-jssp/jssp';
import { createRepairEngine, measureRepair, policy } from 'alas-jssp/lcrp';
import { dispatch } from 'alas-jssp/search';
import { validate } from 'alas-jssp/validator';

/** @typedef {import('alas-jssp/disruption').EventInput} EventInput */
/** @typedef {import('alas-jssp/jssp').Schedule} Schedule */

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
  },
});
const MACHINES = 5;
const random = createRandom(Number(values.seed));

// A repair every few minutes may take milliseconds, not more: less to spend than by default.
const quick = policy({ budget: { passes: 4, evaluations: 3000 } });
const shop = generateRandom({ jobs: 15, machines: MACHINES, seed: Number(values.seed) });
const plan = dispatch(shop, { rule: 'mwkr' });
const engine = createRepairEngine(plan, quick, { tooLate: 'skip' });

/** @type {Record<string, number>} */
const happened = {};
/** @type {number[]} */
const latencies = [];
const sums = { before: 0, compensated: 0, final: 0, edited: 0, skipped: 0 };
let isFeasible = true;
let now = 0;
for (let i = 0; i < Number(values.events); i++) {
  now += whole(0, 10);
  const event = whatHappens(engine.schedule, now);
  const began = performance.now();
  const result = await engine.handle([event], now);
  latencies.push(performance.now() - began);
  sums.skipped += result.applied.skipped.length;
  if (result.applied.events.length > 0) happened[event.kind] = (happened[event.kind] ?? 0) + 1;
  isFeasible &&= result.judgement.executable;
  const { makespan, edited_operations } = measureRepair(result);
  sums.before += makespan.before;
  sums.compensated += makespan.compensated ?? makespan.final;
  sums.final += makespan.final;
  sums.edited += edited_operations;
}
// The last schedule holds the whole history: every start that was ever frozen.
const { valid, makespan } = validate(engine.instance, engine.schedule);
report();
if (!valid || !isFeasible) process.exitCode = 1;

/**
 * One event that fits what the shop is doing.
 *
 * @param {Schedule} schedule
 * @param {number} now
 * @returns {EventInput}
 */
function whatHappens({ instance, start, end }, now) {
  const choice = random();
  const machine = whole(0, MACHINES - 1);
  const open = [...start.keys()].filter((op) => end[op] > now);
  if (choice < 0.2 || open.length === 0) return { kind: 'arrival', job: newJob(now) };
  if (choice < 0.4) {
    const from = now + whole(0, 20);
    return { kind: 'breakdown', machine, from, to: from + whole(5, 60), resumable: random() < 0.7 };
  }
  if (choice < 0.5) return { kind: 'restored', machine };
  const op = open[whole(0, open.length - 1)];
  const job = instance.jobOf[op];
  const step = op - instance.jobOffset[job];
  if (choice < 0.75) return { kind: 'duration', job, step, factor: 0.7 + 0.7 * random() };
  if (choice < 0.97)
    return { kind: 'delay', job, step, until: Math.max(now, start[op]) + whole(1, 40) };
  return { kind: 'cancellation', job };
}

/** @param {number} release */
function newJob(release) {
  const operations = Array.from({ length: whole(2, 4) }, () => ({
    machine: whole(0, MACHINES - 1),
    duration: whole(5, 60),
  }));
  return { operations, release };
}

function report() {
  const share = (/** @type {number} */ value) => {
    const percent = 100 * (value / sums.before - 1);
    return `${percent < 0 ? '' : '+'}${percent.toFixed(3)} %`;
  };
  const kinds = Object.entries(happened).map(([kind, count]) => `${count} ${kind}`);
  console.log(`${latencies.length} events: ${kinds.join(', ')}; ${sums.skipped} came too late`);
  console.log(`feasible all along: ${isFeasible && valid ? 'yes' : 'no'}`);
  console.log(`makespan: planned ${plan.makespan}, in the end ${makespan}, with all that arrived`);
  console.log(
    `degradation by event: ${share(sums.final)}, by right-shifting alone ${share(sums.compensated)}`,
  );
  console.log(`edited operations by event: ${(sums.edited / latencies.length).toFixed(1)}`);
  const [p50, p99] = [0.5, 0.99].map((rank) => percentile(rank).toFixed(1));
  console.log(`latency: p50 ${p50} ms, p99 ${p99} ms`);
}

/** @param {number} rank */
function percentile(rank) {
  const sorted = latencies.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(rank * sorted.length))];
}

/**
 * @param {number} least
 * @param {number} most
 */
function whole(least, most) {
  return least + Math.floor(random() * (most - least + 1));
}

/**
 * Marsaglia's xorshift, so that equal seeds make equal days (doi:10.18637/jss.v008.i14).
 *
 * @param {number} seed
 */
function createRandom(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
