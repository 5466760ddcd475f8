import { createRequire } from 'node:module';
import { totalmem } from 'node:os';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { monotonicSeconds } from '../core/clock.js';
import { errorLine } from '../pipeline/error-line.js';
import { type RunRecord, recordKey } from './record.js';
import { lostRecord, type Task } from './task.js';
import type { TaskLimits } from './task-limits.js';
import { isClockMessage, type TaskWatch, watchTask } from './watch.js';
import type { performTask, SentTask } from './worker.js';

/** Worker threads that make records. */
export interface WorkerPool {
  /**
   * Makes the records of a task. Whatever becomes of the worker thread, there is one for each cell:
   * with status `error` if the task threw, exited, ran out of memory or of time.
   *
   * @returns null if the run was aborted before the task was done; a search that was under way is
   *   cut short instead, and the record says so
   */
  perform(task: Task): Promise<RunRecord[] | null>;
  close(): Promise<void>;
}

/** Starts worker threads; those that die are replaced. */
export function createWorkerPool(
  workers: number,
  limits: TaskLimits,
  signal: AbortSignal | undefined,
): WorkerPool {
  const threads = startThreads(workers, limits);
  const watches = new Map<string, TaskWatch>();
  threads.on('message', (message: unknown) => {
    if (isClockMessage(message)) watches.get(message.task)?.[message.clock]();
  });
  return {
    async perform(task) {
      const started = monotonicSeconds();
      const key = recordKey(task.cells[0]);
      const lost = (reason: string) =>
        task.cells.map((cell) => lostRecord(cell, reason, monotonicSeconds() - started));
      const { port1: here, port2: there } = new MessageChannel();
      const watch = watchTask(limits.seconds, signal, here);
      watches.set(key, watch);
      try {
        const records: RunRecord[] | null = await threads.run(
          { ...task, interrupts: there } satisfies SentTask,
          { signal: watch.signal, transferList: [there] },
        );
        // A thread that dies of a thrown `null` looks like an empty result.
        return records ?? lost(errorLine(null));
      } catch (error) {
        if (signal?.aborted) return null;
        return lost(watch.reason() ?? lossReason(error));
      } finally {
        watches.delete(key);
        watch.end();
        here.close();
      }
    },
    close: () => threads.destroy(),
  };
}

/** Starts bare worker threads that run the functions of `worker.ts`, by default `performTask`. */
export function startThreads(count: number, { megabytes }: TaskLimits): Piscina {
  const threads = new Piscina({
    filename: workerFile(),
    name: 'performTask' satisfies (typeof performTask)['name'],
    minThreads: count,
    maxThreads: count,
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: megabytes ?? defaultMegabytes(count) },
  });
  // A thread that dies between two tasks, of something an earlier task left behind, loses nothing.
  return threads.on('error', () => {});
}

/**
 * JavaScript heap of a thread that is given no limit: half of the machine's memory in equal
 * shares, but at least 1 GB, which plans 1000×1000, and at most 2 GB, as a heap that overflows is
 * slow about it. Without any, a planner that fills its memory would take the process with it.
 */
export function defaultMegabytes(threads: number, memory = totalmem()): number {
  const share = memory / 2 / threads / 2 ** 20;
  return Math.floor(Math.min(2048, Math.max(1024, share)));
}

/** Why a thread was lost, in one line. */
export function lossReason(error: unknown): string {
  const words = errorLine(error);
  const code = /^worker exited with code: (\d+)$/.exec(words)?.[1];
  if (code !== undefined) return `the planner ended its thread, with exit code ${code}`;
  if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return 'the planner ran out of memory';
  }
  return words;
}

/** The built worker, also where this file is run from its TypeScript source by the tests. */
function workerFile(): string {
  return createRequire(import.meta.url).resolve('#harness-worker');
}
