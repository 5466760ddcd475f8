// Shops of REALM-Bench with the disruptions that their files carry. Build first, then
//   node bench/realm.mjs 'FILES' [--plan 20k-iterations] [--recompute 100000] [--seed 1] [--out results/realm]
//                        [--methods right-shift,affected,lcrp,recompute] [--table]
// Every file is read and planned by a search of --plan; where it has disruptions, the plan is executed once
// under each method, which repairs at every instant at which something becomes known. --recompute is what a
// recompute may search at each of these instants, in iterations. One line a file and method is written to
// OUT/runs.jsonl as it is there, and tables to OUT/table.md and stdout; --table makes the tables again.
// What ends infeasible, by the validator, ends this with exit code 1. Results are kept; the files are not.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { parseArgs } from 'node:util';
import { readInstanceEvents } from 'alas-jssp/disruption';
import { boundsFor, resolveSources } from 'alas-jssp/jssp';
import { findMethod, simulate } from 'alas-jssp/lcrp';
import { optimize } from 'alas-jssp/search';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    plan: { type: 'string', default: '20k-iterations' },
    recompute: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'results/realm' },
    methods: { type: 'string', default: 'right-shift,affected,lcrp,recompute' },
    table: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const methods = values.methods.split(',');
const file = `${values.out}/runs.jsonl`;
mkdirSync(values.out, { recursive: true });
if (!values.table) {
  if (existsSync(file)) rmSync(file);
  for (const source of positionals.flatMap(resolveSources)) await measureFile(source);
}
const rows = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const tables = `${renderPlans()}\n${renderRepairs()}\n${renderKinds()}`;
writeFileSync(`${values.out}/table.md`, tables);
console.log(tables);
if (rows.some(({ feasible }) => !feasible)) process.exitCode = 1;

function keep(row) {
  appendFileSync(file, `${JSON.stringify(row)}\n`);
}

/** Plans the shop of a file, and executes the plan once under each method. */
async function measureFile(source) {
  const instance = source.load();
  const began = cpuSeconds();
  const { schedule, lowerBound: bound } = await optimize(instance, {
    budget: values.plan,
    seed,
  });
  const known = boundsFor(instance);
  const head = { set: source.suite, file: source.name, operations: instance.operations };
  const lower = Math.max(known?.lower ?? 0, bound.value);
  keep({
    ...head,
    method: 'plan',
    makespan: schedule.makespan,
    lower,
    seconds: cpuSeconds() - began,
    feasible: true,
  });
  const document = JSON.parse(readFileSync(source.path, 'utf8'));
  if (document.disruptions === undefined) return;
  const kinds = [...new Set(document.disruptions.map(({ type }) => type))].sort();
  const events = readInstanceEvents(source.path);
  for (const name of methods) {
    const start = cpuSeconds();
    const policy =
      name === 'recompute'
        ? { fallback: { degradation: 0, iterations: Number(values.recompute) } }
        : {};
    const options = { schedule, events, method: findMethod(name), policy, seed };
    const {
      finished,
      report,
      steps,
      skipped,
      repair,
      schedule: realised,
    } = await simulate(options);
    keep({
      ...head,
      kinds,
      method: name,
      planned: schedule.makespan,
      makespan: realised.makespan,
      repairs: steps.map(({ seconds }) => seconds),
      events: events.length,
      skipped: skipped.length,
      edited: repair.edited_operations,
      rank_changes: repair.rank_changes,
      seconds: cpuSeconds() - start,
      feasible: finished && report.valid,
    });
  }
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Plans of each set, also of files without disruptions. */
function renderPlans() {
  const plans = rows.filter(({ method }) => method === 'plan');
  return table(
    'Plans',
    [
      'set',
      'files',
      'operations',
      'makespan',
      'over the lower bound',
      'proven optimal',
      's a file',
    ],
    groupBy(plans, ({ set }) => set).map(([set, group]) => [
      set,
      group.length,
      span(group.map(({ operations }) => operations)),
      span(group.map(({ makespan }) => makespan)),
      `${mean(group.map(({ makespan, lower }) => 100 * (makespan / lower - 1))).toFixed(2)} %`,
      group.filter(({ makespan, lower }) => makespan === lower).length,
      mean(group.map(({ seconds }) => seconds)).toFixed(1),
    ]),
  );
}

/** Executions of each set under each method. */
function renderRepairs() {
  const header = ['set', 'method', 'files', 'feasible', 'growth', 'as planned', 'best of all'];
  header.push('edited', 'rank changes', 'repairs', 'p50 ms', 'p99 ms', 's a file');
  return table(
    'Executions',
    header,
    groupBy(executions(), ({ set, method }) => `${set} | ${method}`).map(([name, group]) => {
      const repairs = group.flatMap(({ repairs }) => repairs).sort((a, b) => a - b);
      return [
        name,
        group.length,
        group.filter(({ feasible }) => feasible).length,
        `${mean(group.map(growth)).toFixed(2)} %`,
        group.filter(({ makespan, planned }) => makespan <= planned).length,
        group.filter((row) => row.makespan === bestOf(row)).length,
        mean(group.map(({ edited }) => edited)).toFixed(0),
        mean(group.map((row) => row.rank_changes)).toFixed(0),
        repairs.length,
        (1000 * quantile(repairs, 0.5)).toFixed(1),
        (1000 * quantile(repairs, 0.99)).toFixed(0),
        mean(group.map(({ seconds }) => seconds)).toFixed(2),
      ];
    }),
  );
}

/** Growth by method for the files that have a kind of disruption, among others it may be. */
function renderKinds() {
  const runs = executions();
  const kinds = [
    ...new Set(runs.flatMap(({ set, kinds }) => kinds.map((kind) => `${set} | ${kind}`))),
  ];
  return table(
    'Growth of the makespan by what the files have, among other things',
    ['set', 'kind', 'files', ...methods],
    kinds.sort().map((name) => {
      const [set, kind] = name.split(' | ');
      const group = runs.filter((row) => row.set === set && row.kinds.includes(kind));
      const files = new Set(group.map(({ file }) => file)).size;
      const cells = methods.map((method) => {
        const mine = group.filter((row) => row.method === method);
        return `${mean(mine.map(growth)).toFixed(2)} %`;
      });
      return [name, files, ...cells];
    }),
  );
}

function executions() {
  return rows.filter(({ method }) => method !== 'plan');
}

function growth({ makespan, planned }) {
  return 100 * (makespan / planned - 1);
}

function bestOf({ set, file: name }) {
  const group = executions().filter((row) => row.set === set && row.file === name);
  return Math.min(...group.map(({ makespan }) => makespan));
}

function groupBy(list, key) {
  const groups = new Map();
  for (const item of list) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups];
}

function mean(numbers) {
  return numbers.length === 0
    ? 0
    : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function span(numbers) {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least === most ? `${least}` : `${least} to ${most}`;
}

function table(title, header, lines) {
  const rule = header.map(() => '---');
  return `### ${title}\n\n${[header, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}
