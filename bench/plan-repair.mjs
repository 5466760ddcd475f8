// Proof that every faulty plan is repaired: all 242 instances × each fault class × 20 faults, and
// 20 plans with a fault of every class at once, and an empty plan. Build first, then
//   node bench/plan-repair.mjs [--suite ft,la] [--faults 20] [--reordered 1]
// The instances have releases, downtimes, deadlines and a past; the plans come from a random rule.
// The first plans of each class are also reordered (phases 2 and 3), which takes most of the time.
// Ends with exit code 1 if anything is not repaired to feasible.
import { parseArgs } from 'node:util';
import { resolveSources } from 'alas-jssp/jssp';
import { validate } from 'alas-jssp/validator';
import { createRandom, deriveSeed } from '../dist/core/random.js';
import { planPolicy } from '../dist/lcrp/plan-reordering.js';
import { repairPlan } from '../dist/lcrp/plan-repair.js';
import { equip, everyFault, faults } from './faults.mjs';

const { values } = parseArgs({
  options: {
    suite: { type: 'string', default: 'all' },
    faults: { type: 'string', default: '20' },
    reordered: { type: 'string', default: '1' },
  },
});
const perClass = Number(values.faults);
const classes = {
  ...Object.fromEntries(
    Object.entries(faults).map(([name, inject]) => [name, (...args) => inject(...args).plan]),
  ),
  'every fault at once': everyFault,
  empty: () => ({ entries: [] }),
};

const sources = resolveSources(values.suite);
const rows = Object.keys(classes).map((name) => ({
  name,
  plans: 0,
  repaired: 0,
  coverage: 0,
  kept: 0,
  least: 1,
  seconds: 0,
  reordered: { plans: 0, kept: 0, rebuilt: 0, makespan: 0, seconds: 0 },
}));
for (const source of sources) {
  const random = createRandom(deriveSeed('plan repair', source.name));
  const { instance, valid } = equip(source.load(), random);
  for (const row of rows) {
    const count = row.name === 'empty' ? 1 : perClass;
    for (let i = 0; i < count; i++) {
      const plan = classes[row.name](instance, valid, random);
      await rebuildOne(row, instance, plan, source.name);
      if (i < Number(values.reordered)) await reorderOne(row, instance, plan, source.name);
    }
  }
}
report();

async function rebuildOne(row, instance, plan, name) {
  const policy = { ...planPolicy, budget: { ...planPolicy.budget, rounds: 0 } };
  const { keptOrder, seedCoverage, seconds } = await repairOne(row, instance, plan, policy, name);
  row.seconds += seconds;
  row.plans++;
  row.coverage += seedCoverage;
  row.kept += keptOrder ?? 1;
  row.least = Math.min(row.least, keptOrder ?? 1);
}

async function reorderOne(row, instance, plan, name) {
  const sums = row.reordered;
  const { keptOrder, rebuilt, schedule, seconds } = await repairOne(
    row,
    instance,
    plan,
    planPolicy,
    name,
  );
  sums.plans++;
  sums.kept += keptOrder ?? 1;
  sums.rebuilt += rebuilt.makespan;
  sums.makespan += schedule.makespan;
  sums.seconds += seconds;
}

async function repairOne(row, instance, plan, policy, name) {
  const began = performance.now();
  const repair = await repairPlan(instance, plan, { seed: 0 }, policy);
  const seconds = (performance.now() - began) / 1000;
  const { valid, violations } = validate(instance, repair.schedule);
  const isWorse = repair.schedule.makespan > repair.rebuilt.makespan;
  if (valid && !isWorse) row.repaired++;
  else console.error(`${name}, ${row.name}: ${isWorse ? 'worse' : violations[0].message}`);
  return { ...repair, seconds };
}

function report() {
  const percent = (share) => (100 * share).toFixed(2).padStart(6);
  const ms = ({ seconds, plans }) => ((1000 * seconds) / plans).toFixed(2).padStart(7);
  console.log(
    `${sources.length} instances; coverage, kept order and change of makespan in percent`,
  );
  console.log('                                              | reordered');
  console.log(
    ' plans  repaired  coverage    kept   least      ms  | plans    kept  change      ms  fault',
  );
  for (const row of rows) {
    const { name, plans, repaired, coverage, kept, least, reordered } = row;
    const means = [coverage / plans, kept / plans, least].map(percent).join('  ');
    const changes = [reordered.kept / reordered.plans, reordered.makespan / reordered.rebuilt - 1];
    console.log(
      `${String(plans).padStart(6)}  ${String(repaired).padStart(8)}    ${means} ${ms(row)}  | ${String(reordered.plans).padStart(5)}  ${changes.map(percent).join('  ')} ${ms(reordered)}  ${name}`,
    );
  }
  if (rows.some(({ plans, repaired, reordered }) => repaired < plans + reordered.plans)) {
    process.exitCode = 1;
  }
}
