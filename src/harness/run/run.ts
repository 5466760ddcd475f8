import { timestamp } from '../../core/clock.js';
import { packageVersion } from '../../core/package-version.js';
import type { Instance } from '../../jssp/instance.js';
import { errorLine } from '../../pipeline/error-line.js';
import { pipelineWorkflow } from '../../pipeline/pipeline.js';
import { lostRecord } from '../records/build-record.js';
import { requireComparable } from '../records/compare.js';
import { isCutShort, type RunRecord, recordKey } from '../records/record.js';
import { type RunSummary, summarize } from '../records/summary.js';
import { createWorkerPool, probePlanners, type WorkerPool } from '../worker/pool.js';
import type { Cell, SavedFiles } from '../worker/task.js';
import { describeMachine, expectedCells, type Manifest, methodsOf } from './manifest.js';
import { type Matrix, matrixSize, type OpenCells, openCells } from './matrix.js';
import {
  createRunDirectory,
  type RunDirectory,
  resumeRunDirectory,
  type StoredRun,
  savedFiles,
} from './run-directory.js';
import { logOf, openLogFile, requireUnchangedRuns } from './run-log.js';
import { describeModels, openRunModels, type RunModels } from './run-models.js';
import { type FilledRunOptions, fillRunOptions, type RunOptions } from './run-options.js';
import { identifyInstances } from './sources.js';

/** What came out of a run; the records are in the order of the matrix. */
export interface RunResult extends StoredRun {
  readonly summary: RunSummary;
  /** True if the run ended before all records were made, or cut one short. */
  readonly interrupted: boolean;
  /** Why, if not because it was aborted: its budget is spent. */
  readonly stopped: string | null;
}

/**
 * Runs every planner on every instance in worker threads and returns the judged results. Apart
 * from the measured seconds the records depend on the seed alone, not on the number of workers.
 * Tasks are made one at a time as workers become free, so a matrix may be of any size.
 *
 * An instance that can no longer be loaded makes error records, like a planner that fails.
 *
 * @throws InputError if a planner, source, number, baseline, directory or log is no good; nothing
 *   has been run or written then
 */
export async function runBenchmark(options: RunOptions): Promise<RunResult> {
  const filled = fillRunOptions(options);
  const matrix = matrixOf(filled);
  const planned = manifestOf(filled, matrix);
  if (filled.baseline !== undefined) requireComparable(planned, filled.baseline);
  const models = await openRunModels(filled.asking, filled, filled.onWait ?? (() => {}));
  await probePlanners(filled.planners, filled.limits, filled.signal);
  await openLogFile(filled);
  const directory = openDirectory(filled, planned);
  try {
    const kept = new Set(directory?.kept.map(recordKey));
    await requireUnchangedRuns(filled, openCells(matrix, kept));
    const manifest = directory?.manifest ?? planned;
    const records = await makeRecords(filled, matrix, directory, models);
    // The threads are gone: what they left beside the file of the log goes into it.
    await openLogFile(filled);
    const total = matrixSize(matrix);
    const cells = [...expectedCells(manifest)];
    const ordered = cells.flatMap((cell) => records.get(recordKey(cell)) ?? []);
    const interrupted = ordered.length < total || ordered.some(isCutShort);
    const summary = summarize(ordered, total, interrupted);
    const stopped = interrupted ? (models?.stopped() ?? null) : null;
    const spent = models === null ? null : models.spent();
    const asked = manifest.models && { ...manifest.models, spent };
    const end = { finished: timestamp(), interrupted, stopped, models: asked };
    const finished = { ...manifest, ...end };
    directory?.finish(finished, ordered, summary);
    return { manifest: finished, records: ordered, summary, interrupted, stopped };
  } finally {
    directory?.close();
  }
}

/**
 * Makes the records that are missing and returns them all. Planners that ask models come last: they have
 * more tasks under way than there are threads, and would take time from the others.
 */
async function makeRecords(
  options: FilledRunOptions,
  matrix: Matrix,
  directory: RunDirectory | null,
  models: RunModels | null,
): Promise<Map<string, RunRecord>> {
  const { onRecord, onProgress, asking } = options;
  const records = new Map(directory?.kept.map((record) => [recordKey(record), record]));
  const kept = records.size;
  const total = matrixSize(matrix);
  onProgress?.({ done: kept, kept, total });
  const take = (record: RunRecord): void => {
    records.set(recordKey(record), record);
    directory?.append(record);
    onRecord?.(record);
    onProgress?.({ done: records.size, kept, total });
  };
  const computing = matrix.planners.filter((planner) => !asking.includes(planner));
  await makeMissing({ ...matrix, planners: computing }, records, options, null, take);
  await makeMissing({ ...matrix, planners: asking }, records, options, models, take);
  return records;
}

