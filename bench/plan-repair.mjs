// Proof that every faulty plan is repaired: all 242 instances × each fault class × 20 faults, and
// 20 plans with a fault of every class at once, and an empty plan. Build first, then
//   node bench/plan-repair.mjs [--suite ft,la] [--faults 20] [--reordered 1] [--out results/plans]
// The instances have releases, downtimes, deadlines and a past; the plans come from a random rule.
// The first plans of each class are also reordered (phases 2 and 3), which takes most of the time.
// One line an instance is appended to OUT/plans.jsonl; what this commit has done with the same numbers
// of faults is not done again. The table is of all these lines, whatever suites they belong to.
// Ends with exit code 1 if anything is not repaired to feasible.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { resolveSources } from 'alas-jssp/jssp';
import { policy } from 'alas-jssp/lcrp';
import { validate } from 'alas-jssp/validator';
import { createRandom } from '../dist/core/random.js';
import { deriveSeed } from '../dist/core/seed.js';
import { planPolicy, repairPlan } from '../dist/lcrp/plan/repair-plan.js';
import { equip, everyFault, faults } from './faults.mjs';
import { describeCommit } from './measure.mjs';

const { values } = parseArgs({
  options: {
    suite: { type: 'string', default: 'all' },
    faults: { type: 'string', default: '20' },
    reordered: { type: 'string', default: '1' },
    out: { type: 'string', default: 'results/plans' },
  },
});
const settings = {
  schema: 'alas-jssp/plan-bench@1',
  commit: describeCommit(),
  faults: Number(values.faults),
  reordered: Number(values.reordered),
};
const classes = {
  ...Object.fromEntries(
    Object.entries(faults).map(([name, inject]) => [name, (...args) => inject(...args).plan]),
  ),
  'every fault at once': everyFault,
  empty: () => ({ entries: [] }),
};

const file = `${values.out}/plans.jsonl`;
mkdirSync(values.out, { recursive: true });
const rows = finishedRows();
const isDone = new Set(rows.map(({ instance }) => instance));
for (const source of resolveSources(values.suite)) {
  if (isDone.has(source.name)) continue;
  const row = { ...settings, instance: source.name, classes: await repairAll(source) };
  appendFileSync(file, `${JSON.stringify(row)}\n`);
  rows.push(row);
}
report();

function finishedRows() {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line))
    .filter((row) => Object.entries(settings).every(([key, value]) => row[key] === value));
}

/** Sums over the plans of one instance, for each class of faults. */
async function repairAll(source) {
  const random = createRandom(deriveSeed('plan repair', source.name));
  const { instance, valid } = equip(source.load(), random);
  const all = {};
  for (const [name, inject] of Object.entries(classes)) {
    const rebuilt = { plans: 0, repaired: 0, coverage: 0, kept: 0, least: 1, seconds: 0 };
    const reordered = { plans: 0, repaired: 0, kept: 0, rebuilt: 0, makespan: 0, seconds: 0 };
    const count = name === 'empty' ? 1 : settings.faults;
    for (let i = 0; i < count; i++) {
      const plan = inject(instance, valid, random);
      const title = `${source.name}, ${name}`;
      await rebuildOne(rebuilt, instance, plan, title);
      if (i < settings.reordered) await reorderOne(reordered, instance, plan, title);
    }
    all[name] = { rebuilt, reordered };
  }
  return all;
}

async function rebuildOne(sums, instance, plan, title) {
  const rebuildOnly = policy(planPolicy, { budget: { rounds: 0 } });
  const { keptOrder, seedCoverage } = await repairOne(sums, instance, plan, rebuildOnly, title);
  sums.coverage += seedCoverage;
  sums.kept += keptOrder ?? 1;
  sums.least = Math.min(sums.least, keptOrder ?? 1);
}

async function reorderOne(sums, instance, plan, title) {
  const repair = await repairOne(sums, instance, plan, planPolicy, title);
  const { keptOrder, rebuilt, schedule } = repair;
  sums.kept += keptOrder ?? 1;
  sums.rebuilt += rebuilt.makespan;
  sums.makespan += schedule.makespan;
}

async function repairOne(sums, instance, plan, policy, title) {
  const began = performance.now();
  const repair = await repairPlan(instance, plan, { seed: 0 }, policy);
  sums.seconds += (performance.now() - began) / 1000;
  sums.plans++;
  const { valid, violations } = validate(instance, repair.schedule);
  const isWorse = repair.schedule.makespan > repair.rebuilt.makespan;
  if (valid && !isWorse) sums.repaired++;
  else console.error(`${title}: ${isWorse ? 'worse' : violations[0].message}`);
  return repair;
}

/** The sums of one class over all rows. */
function total(name, kind) {
  const sums = {};
  for (const { classes: all } of rows) {
    for (const [key, value] of Object.entries(all[name][kind])) {
      sums[key] = key === 'least' ? Math.min(sums[key] ?? 1, value) : (sums[key] ?? 0) + value;
    }
  }
  return sums;
}

function report() {
  const percent = (share) => `${(100 * share).toFixed(2)} %`;
  const ms = ({ seconds, plans }) => ((1000 * seconds) / plans).toFixed(2);
  const line = (cells) => console.log(`| ${cells.join(' | ')} |`);
  console.log(`${rows.length} instances\n`);
  line([
    ...['fault', 'plans', 'repaired', 'coverage', 'kept', 'least', 'ms'],
    ...['reordered', 'repaired', 'kept', 'makespan', 'ms'],
  ]);
  line(['---', ...Array(11).fill('---:')]);
  for (const name of Object.keys(classes)) {
    const [all, some] = [total(name, 'rebuilt'), total(name, 'reordered')];
    const { plans, repaired } = all;
    const means = [all.coverage / plans, all.kept / plans, all.least].map(percent);
    const changes = [some.kept / some.plans, some.makespan / some.rebuilt - 1].map(percent);
    line([
      ...[name, plans, repaired, ...means, ms(all)],
      ...[some.plans, some.repaired, ...changes, ms(some)],
    ]);
    if (repaired + some.repaired < plans + some.plans) process.exitCode = 1;
  }
}
