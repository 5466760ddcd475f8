import { totalmem } from 'node:os';
import { monotonicSeconds } from '@alas-jssp/core/clock';
import { errorLine, InputError } from '@alas-jssp/core/errors';
import { startThread, ThreadEnd } from '@alas-jssp/core/thread-calls';
import { createThreadPool, type ThreadPool } from '@alas-jssp/core/thread-pool';
import { modelOf } from '../../llm/model-of.js';
import {
  type PromptReport,
  promptSettingsOf,
  reportUnanswered,
} from '../../pipeline/planners/llm-planner.js';
import { isForeignPlanner } from '../../pipeline/planners/planners.js';
import { lostRecord } from '../records/build-record.js';
import type { RunRecord } from '../records/record.js';
import type { TaskLimits } from '../run/spec.js';
import type { Processors } from './processors.js';
import type { SharedPlan } from './shared-plans.js';
import type { Task } from './task.js';
import { openTaskHost, type TaskModels } from './task-host.js';
import { watchTask } from './watch.js';
import type { WorkerFunctions } from './worker.js';

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
  /** Receives the plan of a program, see {@link SharedPlan}. */
  readonly onProposed?: ((plan: SharedPlan) => void) | undefined;
  /** Processors shared by all tasks of the run, one for each active task. Default: as many as there are tasks. */
  readonly processors?: Processors | undefined;
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
      const { models, signal, processors, onProposed } = run;
      const giveBack = models === null ? await processors?.take(false) : undefined;
      const started = monotonicSeconds();
      const { seconds: limit } = task.spec.limits;
      const watch = watchTask(limit, signal, { stopsPlanner: models === null });
      const planner = task.cells[0].specification;
      const { host, ...open } = openTaskHost({
        models,
        planner,
        watch,
        processors,
        onProposed,
      });
      const lost = (reason: string) => {
        const seconds = monotonicSeconds() - started;
        const report = models && unansweredReport(task);
        const asked = report && { report, usage: open.usage() };
        return task.cells.map((cell) => lostRecord(cell, reason, seconds, asked));
      };
      try {
        // Tasks that use a model share threads, so the task itself receives the request to stop.
        const end = models === null ? watch.signal : undefined;
        const records = await threads.run(({ performTask }) => performTask(task, host), end);
        return open.ranOut() ? null : records;
      } catch (error) {
        if (signal?.aborted || open.ranOut()) return null;
        const reason = watch.reason();
        const kept = open.kept();
        if (reason !== null && limit !== null && kept !== undefined && task.kept === undefined) {
          // Its thread has died, but the plan it delivered in time counts. Not awaited here: the retry needs the
          // processor that is released below.
          return pool.perform({ ...task, kept: { ...kept, seconds: limit } }, run);
        }
        return lost(reason ?? lossReason(error));
      } finally {
        watch.end();
        open.close();
        giveBack?.();
      }
    },
    close: threads.close,
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

/** Starts bare worker threads; of `tasks` concurrent ones in a thread most are waiting. */
function startThreads(
  threads: number,
  limits: Pick<TaskLimits, 'megabytes'>,
  tasks = 1,
): ThreadPool<WorkerFunctions> {
  const megabytes = limits.megabytes ?? defaultMegabytes(threads);
  const start = () =>
    startThread<WorkerFunctions>('#harness-worker', import.meta.url, { megabytes });
  return createThreadPool({ start, threads, workPerThread: tasks });
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
  const { code, exitCode } = error instanceof ThreadEnd ? error : {};
  if (code === 'thread_out_of_memory') return 'the planner ran out of memory';
  return code === 'thread_exited'
    ? `the planner ended its thread, with exit code ${exitCode}`
    : errorLine(error);
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
  try {
    for (const planner of foreign) {
      const watch = watchTask(limits.seconds, signal);
      await thread
        .run(({ probePlanner }) => probePlanner(planner), watch.signal)
        .catch((error: unknown) => {
          if (!signal?.aborted) throw refusal(planner, error, watch.reason());
        })
        .finally(watch.end);
      if (signal?.aborted) return;
    }
  } finally {
    await thread.close();
  }
}

function refusal(planner: string, error: unknown, stopped: string | null): InputError {
  if (error instanceof InputError) {
    const { code, problem, hint, location } = error;
    return new InputError(code, problem, hint, location, planner);
  }
  return new InputError(
    'bad_module',
    `${planner} cannot be loaded: ${stopped ?? lossReason(error)}`,
    'let the module only define its planner, and do the work when that is called',
    {},
    planner,
  );
}