/** Makes those records of a matrix that are missing, several at a time, each thread its own. */
async function makeMissing(
  matrix: Matrix,
  records: ReadonlyMap<string, RunRecord>,
  options: FilledRunOptions,
  models: RunModels | null,
  take: (record: RunRecord) => void,
): Promise<void> {
  const { signal, workers, limits } = options;
  const made = [...records.values()].filter(({ planner }) => matrix.planners.includes(planner));
  const missing = matrixSize(matrix) - made.length;
  if (missing === 0) return;
  const cells = openCells(matrix, new Set(records.keys()));
  const threads = Math.min(workers, missing);
  const pool = createWorkerPool(threads, limits, signal, models);
  const isOver = () => signal?.aborted || (models?.stopped() ?? null) !== null;
  const work = async (): Promise<void> => {
    for (const open of cells) {
      const made = isOver() ? null : await makeRecordsOf(open, pool, options);
      if (made === null) return;
      made.forEach(take);
    }
  };
  try {
    await Promise.all(Array.from({ length: models?.tasks ?? threads }, work));
  } finally {
    await pool.close();
  }
}

async function makeRecordsOf(
  { cells, load }: OpenCells,
  pool: WorkerPool,
  options: FilledRunOptions,
): Promise<RunRecord[] | null> {
  let instance: Instance;
  try {
    instance = load();
  } catch (error) {
    return cells.map((cell) => lostRecord(cell, errorLine(error), 0));
  }
  const { budget, repair: repairs, repairer, rounds, executing } = options;
  const execute = executing && {
    ...executing.resolve(instance),
    policyName: executing.settings.policy,
  };
  const files = filesOf(cells, options);
  const log = logOf(cells[0], options);
  const workflow = await workflowOf(cells[0], options);
  const repairing = { repairs, repairer, rounds };
  return pool.perform({ cells, instance, workflow, ...repairing, budget, execute, files, log });
}

function matrixOf(options: FilledRunOptions): Matrix {
  const { sources, planners, variants, replicates, seed, executing } = options;
  const instances = identifyInstances(sources, (instance) => void executing?.resolve(instance));
  const methods = methodsOf({ disruption: executing?.settings ?? null });
  return { instances, planners, variants, methods, replicates, seed };
}

function manifestOf(options: FilledRunOptions, matrix: Matrix): Manifest {
  const { planners, variants, replicates, seed } = matrix;
  return {
    schema: 'alas-jssp/manifest@1',
    command: options.command ?? null,
    version: packageVersion(),
    commit: options.commit ?? null,
    seed,
    machine: describeMachine(),
    suite: options.suite ?? null,
    instances: matrix.instances.map(({ name, suite, sha256 }) => ({
      instance: name,
      suite,
      sha256,
    })),
    planners: [...planners],
    variants: [...variants],
    replicates,
    repair: options.repair,
    repairer: options.repairer,
    rounds: options.rounds,
    optimize: options.optimize ?? null,
    disruption: options.executing?.settings ?? null,
    workers: options.workers,
    limits: {
      seconds: options.limits.seconds ?? null,
      megabytes: options.limits.megabytes ?? null,
    },
    log: options.log ?? null,
    models: describeModels(options.asking, options),
    save_schedules: options.saveSchedules,
    started: timestamp(),
    finished: null,
    interrupted: false,
    stopped: null,
  };
}

function openDirectory(options: FilledRunOptions, manifest: Manifest): RunDirectory | null {
  const { out, resume } = options;
  if (out === undefined) return null;
  return resume ? resumeRunDirectory(out, manifest) : createRunDirectory(out, manifest);
}

function workflowOf({ variant, planner }: Cell, options: FilledRunOptions) {
  const { repair, repairer: by, rounds, budget, asking } = options;
  const seed = 0; // It is in no workflow.
  const stages = {
    variant,
    repair: repair ? { seed, rounds, by } : undefined,
    optimize: budget === null ? undefined : { budget, seed },
  };
  return pipelineWorkflow(stages, asking.includes(planner));
}

function filesOf(
  cells: readonly Cell[],
  { out, saveSchedules }: FilledRunOptions,
): SavedFiles[] | null {
  if (out === undefined || !saveSchedules) return null;
  return cells.map((cell) => savedFiles(out, cell));
}
