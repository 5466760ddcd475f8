import { timestamp } from '../core/clock.js';
import { packageVersion } from '../core/package-version.js';
import type { Instance } from '../jssp/instance.js';
import { errorLine } from '../pipeline/error-line.js';
import { pipelineWorkflow } from '../pipeline/pipeline.js';
import { requireComparable } from './compare.js';
import { describeMachine, expectedCells, type Manifest, methodsOf } from './manifest.js';
import { type Matrix, matrixSize, type OpenCells, openCells } from './matrix.js';
import { createWorkerPool, type WorkerPool } from './pool.js';
import { probePlanners } from './probe.js';
import { isCutShort, type RunRecord, recordKey } from './record.js';
import {
  createRunDirectory,
  type RunDirectory,
  resumeRunDirectory,
  type StoredRun,
  savedFiles,
} from './run-directory.js';
import { logOf, openLogFile, requireUnchangedRuns } from './run-log.js';
import { type FilledRunOptions, fillRunOptions, type RunOptions } from './run-options.js';
import { identifyInstances } from './sources.js';
import { type RunSummary, summarize } from './summary.js';
import { type Cell, lostRecord, type SavedFiles } from './task.js';

/** What came out of a run; the records are in the order of the matrix. */
export interface RunResult extends StoredRun {
  readonly summary: RunSummary;
  /** True if the run was aborted before all records were made, or cut one short. */
  readonly interrupted: boolean;
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
  await probePlanners(filled.planners, filled.limits, filled.signal);
  await openLogFile(filled);
  const directory = openDirectory(filled, planned);
  try {
    const kept = new Set(directory?.kept.map(recordKey));
    await requireUnchangedRuns(filled, openCells(matrix, kept));
    const manifest = directory?.manifest ?? planned;
    const records = await makeRecords(filled, matrix, directory);
    // The threads are gone: what they left beside the file of the log goes into it.
    await openLogFile(filled);
    const total = matrixSize(matrix);
    const cells = [...expectedCells(manifest)];
    const ordered = cells.flatMap((cell) => records.get(recordKey(cell)) ?? []);
    const interrupted = ordered.length < total || ordered.some(isCutShort);
    const summary = summarize(ordered, total, interrupted);
    const finished = { ...manifest, finished: timestamp(), interrupted };
    directory?.finish(finished, ordered, summary);
    return { manifest: finished, records: ordered, summary, interrupted };
  } finally {
    directory?.close();
  }
}

/** Makes the records that are missing, each worker one after the other, and returns them all. */
async function makeRecords(
  options: FilledRunOptions,
  matrix: Matrix,
  directory: RunDirectory | null,
): Promise<Map<string, RunRecord>> {
  const { signal, onRecord, onProgress } = options;
  const records = new Map(directory?.kept.map((record) => [recordKey(record), record]));
  const kept = records.size;
  const total = matrixSize(matrix);
  const lanes = Math.min(options.workers, total - kept);
  const cells = openCells(matrix, new Set(records.keys()));
  onProgress?.({ done: kept, kept, total });
  if (lanes === 0) return records;

  const pool = createWorkerPool(lanes, options.limits, signal);
  const work = async (): Promise<void> => {
    for (const open of cells) {
      const made = signal?.aborted ? null : await makeRecordsOf(open, pool, options);
      if (made === null) return;
      for (const record of made) {
        records.set(recordKey(record), record);
        directory?.append(record);
        onRecord?.(record);
        onProgress?.({ done: records.size, kept, total });
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, work));
  } finally {
    await pool.close();
  }
  return records;
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
  const { budget, repair: repairs, rounds, executing } = options;
  const execute = executing && {
    ...executing.resolve(instance),
    policyName: executing.settings.policy,
  };
  const files = filesOf(cells, options);
  const log = logOf(cells[0], options);
  const workflow = await workflowOf(cells[0], options);
  return pool.perform({ cells, instance, workflow, repairs, rounds, budget, execute, files, log });
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
    rounds: options.rounds,
    optimize: options.optimize ?? null,
    disruption: options.executing?.settings ?? null,
    workers: options.workers,
    limits: {
      seconds: options.limits.seconds ?? null,
      megabytes: options.limits.megabytes ?? null,
    },
    log: options.log ?? null,
    save_schedules: options.saveSchedules,
    started: timestamp(),
    finished: null,
    interrupted: false,
  };
}

function openDirectory(options: FilledRunOptions, manifest: Manifest): RunDirectory | null {
  const { out, resume } = options;
  if (out === undefined) return null;
  return resume ? resumeRunDirectory(out, manifest) : createRunDirectory(out, manifest);
}

function workflowOf({ variant }: Cell, { repair, rounds, budget }: FilledRunOptions) {
  const seed = 0; // It is in no workflow.
  return pipelineWorkflow({
    variant,
    repair: repair ? { seed, rounds } : undefined,
    optimize: budget === null ? undefined : { budget, seed },
  });
}

function filesOf(
  cells: readonly Cell[],
  { out, saveSchedules }: FilledRunOptions,
): SavedFiles[] | null {
  if (out === undefined || !saveSchedules) return null;
  return cells.map((cell) => savedFiles(out, cell));
}
