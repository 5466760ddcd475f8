// Fuzzes the parsers of foreign input, guided by the branches that an input reaches.
//   npm run trials -- fuzz [--minutes 5] [--target NAME,...] [--seed 1] [--keep]
// Every input must give a result or an error in one line, within 2 s of processor time and 512 MiB, and leave no trace in
// prototypes; what a writer wrote must be read back. Findings go to results/fuzz/. `--keep` adds the inputs that reach new
// branches to the corpus in packages/lab/fuzz-corpus/, which the tests replay. Exits with 1 if anything was found.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { deriveSeed } from '@alas-jssp/core/seed';
import { chooseKept } from '../fuzz/choose-kept.js';
import { readCorpus, seedsOf, toLine, writeCorpus } from '../fuzz/corpus.js';
import { bundleInstrumented } from '../fuzz/instrument.js';
import { runTarget } from '../fuzz/run-target.js';
import type { FuzzFinding, FuzzTarget } from '../fuzz/target.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    target: { type: 'string' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});
const folder = join('results', 'fuzz');
mkdirSync(folder, { recursive: true });
const bundle = resolve(folder, 'targets.mjs');
const sources = join('packages', 'lab', 'src', 'fuzz', 'targets', 'index.ts');
const { branches, words } = await bundleInstrumented(sources, bundle);
Object.assign(globalThis, { __branches: new Uint8Array(2 ** 16) });
const { targets } = (await import(bundle)) as { targets: readonly FuzzTarget[] };
const wanted = values.target?.split(',');
const chosen = targets.filter(({ name }) => wanted === undefined || wanted.includes(name));
const unknown = wanted?.find((name) => !targets.some((target) => target.name === name));
if (chosen.length === 0 || unknown !== undefined) {
  console.error(`there is no target ${unknown}: use ${targets.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const milliseconds = (Number(values.minutes) * 60_000) / chosen.length;
console.log(
  `${chosen.length} targets, ${branches} branches, ${Math.round(milliseconds / 1000)} s each`,
);
let found = 0;
const rows = [];
for (const target of chosen) {
  const { name } = target;
  const corpus = readCorpus(name);
  const seeds = [...seedsOf(target.seeds), ...corpus];
  const seed = deriveSeed(Number(values.seed), 'fuzz', name);
  const input = { bundle, target: name, seeds, words, seed, milliseconds };
  const seen = new Set<string>();
  const run = await runTarget(input, (finding, bytes) => {
    if (seen.has(finding.key)) return;
    seen.add(finding.key);
    found++;
    reportFinding(name, finding, bytes);
  });
  if (values.keep) writeCorpus(name, chooseKept(corpus, run.corpus));
  writeFileSync(
    join(folder, `${name}.corpus.jsonl`),
    run.corpus.map((one) => `${toLine(one)}\n`).join(''),
  );
  const { executions, features, seconds } = run;
  rows.push({
    target: name,
    executions,
    features,
    seconds: Math.round(seconds),
    findings: seen.size,
  });
  const speed = Math.round(executions / Math.max(seconds, 0.001));
  console.log(
    `${name}: ${executions} inputs in ${seconds.toFixed(0)} s of processor time (${speed}/s), ${features} features, ${seen.size} findings`,
  );
}
writeFileSync(join(folder, `summary-${values.seed}.json`), `${JSON.stringify(rows, null, 2)}\n`);
console.log(`findings: ${found}`);
process.exit(found === 0 ? 0 : 1);

/** Writes an input, and beside it what is wrong. */
function reportFinding(target: string, finding: FuzzFinding, input: Uint8Array): void {
  const hash = createHash('sha256').update(finding.key).digest('hex').slice(0, 8);
  const file = join(folder, `${target}-${finding.kind}-${hash}`);
  writeFileSync(`${file}.input`, input);
  writeFileSync(`${file}.txt`, `${finding.key}\n${finding.detail}\n`);
  console.log(`${target}: ${finding.kind} (${file}.input): ${finding.key}`);
}
