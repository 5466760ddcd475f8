// Trials of many cases in chunks, each in one of several processes; what is done is kept in files, so that a long
// trial continues after an interruption.
import { fork } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kept } from '../repair/kept.js';

/** The result of a chunk: counts by name, and the cases that failed. */
export interface ChunkResult {
  counts: Record<string, number>;
  failed: { seed: number; problem: string }[];
}

export interface Chunk {
  from: number;
  count: number;
}

export interface ChunkedTrial {
  from: number;
  cases: number;
  /** Cases in a chunk. */
  size: number;
  workers: number;
  /** Where chunks are kept; empty for nowhere. */
  folder: string;
  /** The script that answers chunks that are sent to it. */
  script: string;
  args: readonly string[];
}

export function emptyResult(): ChunkResult {
  return { counts: {}, failed: [] };
}

export function count({ counts }: ChunkResult, name: string, amount = 1): void {
  counts[name] = (counts[name] ?? 0) + amount;
}

/** Answers the chunks that the process receives, until one says that there are no more. */
export function answerChunks(answer: (chunk: Chunk) => Promise<ChunkResult>, end: () => void) {
  process.on('message', async (chunk: Chunk) => process.send?.(await answer(chunk)));
  process.on('disconnect', end);
}

/** Runs all chunks, and says how far it is in `progress.txt` of the folder. */
export async function runChunks(trial: ChunkedTrial): Promise<ChunkResult> {
  const chunks: Chunk[] = [];
  for (let from = trial.from; from < trial.from + trial.cases; from += trial.size) {
    chunks.push({ from, count: Math.min(trial.size, trial.from + trial.cases - from) });
  }
  const progress = trial.folder === '' ? null : join(trial.folder, 'progress.txt');
  if (progress !== null) {
    mkdirSync(trial.folder, { recursive: true });
    writeFileSync(progress, '');
  }
  const total = emptyResult();
  let done = 0;
  const add = (chunk: Chunk, { counts, failed }: ChunkResult) => {
    done += chunk.count;
    for (const [name, amount] of Object.entries(counts)) count(total, name, amount);
    for (const one of failed) {
      if (total.failed.length < 20) console.log(`seed ${one.seed}: ${one.problem}`);
      total.failed.push(one);
    }
    const line = `${new Date().toISOString()} ${done} of ${trial.cases} cases, ${total.failed.length} failed\n`;
    if (progress !== null) appendFileSync(progress, line);
  };
  const workers = Array.from({ length: trial.workers }, () => takeAll(trial, chunks, add));
  await Promise.all(workers);
  return total;
}

/** One process that takes chunks until there are none. */
function takeAll(
  { script, args, folder }: ChunkedTrial,
  chunks: Chunk[],
  add: (chunk: Chunk, result: ChunkResult) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = fork(script, [...args]);
    const ask = (chunk: Chunk) =>
      new Promise<ChunkResult>((answer) => {
        worker.once('message', answer);
        worker.send(chunk);
      });
    const run = async () => {
      for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
        const one = chunk;
        const file = `${folder}/${one.from}-${one.count}.json`;
        add(one, folder === '' ? await ask(one) : await kept(file, () => ask(one)));
      }
      worker.disconnect();
    };
    worker.on('error', reject);
    worker.on('exit', (code) =>
      code ? reject(new Error(`a worker ended with ${code}`)) : resolve(),
    );
    run().catch(reject);
  });
}
