import { errorLine } from '../../core/errors.js';
import type { Instance } from '../../jssp/instance.js';
import { lostRecord } from '../records/build-record.js';
import type { RunRecord } from '../records/record.js';
import { createWorkerPool, type WorkerPool } from '../worker/pool.js';
import { type Cell, readyTask } from '../worker/task.js';
import type { Executor, RunJob, RunWork } from './executor.js';
import { logRunId, savedFiles } from './file-names.js';
import { isOpen, type Matrix, matrixTasks, type OpenCells, openCells } from './matrix.js';
import { openRunModels, type RunModels } from './run-models.js';
import { askingPlanners } from './spec.js';

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
 * Planners that ask models come last: they have more tasks under way than there are threads, and would take
 * time from the others.
 */
async function performAll(job: RunJob, work: RunWork, models: RunModels | null): Promise<void> {
  const matrix: Matrix = { ...job.spec, instances: job.instances };
  const asking = askingPlanners(matrix);
  const computing = matrix.planners.filter((planner) => !asking.includes(planner));
  await performOpen({ ...matrix, planners: computing }, job, work, null);
  await performOpen({ ...matrix, planners: asking }, job, work, models);
}

/** Makes those records of a matrix that are missing, several at a time, each thread its own. */
async function performOpen(
  matrix: Matrix,
  job: RunJob,
  { done, take }: RunWork,
  models: RunModels | null,
): Promise<void> {
  const { signal, spec } = job;
  const { workers, limits } = spec;
  const threads = countOpen(matrix, done, workers);
  if (threads === 0) return;
  const cells = openCells(matrix, done);
  const pool = createWorkerPool(threads, limits, models?.tasks);
  const isOver = () => signal?.aborted || (models?.stopped() ?? null) !== null;
  const work = async (): Promise<void> => {
    for (const open of cells) {
      const records = isOver() ? null : await recordsOf(open, pool, job, models);
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

/** The tasks that are still to be done, counted up to a limit. */
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
  { spec, disruption, out, resume, signal }: RunJob,
  models: RunModels | null,
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
  return pool.perform({ ...task, files, log }, { models, signal });
}
