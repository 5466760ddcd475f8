// What becomes of recorded answers of models: all of a folder are decoded, judged, repaired and, with
// a budget, optimized. Usage:
//   npm run bench -- corpus FOLDER [--optimize 2] [--answers]
// One row for each topology and model; --answers prints one for each answer instead. Ends with exit
// code 1 if anything throws, or is not repaired to feasible.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { decodePlan } from 'alas-jssp/internal/lab';
import { resolveSource } from 'alas-jssp/jssp';
import { repairPlan } from 'alas-jssp/lcrp';
import { optimize } from 'alas-jssp/search';
import { validate } from 'alas-jssp/validator';

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

/** Sums over the answers of one model and topology. */
interface CorpusRow {
  name: string;
  answers: number;
  withEntries: number;
  entries: number;
  coverage: number;
  feasible: number;
  repaired: number;
  gapRepaired: number;
  gapOptimized: number;
  errors: number;
  violations: Record<string, number>;
}

interface RecordedAnswer {
  id: string;
  topology: string;
  model: string;
  instance: string;
  response: string;
}

const rows = new Map<string, CorpusRow>();
const seen = new Set<string>();
for (const file of readdirSync(folder).toSorted()) {
  if (!file.endsWith('.jsonl')) continue;
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  for (const line of lines.filter((text) => text.trim() !== '')) {
    const transcript: RecordedAnswer = JSON.parse(line);
    const { id, topology, model } = transcript;
    const name = values.answers ? id : `${topology} ${model}`;
    const row = rows.get(name) ?? newRow(name);
    rows.set(name, row);
    row.answers++;
    try {
      await follow(row, transcript);
    } catch (error) {
      row.errors++;
      console.error(`${id}: ${error instanceof Error ? error.stack : error}`);
    }
  }
}
report();

/** Follows one answer from its text to its schedule. */
async function follow(row: CorpusRow, { instance: name, response }: RecordedAnswer) {
  const source = resolveSource(name);
  const instance = source.load();
  const { bounds } = source;
  if (bounds === null) throw new Error(`${name} has no known bounds`);
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
  const gap = ({ makespan }: { makespan: number }) => makespan / bounds.upper - 1;
  row.gapRepaired += gap(repair.schedule);
  if (seconds === 0) return;
  const { schedule } = await optimize(instance, {
    start: repair.schedule,
    budget: { seconds },
    seed: 0,
  });
  row.gapOptimized += gap(schedule);
}

function newRow(name: string): CorpusRow {
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
  const mean = (sum: number, { answers }: CorpusRow) => ((100 * sum) / answers).toFixed(1);
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

function print(titles: readonly string[], lines: readonly (readonly unknown[])[]) {
  const rule = titles.map((_, i) => (i === 0 ? '---' : '---:'));
  for (const line of [titles, rule, ...lines]) console.log(`| ${line.join(' | ')} |`);
}
