// Proofs of the best known makespans of benchmarks, for others to check.
//   npm run bench -- proofs [--instances ft,la,orb] [--seconds 60] [--most-bytes 1500000] [--out results/proofs]
//   npm run bench -- proofs --instances swv07 --bound 1542 --seconds 600
// --bound is the bound to prove of every instance instead. Each proof is packed, checked and kept in the folder; those that
// are there are only checked, so that it may be interrupted. --seconds of processor time are tried for each; proofs of
// more bytes are checked and not kept. proofs.csv there lists instance, bound, clauses, steps and bytes of those that
// are kept; seconds of processor time go to stdout.
import { createReadStream, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { boundsFor, type Instance, type InstanceSource, resolveSources } from 'alas-jssp/jssp';
import { proveBound } from 'alas-jssp/search';
import { checkProof, createProofArchive, proofLines } from 'alas-jssp/validator';
import { endWithError } from './measure.js';

const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: 'ft,la,orb' },
    bound: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    'most-bytes': { type: 'string', default: '1500000' },
    out: { type: 'string', default: 'results/proofs' },
  },
});

/** Seconds of processor time since an earlier call's result. */
function processorTime(since = 0): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 - since;
}

/** Proves a bound within the time; null if it could not. */
async function prove(instance: Instance, bound: number): Promise<Uint8Array | null> {
  const archive = createProofArchive();
  const start = processorTime();
  const { verdict, makespan, contradictions } = await proveBound(instance, {
    bound,
    write: archive.write,
    isOver: () => processorTime(start) > Number(values.seconds),
  });
  const found = makespan === null ? '' : `: a schedule ends at ${makespan}`;
  console.log(
    `${instance.name} ${bound}: ${verdict}${found} after ${contradictions} contradictions, ${processorTime(start).toFixed(2)} s`,
  );
  return verdict === 'proven' ? archive.pack() : null;
}

/** Checks a proof, and says so. */
async function check(instance: Instance, chunks: AsyncIterable<Uint8Array> | Uint8Array[]) {
  const start = processorTime();
  const result = await checkProof(instance, proofLines(chunks));
  const { valid, bound, problem, clauses, steps } = result;
  console.log(
    `${instance.name} ${bound}: ${valid ? 'checked' : problem}, ${clauses} clauses, ${steps} steps, ${processorTime(start).toFixed(2)} s`,
  );
  if (!valid) process.exitCode = 1;
  return result;
}

async function treat(source: InstanceSource, folder: string): Promise<void> {
  const instance = source.load();
  const file = join(folder, `${source.name}.proof.gz`);
  if (existsSync(file)) return;
  const bound = values.bound === undefined ? boundsFor(instance)?.upper : Number(values.bound);
  if (bound === undefined) throw new Error(`${source.name} has no known makespan: give --bound`);
  const packed = await prove(instance, bound);
  if (packed === null) return;
  if (packed.length <= Number(values['most-bytes'])) writeFileSync(file, packed);
  else {
    console.log(`${source.name}: ${packed.length} bytes are not kept`);
    await check(instance, [packed]);
  }
}

/** Checks all proofs of a folder, and lists them. */
async function list(folder: string): Promise<void> {
  const rows = ['instance,bound,clauses,steps,bytes'];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.proof.gz'))) {
    const name = file.slice(0, -'.proof.gz'.length);
    const [source] = resolveSources(name);
    let bytes = 0;
    const counted = async function* () {
      for await (const chunk of createReadStream(join(folder, file))) {
        bytes += chunk.length;
        yield chunk as Uint8Array;
      }
    };
    const { bound, clauses, steps } = await check(source.load(), counted());
    rows.push(`${name},${bound},${clauses},${steps},${bytes}`);
  }
  writeFileSync(join(folder, 'proofs.csv'), `${rows.join('\n')}\n`);
}

try {
  mkdirSync(values.out, { recursive: true });
  for (const source of resolveSources(values.instances)) await treat(source, values.out);
  await list(values.out);
} catch (error) {
  endWithError(error);
}
