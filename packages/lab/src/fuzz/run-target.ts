// One target in a thread of its own, which is ended if an input hangs or takes too much memory.
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { LoopResult } from './loop.js';
import { MOST_BYTES } from './mutate.js';
import type { FuzzFinding } from './target.js';
import type { ThreadInput } from './thread.js';
import { HEADER, readHeader, type ThreadHeader } from './thread-header.js';

/** Milliseconds of processor time after which an input counts as one that never ends. */
const HANGS = 10_000;
const MEGABYTES = 1024;

/** What a target was given and what it found. */
export interface TargetRun {
  readonly target: string;
  executions: number;
  features: number;
  seconds: number;
  corpus: readonly Uint8Array[];
}

type Report =
  | { readonly finding: FuzzFinding; readonly input: Uint8Array }
  | { readonly kept: Uint8Array }
  | { readonly result: LoopResult };

/**
 * Fuzzes a target. A thread that was ended is replaced by another one with another seed, and what it did counts: inputs,
 * time, and the inputs that it kept, from which the next one starts.
 *
 * @param thread the module of the thread, if it is not the one beside this module
 */
export async function runTarget(
  input: Omit<ThreadInput, 'current'>,
  onFinding: (finding: FuzzFinding, input: Uint8Array) => void,
  thread = new URL('./thread.js', import.meta.url),
): Promise<TargetRun> {
  const run: TargetRun = {
    target: input.target,
    executions: 0,
    features: 0,
    seconds: 0,
    corpus: [],
  };
  const end = performance.now() + input.milliseconds;
  for (let seed = input.seed; performance.now() < end - 500 || seed === input.seed; seed++) {
    const milliseconds = Math.max(500, end - performance.now());
    const seeds = [...input.seeds, ...run.corpus];
    const given = { ...input, seeds, seed, milliseconds };
    const isOver = await runThread(given, run, onFinding, thread);
    if (isOver) break;
  }
  return run;
}

/** Whether the thread ended by itself. */
async function runThread(
  input: Omit<ThreadInput, 'current'>,
  run: TargetRun,
  onFinding: (finding: FuzzFinding, input: Uint8Array) => void,
  thread: URL,
): Promise<boolean> {
  const current = new SharedArrayBuffer(HEADER + MOST_BYTES);
  const header = (): ThreadHeader => readHeader(current);
  const inputNow = () =>
    Uint8Array.from(new Uint8Array(current, HEADER, Math.min(header().length, MOST_BYTES)));
  const kept: Uint8Array[] = [];
  const worker = new Worker(thread, {
    workerData: { ...input, current } satisfies ThreadInput,
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  });
  let isOver = false;
  worker.on('message', (report: Report) => {
    if ('finding' in report) return onFinding(report.finding, report.input);
    if ('kept' in report) return void kept.push(report.kept);
    isOver = true;
    run.corpus = report.result.corpus;
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const kind = isMemory ? 'memory' : 'exception';
    const detail = error.stack ?? error.message;
    onFinding({ kind, key: isMemory ? 'memory' : `thread ${error.message}`, detail }, inputNow());
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const watch = new AbortController();
  void ended.then(() => watch.abort());
  let since = { begun: 0, usage: process.cpuUsage() };
  while (!watch.signal.aborted) {
    await wait(500, undefined, { signal: watch.signal }).catch(() => {});
    const { begun } = header();
    if (begun === 0 || begun !== since.begun) {
      since = { begun, usage: process.cpuUsage() };
      continue;
    }
    const { user, system } = process.cpuUsage(since.usage);
    const spent = (user + system) / 1000;
    if (spent < HANGS) continue;
    onFinding(
      { kind: 'hang', key: 'hang', detail: `no end after ${Math.round(spent)} ms` },
      inputNow(),
    );
    await worker.terminate();
  }
  await ended;
  const { executions, features, seconds } = header();
  run.executions += executions;
  run.features = Math.max(run.features, features);
  run.seconds += seconds;
  if (!isOver) run.corpus = [...run.corpus, ...kept];
  return isOver;
}
