// A worker of bench/repair.mjs: repairs all cases of one instance and answers with one row a repair.
import { readFileSync, writeFileSync } from 'node:fs';
import { injectEvents } from 'alas-jssp/disruption';
import { createSchedule, findBenchmark } from 'alas-jssp/jssp';
import {
  compensate,
  createRepairEngine,
  defaultPolicy,
  findMethod,
  measureRepair,
  policies,
  policy,
  simulate,
  updateStatus,
} from 'alas-jssp/lcrp';
import { optimize } from 'alas-jssp/search';
import { validate } from 'alas-jssp/validator';
import { createRandom } from '../dist/core/random.js';
import { deriveSeed } from '../dist/core/seed.js';
import { recomputeRemainder } from '../dist/lcrp/phases/fallback.js';

/** Prices of a changed place between which the fronts are drawn; the two named policies among them. */
const PRICES = [0, 0.00005, 0.0002, 0.0005, 0.001, 0.003];

/** Method and policy by the names in the tables. */
const BASELINES = ['right-shift', 'affected', 'dispatch'].map((name) => [
  name,
  findMethod(name),
  defaultPolicy,
]);
const FRONT = PRICES.map((price) => [labelOf(price), findMethod('lcrp'), priced(price)]);
const NAMED = FRONT.filter(([label]) => !label.includes('price'));

function labelOf(price) {
  if (price === defaultPolicy.cost.rankChange) return 'lcrp';
  if (price === policies['high-stability'].cost.rankChange) return 'lcrp, high-stability';
  return `lcrp, price ${price}`;
}

function priced(rankChange) {
  return policy({ cost: { rankChange } });
}

process.on('message', async (task) => process.send(await rowsOf(task)));

let isWarm = false;

async function rowsOf({ part, name, ...settings }) {
  const instance = findBenchmark(name).load();
  const schedule = await planned(name, instance, settings);
  if (!isWarm) createRepairEngine(schedule);
  isWarm = true;
  const rows = part === 'sample' ? sampleRows : severityRows;
  const shared = { schema: 'alas-jssp/repair-bench@1', part, instance: name };
  const { operations } = instance;
  return (await rows(name, schedule, settings)).map((row) => {
    return { ...shared, operations, ...row, commit: settings.commit };
  });
}

/** One breakdown, repaired by every method and at length. */
async function sampleRows(name, schedule, settings) {
  const rows = [];
  for (let replicate = 0; replicate < settings.sampleReplicates; replicate++) {
    const breakdown = breakdownOf(name, schedule, replicate);
    const execution = { schedule, events: [breakdown], now: breakdown.from };
    const { task, before } = updateStatus(execution);
    const note = (method, repaired, ms) => {
      if (!validate(task.instance, repaired.schedule).valid) {
        throw new Error(`${name}, breakdown ${replicate}, ${method}: not feasible`);
      }
      const metrics = measureRepair({ task, before, ...repaired });
      rows.push({ severity: 'breakdown', replicate, method, ms: [ms], ...figuresOf(metrics) });
    };
    const compensated = timed(() => compensate(task));
    note('phase 1', asRepaired(compensated.result), compensated.ms);
    for (const [label, method, rules] of [...BASELINES, ...FRONT]) {
      const { result, ms } = timed(() => method.repair(task, rules, { seed: replicate }));
      note(label, result, ms);
    }
    const found = await recomputed(`${name}-${replicate}`, task, compensated.result, settings);
    note('recompute', asRepaired(found), 1000 * settings.recomputeSeconds);
  }
  return rows;
}

