// Random small shops with every feature of the model (alternatives, setups, transport, waiting times, precedence graphs,
// resources, downtimes, releases, due dates, deadlines), each alone and mixed, some of them in execution.
//   npm run trials -- flexible [--cases 50000] [--from 0] [--workers N] [--part all|judge|search] [--out results/flexible]
//   npm run trials -- flexible --seed X
// Random, disturbed and feasible plans are judged by the validator and by a judge that shares nothing with it
// (shops/plain-judge.ts); schedules, bounds and proofs of the search are compared with enumeration and CP-SAT (needs
// engines/cpsat/install.sh). With --out, chunks of 100 cases that are done are kept (by commit), and not made again;
// progress.txt there says how far it is. Exits with 1 if a case fails; --seed repeats it and prints the shop.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeCommit, endWithError } from '../measure.js';
import { type ShopCase, shopCase } from '../shops/cases.js';
import {
  answerChunks,
  type Chunk,
  type ChunkResult,
  count,
  emptyResult,
  runChunks,
} from '../shops/chunks.js';
import { type CpSat, startCpSat } from '../shops/cp-sat.js';
import { tryJudges } from '../shops/judge-trial.js';
import { trySearch } from '../shops/search-trial.js';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '50000' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    part: { type: 'string', default: 'all' },
    out: { type: 'string', default: 'results/flexible' },
  },
});
const PARTS = ['all', 'judge', 'search'];
if (!PARTS.includes(values.part)) {
  endWithError(new Error(`--part ${values.part}: give one of ${PARTS.join(', ')}`));
}
const hasJudge = values.part !== 'search';
const hasSearch = values.part !== 'judge';

if (process.send !== undefined) {
  const cpSat = hasSearch ? startCpSat() : null;
  answerChunks(
    (chunk) => tryChunk(chunk, cpSat),
    () => cpSat?.close(),
  );
} else if (values.seed !== undefined) await repeat(Number(values.seed));
else await runAll();

async function tryChunk({ from, count: many }: Chunk, cpSat: CpSat | null): Promise<ChunkResult> {
  const result = emptyResult();
  for (let seed = from; seed < from + many; seed++) {
    const problems = await attempt(() => tryCase(shopCase(seed), cpSat, result));
    for (const problem of problems.slice(0, 3)) result.failed.push({ seed, problem });
  }
  return result;
}

/** Problems; an error is one. */
async function attempt(work: () => Promise<string[]>): Promise<string[]> {
  try {
    return await work();
  } catch (error) {
    return [String((error as Error).stack ?? error)];
  }
}

async function tryCase(one: ShopCase, cpSat: CpSat | null, result: ChunkResult) {
  const problems: string[] = [];
  count(result, 'cases');
  for (const feature of one.features) count(result, `with ${feature}`);
  if (hasJudge) {
    const { valid, problems: found } = tryJudges(one);
    count(result, 'plans', one.plans.length);
    count(result, 'plans without fault', valid);
    problems.push(...found);
  }
  if (cpSat === null) return problems;
  const hasDue = one.shop.jobs.some(({ due }) => due !== null);
  const both = ['makespan', 'total-weighted-tardiness'] as const;
  for (const objective of hasDue ? both : both.slice(0, 1)) {
    const found = await trySearch(one, objective, cpSat);
    problems.push(...found.problems);
    const kind = found.isTimed ? 'timed ' : '';
    count(result, `${kind}searches`);
    count(result, `${kind}${found.outcome}`);
    if (found.isOptimum) count(result, `${kind}at the optimum`);
  }
  return problems;
}

async function runAll() {
  const began = performance.now();
  const commit = describeCommit()?.slice(0, 12) ?? 'none';
  const { counts, failed } = await runChunks({
    from: Number(values.from),
    cases: Number(values.cases),
    size: 100,
    workers: Number(values.workers),
    folder: values.out === '' ? '' : `${values.out}/${values.part}-${commit}`,
    script: fileURLToPath(import.meta.url),
    args: ['--part', values.part],
  });
  const seconds = Math.round((performance.now() - began) / 1000);
  for (const [name, amount] of Object.entries(counts)) console.log(`${name}: ${amount}`);
  const cases = new Set(failed.map(({ seed }) => seed));
  console.log(`${counts.cases ?? 0} cases in ${seconds} s, failed: ${cases.size}`);
  if (failed.length > 0) {
    console.log(`repeat one with: npm run trials -- flexible --seed ${failed[0].seed}`);
  }
  process.exitCode = counts.cases === Number(values.cases) && failed.length === 0 ? 0 : 1;
}

/** Repeats one case and prints it. */
async function repeat(seed: number) {
  const cpSat = hasSearch ? startCpSat() : null;
  const one = shopCase(seed);
  console.log(JSON.stringify({ features: [...one.features], shop: one.shop }, null, 1));
  const result = emptyResult();
  const problems = await attempt(() => tryCase(one, cpSat, result));
  for (const problem of problems) console.log(problem);
  console.log(result.counts);
  cpSat?.close();
  process.exitCode = problems.length === 0 ? 0 : 1;
}
