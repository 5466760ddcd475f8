// Random small shops with every feature, each with a plan and a stream of events that is repaired.
//   npm run trials -- flexible-repairs [--repairs 100000] [--from 0] [--workers N] [--out results/flexible-repairs]
//   npm run trials -- flexible-repairs --seed X
// A floor that keeps its own account of what has happened (shops/shop-floor.ts) judges every repair; where it finds a
// fault, CP-SAT says whether a schedule without one exists (needs engines/cpsat/install.sh). With --out, chunks of 100
// streams that are done are kept (by commit), and not made again; progress.txt there says how far it is. Exits with 1 if
// a stream fails or there were fewer repairs; --seed repeats a stream and prints its story.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeCommit } from '../measure.js';
import { answerChunks, type Chunk, count, emptyResult, runChunks } from '../shops/chunks.js';
import { type CpSat, startCpSat } from '../shops/cp-sat.js';
import { tryRepairs } from '../shops/repair-trial.js';

const { values } = parseArgs({
  options: {
    repairs: { type: 'string', default: '100000' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    out: { type: 'string', default: 'results/flexible-repairs' },
  },
});
/** Repairs of a stream, on average and not more. */
const REPAIRS = 2;

if (process.send !== undefined) {
  const cpSat = startCpSat();
  answerChunks(
    (chunk) => tryChunk(chunk, cpSat),
    () => cpSat.close(),
  );
} else if (values.seed !== undefined) {
  const cpSat = startCpSat();
  const { problems, story } = await tryRepairs(Number(values.seed), cpSat);
  for (const line of [...story, ...problems]) console.log(line);
  cpSat.close();
  process.exitCode = problems.length === 0 ? 0 : 1;
} else await runAll();

async function tryChunk({ from, count: many }: Chunk, cpSat: CpSat) {
  const result = emptyResult();
  for (let seed = from; seed < from + many; seed++) {
    const { problems, counts } = await tryRepairs(seed, cpSat);
    count(result, 'streams');
    for (const name of counts) count(result, name);
    for (const problem of problems.slice(0, 1)) result.failed.push({ seed, problem });
  }
  return result;
}

async function runAll() {
  const began = performance.now();
  const commit = describeCommit()?.slice(0, 12) ?? 'none';
  const streams = Math.ceil(Number(values.repairs) / REPAIRS);
  const { counts, failed } = await runChunks({
    from: Number(values.from),
    cases: streams,
    size: 100,
    workers: Number(values.workers),
    folder: values.out === '' ? '' : `${values.out}/${commit}`,
    script: fileURLToPath(import.meta.url),
    args: [],
  });
  const seconds = Math.round((performance.now() - began) / 1000);
  for (const [name, amount] of Object.entries(counts).sort()) console.log(`${name}: ${amount}`);
  console.log(
    `${counts.repairs ?? 0} repairs in ${seconds} s, streams that failed: ${failed.length}`,
  );
  if (failed.length > 0) {
    console.log(`repeat one with: npm run trials -- flexible-repairs --seed ${failed[0].seed}`);
  }
  process.exitCode = failed.length === 0 ? 0 : 1;
}