/** All that happens within 5 % of the makespan from some event on, repaired as it happens. */
async function severityRows(name, schedule, { replicates }) {
  const { instance, makespan } = schedule;
  const rows = [];
  for (const severity of ['light', 'medium', 'heavy']) {
    for (let replicate = 0; replicate < replicates; replicate++) {
      const seed = deriveSeed('repair-bench', name, severity, replicate);
      const from = makespan * (0.1 + 0.6 * createRandom(seed).next());
      const all = injectEvents({ instance, severity, seed, reference: makespan });
      const first = all.find(({ at }) => at >= from)?.at ?? from;
      const events = all.filter(({ at }) => at >= first && at <= first + 0.05 * makespan);
      for (const [method, repairMethod, rules] of [...BASELINES, ...NAMED]) {
        const settings = { method: repairMethod, policy: rules, seed };
        const run = await simulate({ schedule, events, ...settings });
        if (!run.report.valid) {
          throw new Error(`${name}, ${severity} ${replicate}, ${method}: not feasible`);
        }
        const ms = run.steps.map(({ seconds }) => Number((1000 * seconds).toFixed(3)));
        const shared = { severity, replicate, method, ms, events: events.length };
        rows.push({ ...shared, ...totalsOf(run) });
      }
    }
  }
  return rows;
}

/** One machine that is down for 5 % of the makespan, some time in the first 60 % of it. */
function breakdownOf(name, { instance, makespan }, replicate) {
  const random = createRandom(deriveSeed('repair-bench', name, replicate));
  const from = Math.round(makespan * (0.1 + 0.5 * random.next()));
  const machine = random.integer(0, instance.machines - 1);
  const resumable = random.next() < 0.8;
  return { kind: 'breakdown', machine, from, to: from + Math.round(0.05 * makespan), resumable };
}

async function planned(name, instance, { plans }) {
  const start = await kept(`${plans}/${name}.json`, async () => {
    const { schedule } = await optimize(instance, { budget: '2s', seed: 1 });
    return [...schedule.start];
  });
  return createSchedule(instance, Int32Array.from(start));
}

/** As starts: what the search of some seconds over everything free came to. */
async function recomputed(key, task, compensated, { plans, recomputeSeconds }) {
  const start = await kept(`${plans}/${key}-${recomputeSeconds}s.json`, async () => {
    const signal = AbortSignal.timeout(1000 * recomputeSeconds);
    const context = { seed: 0, signal };
    const found = await recomputeRemainder(task, compensated, defaultPolicy, 1e12, context);
    return [...found.start];
  });
  return createSchedule(task.instance, Int32Array.from(start));
}

async function kept(file, compute) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    const result = await compute();
    writeFileSync(file, JSON.stringify(result));
    return result;
  }
}

function asRepaired(schedule) {
  return {
    schedule,
    phase: 'compensation',
    neighbourhood: null,
    evaluations: 0,
    compensated: null,
    reordered: null,
  };
}

function timed(work) {
  const began = performance.now();
  const result = work();
  return { result, ms: performance.now() - began };
}

function figuresOf({ makespan, ...metrics }) {
  return {
    planned_makespan: makespan.before,
    makespan: makespan.final,
    edited_operations: metrics.edited_operations,
    edited_fraction: metrics.edited_fraction,
    rank_changes: metrics.rank_changes,
    shift_mean: metrics.shift_mean,
    kendall: metrics.kendall,
    match_up: metrics.match_up,
    phase: metrics.phase,
    evaluations: metrics.evaluations,
  };
}

/** Sums over the repairs of one execution, and the realised schedule beside the plan. */
function totalsOf({ steps, totals, repair, outcome }) {
  const matchUps = steps.map(({ metrics }) => metrics.match_up);
  return {
    planned_makespan: outcome.makespan.planned,
    makespan: outcome.makespan.realised,
    edited_operations: repair.edited_operations,
    edited_fraction: meanOf(steps.map(({ metrics }) => metrics.edited_fraction)),
    rank_changes: repair.rank_changes,
    shift_mean: outcome.shift_mean,
    kendall: outcome.kendall,
    match_up: meanOf(matchUps),
    evaluations: totals.evaluations,
  };
}

function meanOf(numbers) {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
}
