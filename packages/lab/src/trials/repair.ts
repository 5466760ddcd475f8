// Random streams of events against repairs.
//   npm run trials -- repair [--seeds 100000] [--from 0] [--workers N] [--out results/repair-streams]
//   npm run trials -- repair --seed X
// Each seed is a random shop with a plan, a policy and a stream of events of every kind. It is repaired by an
// engine and without one: both results must be equal, feasible by a judge that shares nothing with the
// package (repair-streams/floor.ts), and never worse than compensation or, without limits, than dispatching.
// With --out, chunks of 1,000 seeds that are done are kept (by commit), and not made again. A seed that fails is
// printed; --seed repeats it and prints its story. Exits with 1 if one fails.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeCommit } from '../measure.js';
import { kept } from '../repair/kept.js';
import { type StreamTrial, tryStream } from '../repair-streams/trial.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100000' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    out: { type: 'string', default: 'results/repair-streams' },
  },
});
const CHUNK = 1000;

/** What came of streams; how often each kind of event and each phase occurred. */
interface Total {
  streams: number;
  repairs: number;
  refused: number;
  evaluated: number;
  kinds: Record<string, number>;
  phases: Record<string, number>;
  failed: { seed: number; problem: string }[];
}

/** Seeds that one process tries; the file keeps their results. */
interface Chunk {
  from: number;
  count: number;
  file?: string | undefined;
}

if (process.send !== undefined) {
  process.on('message', async ({ from, count }: Chunk) =>
    process.send?.(await tryChunk(from, count)),
  );
} else if (values.seed !== undefined) await repeat(Number(values.seed));
else await runAll(Number(values.from), Number(values.seeds));

function emptyTotal(): Total {
  return { streams: 0, repairs: 0, refused: 0, evaluated: 0, kinds: {}, phases: {}, failed: [] };
}

async function tryChunk(from: number, count: number) {
  const total = emptyTotal();
  for (let seed = from; seed < from + count; seed++) {
    const trial = await attempt(seed);
    total.streams++;
    total.repairs += trial.repairs;
    total.refused += trial.refused;
    total.evaluated += trial.evaluated;
    for (const kind of trial.kinds) total.kinds[kind] = (total.kinds[kind] ?? 0) + 1;
    for (const phase of trial.phases) total.phases[phase] = (total.phases[phase] ?? 0) + 1;
    if (trial.problems.length > 0) total.failed.push({ seed, problem: trial.problems[0] });
  }
  return total;
}

/** A trial; an error of its repairs is a problem of it. */
async function attempt(seed: number): Promise<StreamTrial> {
  try {
    return await tryStream(seed);
  } catch (error) {
    const problems = [String((error as Error).stack ?? error)];
    return { repairs: 0, refused: 0, evaluated: 0, kinds: [], phases: [], problems, story: [] };
  }
}

async function runAll(from: number, seeds: number) {
  const began = performance.now();
  const commit = describeCommit()?.slice(0, 12) ?? 'none';
  const chunks: Chunk[] = [];
  for (let first = from; first < from + seeds; first += CHUNK) {
    const count = Math.min(CHUNK, from + seeds - first);
    const file = values.out === '' ? undefined : `${values.out}/${commit}/${first}-${count}.json`;
    chunks.push({ from: first, count, file });
  }
  const total = emptyTotal();
  await Promise.all(Array.from({ length: Number(values.workers) }, () => work(chunks, total)));
  const words = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .sort()
      .join(', ');
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(
    `${total.streams} streams, ${total.repairs} repairs in ${seconds} s, ${total.evaluated} with reordering, ${total.refused} refused`,
  );
  console.log(`events: ${words(total.kinds)}`);
  console.log(`phases: ${words(total.phases)}`);
  console.log(`streams that failed: ${total.failed.length}`);
  if (total.failed.length > 0) {
    console.log(`repeat one with: npm run trials -- repair --seed ${total.failed[0].seed}`);
  }
  process.exitCode = total.streams === seeds && total.failed.length === 0 ? 0 : 1;
}

/** One process that takes chunks until there are none. */
function work(chunks: Chunk[], total: Total) {
  return new Promise<void>((resolve, reject) => {
    const worker = fork(fileURLToPath(import.meta.url));
    const ask = ({ from, count }: Chunk) =>
      new Promise<Total>((answer) => {
        worker.once('message', answer);
        worker.send({ from, count });
      });
    const takeAll = async () => {
      for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
        const one = chunk;
        add(total, one.file ? await kept(one.file, () => ask(one)) : await ask(one));
      }
      worker.disconnect();
    };
    worker.on('error', reject);
    worker.on('exit', (code) =>
      code ? reject(new Error(`a worker ended with ${code}`)) : resolve(),
    );
    takeAll().catch(reject);
  });
}

function add(total: Total, { kinds, phases, failed, ...counts }: Total) {
  for (const [key, count] of Object.entries(counts)) total[key as keyof typeof counts] += count;
  for (const [kind, count] of Object.entries(kinds))
    total.kinds[kind] = (total.kinds[kind] ?? 0) + count;
  for (const [phase, count] of Object.entries(phases)) {
    total.phases[phase] = (total.phases[phase] ?? 0) + count;
  }
  for (const { seed, problem } of failed) {
    if (total.failed.length < 20) console.log(`seed ${seed}: ${problem}`);
    total.failed.push({ seed, problem });
  }
}

/** Repeats one stream and prints its story. */
async function repeat(seed: number) {
  const { story, problems } = await attempt(seed);
  for (const line of story) console.log(line);
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
