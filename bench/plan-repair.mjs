// Proof that every faulty plan is repaired: all 242 instances × each fault class × 20 faults, and
// 20 plans with a fault of every class at once, and an empty plan. Build first, then
//   node bench/plan-repair.mjs [--suite ft,la] [--faults 20]
// The instances have releases, downtimes, deadlines and a past; the plans come from a random rule.
// Ends with exit code 1 if anything is not repaired to feasible.
import { parseArgs } from 'node:util';
import { resolveSources } from 'alas-jssp/jssp';
import { validate } from 'alas-jssp/validator';
import { createRandom, deriveSeed } from '../dist/core/random.js';
import { repairPlan } from '../dist/lcrp/plan-repair.js';
import { equip, everyFault, faults } from './faults.mjs';

const { values } = parseArgs({
  options: {
    suite: { type: 'string', default: 'all' },
    faults: { type: 'string', default: '20' },
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
const rows = Object.keys(classes).map((name) => {
  return { name, plans: 0, repaired: 0, coverage: 0, kept: 0, least: 1, seconds: 0 };
});
for (const source of sources) {
  const random = createRandom(deriveSeed('plan repair', source.name));
  const { instance, valid } = equip(source.load(), random);
  for (const row of rows) {
    const count = row.name === 'empty' ? 1 : perClass;
    for (let i = 0; i < count; i++) {
      await repairOne(row, instance, classes[row.name](instance, valid, random), source.name);
    }
  }
}
report();

async function repairOne(row, instance, plan, name) {
  const began = performance.now();
  const { schedule, seedCoverage, keptOrder } = await repairPlan(instance, plan, { seed: 0 });
  row.seconds += (performance.now() - began) / 1000;
  row.plans++;
  const { valid, violations } = validate(instance, schedule);
  if (valid) row.repaired++;
  else console.error(`${name}, ${row.name}: ${violations[0].message}`);
  row.coverage += seedCoverage;
  row.kept += keptOrder ?? 1;
  row.least = Math.min(row.least, keptOrder ?? 1);
}

function report() {
  const percent = (share) => (100 * share).toFixed(2).padStart(6);
  console.log(`${sources.length} instances; coverage and kept order in percent`);
  console.log('plans  repaired  coverage  kept  least   ms  fault');
  for (const { name, plans, repaired, coverage, kept, least, seconds } of rows) {
    const means = [coverage / plans, kept / plans, least].map(percent).join('  ');
    const ms = ((1000 * seconds) / plans).toFixed(2);
    console.log(
      `${String(plans).padStart(5)}  ${String(repaired).padStart(8)}  ${means}  ${ms}  ${name}`,
    );
  }
  if (rows.some(({ plans, repaired }) => repaired < plans)) process.exitCode = 1;
}
