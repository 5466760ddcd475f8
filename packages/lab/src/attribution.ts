// Who made the final schedules: attributions of a rule, an insertion heuristic, random and degraded plans on the classic
// suites, and of recorded answers of models. Usage:
//   npm run bench -- attribution [--out DIR] [--answers FOLDER] [--workers 1] [--only NAME]
// Writes one JSON file for each case, with the rows of the report but without records. Budgets are iterations, so equal
// commands give equal files.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { attribution, type RunSpec, runBenchmark } from 'alas-jssp/harness';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'results/reference/attribution' },
    answers: { type: 'string' },
    workers: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});

const CLASSIC = 'ft,la,abz,orb,swv,yn,ta,dmu';
const SMALL = 'ft,la,abz,orb,swv,yn';
const PLANNERS = [
  'dispatch:best',
  'insertion',
  'degraded:0.05',
  'degraded:0.5',
  'random-order=module:examples/planners/random-order.mjs',
];

interface AttributionCase {
  readonly name: string;
  readonly spec: RunSpec;
}

const cases: AttributionCase[] = [
  { name: 'classic-repair-only', spec: { suite: CLASSIC, planners: PLANNERS, optimize: null } },
  { name: 'classic-1k', spec: { suite: CLASSIC, planners: PLANNERS, optimize: '1k-iterations' } },
  { name: 'small-10k', spec: { suite: SMALL, planners: PLANNERS, optimize: '10k-iterations' } },
  ...(values.answers === undefined ? [] : casesOfAnswers(values.answers)),
];

/** Recorded answers of models, on the instances of the ALAS paper. */
function casesOfAnswers(folder: string): AttributionCase[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
  const planners = files
    .toSorted()
    .map((file) => `${basename(file, '.jsonl')}=transcripts:${join(folder, file)}`);
  return [null, '1k-iterations', '10k-iterations'].map((optimize) => ({
    name: `answers-${optimize === null ? 'repair-only' : optimize.replace('-iterations', '')}`,
    spec: { suite: 'paper', planners, optimize },
  }));
}

/** Whether a row is of all suites, or of the only one. */
function isWhole({ suite }: { readonly suite: string | null }): boolean {
  return suite === null || suite === 'paper';
}

/** Six significant digits. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(6)) : value;
}

mkdirSync(values.out, { recursive: true });
for (const { name, spec } of cases) {
  if (values.only !== undefined && values.only !== name) continue;
  const workers = Number(values.workers);
  const made = await runBenchmark({ ...spec, repair: true, attribution: true, workers });
  const report = attribution(made.records);
  if (report === null) throw new Error(`${name} has no controls`);
  const { suite, optimize = null } = spec;
  const written = {
    schema: 'alas-jssp/attribution@1',
    version: made.manifest.version,
    suite,
    optimize,
    records: made.records.length,
    errors: made.records.filter(({ status }) => status === 'error').length,
    left_out: report.left_out,
    shares: report.shares,
    // Of all suites together, to keep the files small.
    edges: report.edges.filter(isWhole),
    gains: report.gains.filter(isWhole),
  };
  // A row a line: differences between two versions can be read.
  const text = JSON.stringify(written, rounded, 1)
    .replace(/\n {3,}/g, ' ')
    .replace(/\n {2}\}/g, ' }');
  writeFileSync(join(values.out, `${name}.json`), `${text}\n`);
  for (const { suite: of, planner, control, plan, finding } of report.shares) {
    if (of !== null) continue;
    const share = plan.percent?.toFixed(1) ?? '–';
    console.log(`${name}\t${planner}\t${control}\t${share}\t${finding}`);
  }
}
