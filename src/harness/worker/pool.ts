import { createRequire } from 'node:module';
import { totalmem } from 'node:os';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { monotonicSeconds } from '@alas-jssp/core/clock';
import { errorLine, InputError } from '@alas-jssp/core/errors';
import { Piscina } from 'piscina';
import type { AskWait } from '../../llm/ask.js';
import {
  modelOf,
  type PromptReport,
  promptSettingsOf,
  reportUnanswered,
} from '../../pipeline/planners/llm-planner.js';
import type { Models } from '../../pipeline/planners/models.js';
import { isForeignPlanner } from '../../pipeline/planners/planners.js';
import type { KeptPlan } from '../../pipeline/progress.js';
import { lostRecord } from '../records/build-record.js';
import type { RunRecord } from '../records/record.js';
import type { TaskLimits } from '../run/spec.js';
import { type HostEnd, type HostMessage, openHostEnd, type TaskHost } from './messages.js';
import type { Processors } from './processors.js';
import type { Refusal, Task } from './task.js';
import { type TaskWatch, watchTask } from './watch.js';
import type { performTask, probePlanner, SentTask } from './worker.js';

/** Worker threads that make records. */
export interface WorkerPool {
  /**
   * Makes the records of a task, one for each cell, even if the worker thread dies: with status `error` if the task
   * threw, exited, ran out of memory or exceeded its time.
   *
   * Tasks of different runs may share the threads.
   *
   * @returns null if the run was aborted, or its budget was spent, before the task was done; a running search is cut
   *   short instead, and the record says so
   */
  perform(task: Task, run: TaskRun): Promise<RunRecord[] | null>;
  close(): Promise<void>;
}

/** The parts of a run that its pool uses. */
interface TaskRun {
  /** Models of the run; null for tasks that use none. */
  readonly models: TaskModels | null;
  /** Ends the task early. */
  readonly signal: AbortSignal | undefined;
  /** Processors shared by all tasks of the run, one for each active task. Default: as many as there are tasks. */
  readonly processors?: Processors | undefined;
}

/** The models that a task uses. */
export interface TaskModels extends Pick<Models, 'askFor'> {
  onWait(wait: AskWait): void;
  /** Receives the exceeded limit of the budget, whenever that refuses a request. */
  onBudgetSpent(limit: string): void;
}

/**
 * Starts worker threads and replaces those that die.
 *
 * @param tasks concurrent tasks in all threads, if they use models: most of them wait for an answer. Other tasks have a
 *   thread to themselves
 */
export function createWorkerPool(
  workers: number,
  limits: Pick<TaskLimits, 'megabytes'>,
  tasks = workers,
): WorkerPool {
  const threads = startThreads(workers, limits, Math.ceil(tasks / workers));
  const pool: WorkerPool = {
    async perform(task, run) {
      const { models, signal, processors } = run;
      const giveBack = models === null ? await processors?.take(false) : undefined;
      const started = monotonicSeconds();
      const { port1: here, port2: there } = new MessageChannel();
      const stopsPlanner = models === null;
      const watch = watchTask(task.spec.limits.seconds, signal, here, { stopsPlanner });
      let kept: KeptPlan | undefined;
      const host = hostTask(models, task, here, watch, {
        processors,
        onKept: (plan) => {
          kept = plan;
        },
      });
      const lost = (reason: string) => {
        const seconds = monotonicSeconds() - started;
        const report = models && unansweredReport(task);
        const asked = report && { report, usage: host.usage() };
        return task.cells.map((cell) => lostRecord(cell, reason, seconds, asked));
      };
      try {
        const records: RunRecord[] | null = await threads.run(
          { ...task, port: there } satisfies SentTask,
          // Tasks that use a model share threads, so the task itself receives the request to stop.
          { signal: models === null ? watch.signal : null, transferList: [there] },
        );
        if (host.ranOut()) return null;
        // A thread that dies of a thrown `null` looks like an empty result.
        return records ?? lost(errorLine(null));
      } catch (error) {
        if (signal?.aborted || host.ranOut()) return null;
        const reason = watch.reason();
        const { seconds } = task.spec.limits;
        if (reason !== null && seconds !== null && kept !== undefined && task.kept === undefined) {
          // Its thread has died, but the plan it delivered in time counts. Not awaited here: the retry needs the
          // processor that is released below.
          return pool.perform({ ...task, kept: { ...kept, seconds } }, run);
        }
        return lost(reason ?? lossReason(error));
      } finally {
        watch.end();
        host.cancel();
        here.close();
        giveBack?.();
      }
    },
    close: () => threads.destroy(),
  };
  return pool;
}

