import { setMaxListeners } from 'node:events';
import { errorLine } from '@alas-jssp/core/errors';
import type { Instance } from '../../jssp/instance.js';
import { isProgram } from '../../pipeline/planners/planners.js';
import { lostRecord } from '../records/build-record.js';
import type { RunRecord } from '../records/record.js';
import { createWorkerPool, type WorkerPool } from '../worker/pool.js';
import { createProcessors, type Processors } from '../worker/processors.js';
import { createSharedPlans, type SharedPlans } from '../worker/shared-plans.js';
import { type Cell, readyTask } from '../worker/task.js';
import type { Executor, RunJob, RunWork } from './executor.js';
import { logRunId, savedFiles } from './file-names.js';
import { askingPlanners } from './fill-spec.js';
import { isOpen, type Matrix, matrixTasks, type OpenCells, openCells } from './matrix.js';
import { openRunModels, type RunModels } from './run-models.js';

/** Performs tasks in threads of this process. */
export const threadExecutor: Executor = {
  async prepare(job) {
    const models = await openRunModels(askingPlanners(job.spec), job.spec, job);
    return {
      async execute(work) {
        await performAll(job, work, models);
        return { stopped: models?.stopped() ?? null, spent: (await models?.spent()) ?? null };
      },
    };
  },
};

/**
 * Planners that use models start first: while they wait for the network, the others compute. All share the processors,
 * so that none slows down another.
 */
async function performAll(job: RunJob, work: RunWork, models: RunModels | null): Promise<void> {
  const matrix: Matrix = { ...job.spec, instances: job.instances };
  const asking = askingPlanners(matrix);
  const computing = matrix.planners.filter((planner) => !asking.includes(planner));
  const processors = createProcessors(job.spec.workers);
  const plans = createSharedPlans(job.spec, isProgram);
  const failed = new AbortController();
  const { signal: stop } = job;
  const signal = stop === undefined ? failed.signal : AbortSignal.any([stop, failed.signal]);
  // Every running task adds a listener; their number is the spec's choice.
  setMaxListeners(0, signal);
  const perform = async (planners: readonly string[], asked: RunModels | null): Promise<void> => {
    try {
      const shared = { models: asked, signal, processors, plans };
      await performOpen({ ...matrix, planners }, job, work, shared);
    } catch (error) {
      // After an error such as a full disk, the other tasks are useless.
      failed.abort(error);
      throw error;
    }
  };
  const all = await Promise.allSettled([perform(asking, models), perform(computing, null)]);
  for (const end of all) if (end.status === 'rejected') throw failed.signal.reason;
}

/** Makes the missing records of a matrix, several at a time, each in its own thread. */
async function performOpen(
  matrix: Matrix,
  job: RunJob,
  { done, take }: RunWork,
  shared: SharedByTasks,
): Promise<void> {
  const { models, signal } = shared;
  const { workers, limits } = job.spec;
  const threads = countOpen(matrix, done, workers);
  if (threads === 0) return;
  const cells = openCells(matrix, done);
  const pool = createWorkerPool(threads, limits, models?.tasks);
  const isOver = () => signal.aborted || (models?.stopped() ?? null) !== null;
  const work = async (): Promise<void> => {
    for (const open of cells) {
      const records = isOver() ? null : await recordsOf(open, pool, job, shared);
      if (records === null) return;
      take({ records, files: [], answers: [], stopped: null });
    }
  };
  try {
    await Promise.all(Array.from({ length: models?.tasks ?? threads }, work));
  } finally {
    await pool.close();
  }
}

/** Resources that the tasks of a run share. */
interface SharedByTasks {
  /** Null for tasks that use none. */
  readonly models: RunModels | null;
  readonly signal: AbortSignal;
  readonly processors: Processors;
  /** The plans of programs that variants share. */
  readonly plans: SharedPlans;
}

/** The number of open tasks, counted up to a limit. */
function countOpen(matrix: Matrix, done: ReadonlySet<string>, most: number): number {
  const tasks = matrixTasks(matrix);
  let count = 0;
  for (let index = 0; index < tasks && count < most; index++) {
    if (isOpen(matrix, index, done)) count++;
  }
  return count;
}

async function recordsOf(
  { cells, load }: OpenCells,
  pool: WorkerPool,
  { spec, disruption, out, resume }: RunJob,
  shared: SharedByTasks,
): Promise<RunRecord[] | null> {
  let instance: Instance;
  try {
    instance = load();
  } catch (error) {
    return cells.map((cell) => lostRecord(cell, errorLine(error), 0));
  }
  const saved = (cell: Cell) => savedFiles(out ?? '', cell);
  const task = await readyTask({ cells, instance, spec, disruption });
  const files = out === undefined || !spec.saveSchedules ? null : cells.map(saved);
  const log = spec.log === null ? null : { file: spec.log, runId: logRunId(cells[0]), resume };
  const { planned, keep, end } = await shared.plans.turn(cells[0]);
  try {
    return await pool.perform({ ...task, files, log, planned }, { ...shared, onProposed: keep });
  } finally {
    end();
  }
}
