import { createRequire } from 'node:module';
import { Piscina } from 'piscina';
import { monotonicSeconds } from '../core/clock.js';
import { errorLine } from '../pipeline/pipeline.js';
import type { RunRecord } from './record.js';
import { lostRecord, type Task } from './task.js';
import type { performTask } from './worker.js';

/** What one task may use before it is stopped; what is left out is not limited. */
export interface TaskLimits {
  /** Wall-clock time, with the start of the worker thread where it needs a new one. */
  readonly seconds?: number | undefined;
  /** JavaScript heap. */
  readonly megabytes?: number | undefined;
}

/** Worker threads that make records. */
export interface WorkerPool {
  /**
   * Makes the record of a task. Whatever becomes of the worker thread, there is a record: with
   * status `error` if the task threw, exited, ran out of memory or of time.
   *
   * @returns null if the run was aborted before the task was done
   */
  perform(task: Task): Promise<RunRecord | null>;
  close(): Promise<void>;
}

/** Starts worker threads; those that die are replaced. */
export function createWorkerPool(
  workers: number,
  limits: TaskLimits,
  signal: AbortSignal | undefined,
): WorkerPool {
  const pool = new Piscina<Task, RunRecord>({
    filename: workerFile(),
    name: 'performTask' satisfies (typeof performTask)['name'],
    minThreads: workers,
    maxThreads: workers,
    recordTiming: false,
    ...(limits.megabytes === undefined
      ? {}
      : { resourceLimits: { maxOldGenerationSizeMb: limits.megabytes } }),
  });
  // A thread that dies between two tasks, of something an earlier task left behind, loses nothing.
  pool.on('error', () => {});
  return {
    async perform(task) {
      const started = monotonicSeconds();
      const watch = watchTask(limits.seconds, signal);
      try {
        return await pool.run(task, { signal: watch.signal });
      } catch (error) {
        if (signal?.aborted) return null;
        const reason = watch.timedOut() ? `stopped after ${limits.seconds} s` : errorLine(error);
        return lostRecord(task, reason, monotonicSeconds() - started);
      } finally {
        watch.end();
      }
    },
    close: () => pool.destroy(),
  };
}

/** A signal for one task, aborted with the whole run or when the time of the task is over. */
function watchTask(seconds: number | undefined, runSignal: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let timedOut = false;
  const onTimeout = () => {
    timedOut = true;
    abort();
  };
  const timer = seconds === undefined ? undefined : setTimeout(onTimeout, seconds * 1000);
  if (runSignal?.aborted) abort();
  runSignal?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    timedOut: () => timedOut,
    end() {
      clearTimeout(timer);
      runSignal?.removeEventListener('abort', abort);
    },
  };
}

/** The built worker, also where this file is run from its TypeScript source by the tests. */
function workerFile(): string {
  return createRequire(import.meta.url).resolve('#harness-worker');
}