/** The report on a task without an answer; null if its template is missing too. */
function unansweredReport({ model, planFile, cells }: Task): PromptReport | null {
  const { content } = planFile ?? {};
  const read = content instanceof Uint8Array ? () => content : undefined;
  try {
    return reportUnanswered(promptSettingsOf(modelOf(model ?? cells[0].specification), read));
  } catch {
    return null;
  }
}

/** Watches the planner of a task, answers its requests to models, and ends it. */
function hostTask(
  models: TaskModels | null,
  { cells }: Task,
  port: MessagePort,
  watch: TaskWatch,
  { processors, onKept }: Pick<TaskHost, 'processors' | 'onKept'>,
): HostEnd {
  const onPlanner: TaskHost['onPlanner'] = (is) =>
    is === 'done' ? watch.pause() : watch.begin(is === 'repairing');
  if (models === null) return openHostEnd(port, { onPlanner, onKept });
  const { askFor, onWait, onBudgetSpent } = models;
  const ask = askFor(cells[0].specification);
  const host = openHostEnd(port, { ask, onWait, onBudgetSpent, onPlanner, processors });
  const stop = () => {
    const reason = watch.reason() ?? 'interrupted';
    port.postMessage({ kind: 'stop', reason } satisfies HostMessage);
    host.cancel();
  };
  if (watch.signal.aborted) stop();
  watch.signal.addEventListener('abort', stop, { once: true });
  return host;
}

/**
 * Starts bare worker threads that run the functions of `worker.ts`, by default `performTask`.
 *
 * @param tasks concurrent tasks of one thread, most of them waiting
 */
function startThreads(
  count: number,
  { megabytes }: Pick<TaskLimits, 'megabytes'>,
  tasks = 1,
): Piscina {
  const threads = new Piscina({
    filename: workerFile(),
    name: 'performTask' satisfies (typeof performTask)['name'],
    minThreads: count,
    maxThreads: count,
    concurrentTasksPerWorker: tasks,
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: megabytes ?? defaultMegabytes(count) },
  });
  // A thread that dies between two tasks, because of an earlier task's leftovers, loses no work.
  return threads.on('error', () => {});
}

/**
 * Default JavaScript heap of a thread: half of the machine's memory in equal shares, but at least 1 GB, which is enough
 * for 1000×1000, and at most 2 GB, because a larger heap overflows slowly. Without a limit, a planner that fills its
 * memory would kill the process.
 */
export function defaultMegabytes(threads: number, memory = totalmem()): number {
  const share = memory / 2 / threads / 2 ** 20;
  return Math.floor(Math.min(2048, Math.max(1024, share)));
}

/** The reason why a thread died, in one line. */
function lossReason(error: unknown): string {
  const words = errorLine(error);
  const code = /^worker exited with code: (\d+)$/.exec(words)?.[1];
  if (code !== undefined) return `the planner ended its thread, with exit code ${code}`;
  if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return 'the planner ran out of memory';
  }
  return words;
}

/** The built worker, also if tests run this file from its TypeScript source. */
function workerFile(): string {
  return createRequire(import.meta.url).resolve('#harness-worker');
}

/**
 * Loads every planner from a user's module once, in a temporary thread, so that a broken module is refused before
 * anything runs.
 *
 * @throws InputError `bad_module`
 */
export async function probePlanners(
  planners: readonly string[],
  limits: TaskLimits,
  signal: AbortSignal | undefined,
): Promise<void> {
  const foreign = planners.filter(isForeignPlanner);
  if (foreign.length === 0) return;
  const thread = startThreads(1, limits);
  const name = 'probePlanner' satisfies (typeof probePlanner)['name'];
  try {
    for (const planner of foreign) {
      const watch = watchTask(limits.seconds, signal);
      const refusal: Refusal | null = await thread
        .run(planner, { name, signal: watch.signal })
        .catch((error: unknown) => lostThread(planner, watch.reason() ?? lossReason(error)))
        .finally(watch.end);
      if (signal?.aborted) return;
      if (refusal === null) continue;
      const { code, problem, hint, location } = refusal;
      throw new InputError(code, problem, hint, location, planner);
    }
  } finally {
    await thread.destroy();
  }
}

function lostThread(planner: string, reason: string): Refusal {
  return {
    code: 'bad_module',
    problem: `${planner} cannot be loaded: ${reason}`,
    hint: 'let the module only define its planner, and do the work when that is called',
    location: {},
  };
}
