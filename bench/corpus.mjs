// What becomes of recorded answers of models: all of a folder are decoded, judged, repaired and, with
// a budget, optimized. Build first, then
//   node bench/corpus.mjs FOLDER [--optimize 2] [--answers]
// One row for each topology and model; --answers prints one for each answer instead. Ends with exit
// code 1 if anything throws, or is not repaired to feasible.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { resolveSource } from 'alas-jssp/jssp';
import { repairPlan } from 'alas-jssp/lcrp';
import { optimize } from 'alas-jssp/search';
import { validate } from 'alas-jssp/validator';
import { decodePlan } from '../dist/llm/decoding/decode-plan.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    optimize: { type: 'string', default: '2' },
    answers: { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('name the folder with the *.jsonl files');
const seconds = Number(values.optimize);

const rows = new Map();
const seen = new Set();
for (const file of readdirSync(folder).toSorted()) {
  if (!file.endsWith('.jsonl')) continue;
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  for (const line of lines.filter((text) => text.trim() !== '')) {
    const transcript = JSON.parse(line);
    const { id, topology, model } = transcript;
    const name = values.answers ? id : `${topology} ${model}`;
    if (!rows.has(name)) rows.set(name, newRow(name));
    const row = rows.get(name);
    row.answers++;
    try {
      await follow(row, transcript);
    } catch (error) {
      row.errors++;
      console.error(`${id}: ${error.stack}`);
    }
  }
}
report();

/** Follows one answer from its text to its schedule. */
async function follow(row, { instance: name, response }) {
  const source = resolveSource(name);
  const instance = source.load();
  const { plan } = decodePlan(response, instance);
  if (plan.entries.length > 0) row.withEntries++;
  row.entries += plan.entries.length;
  const report = validate(instance, plan);
  if (report.valid) row.feasible++;
  for (const [code, count] of Object.entries(report.counts)) {
    if (count === 0) continue;
    row.violations[code] = (row.violations[code] ?? 0) + count;
    seen.add(code);
  }
  const repair = await repairPlan(instance, plan, { seed: 0 });
  row.coverage += repair.seedCoverage;
  if (validate(instance, repair.schedule).valid) row.repaired++;
  const gap = ({ makespan }) => makespan / source.bounds.upper - 1;
  row.gapRepaired += gap(repair.schedule);
  if (seconds === 0) return;
  const { schedule } = await optimize(instance, {
    start: repair.schedule,
    budget: { seconds },
    seed: 0,
  });
  row.gapOptimized += gap(schedule);
}

function newRow(name) {
  return {
    name,
    answers: 0,
    withEntries: 0,
    entries: 0,
    coverage: 0,
    feasible: 0,
    repaired: 0,
    gapRepaired: 0,
    gapOptimized: 0,
    errors: 0,
    violations: {},
  };
}

function report() {
  const list = [...rows.values()];
  const mean = (sum, { answers }) => ((100 * sum) / answers).toFixed(1);
  console.log(
    'Coverage and gaps in percent, means over the answers; gaps to the best known bound.\n',
  );
  print(
    [
      'answers of',
      'n',
      'with entries',
      'entries',
      'coverage',
      'feasible',
      'repaired',
      'gap after repair',
      `gap after ${seconds} s of search`,
    ],
    list.map((row) => [
      row.name,
      row.answers,
      row.withEntries,
      row.entries,
      mean(row.coverage, row),
      row.feasible,
      row.repaired,
      mean(row.gapRepaired, row),
      seconds === 0 ? '' : mean(row.gapOptimized, row),
    ]),
  );
  const codes = [...seen].toSorted();
  console.log('\nViolations of the answers:\n');
  print(
    ['answers of', ...codes],
    list.map((row) => [row.name, ...codes.map((code) => row.violations[code] ?? 0)]),
  );
  if (list.some(({ answers, repaired, errors }) => errors > 0 || repaired < answers)) {
    process.exitCode = 1;
  }
}

function print(titles, lines) {
  const rule = titles.map((_, i) => (i === 0 ? '---' : '---:'));
  for (const line of [titles, rule, ...lines]) console.log(`| ${line.join(' | ')} |`);
}
