import { timestamp } from '../core/clock.js';
import { describeMachine, expectedKeys, type Manifest, packageVersion } from './manifest.js';
import { type Matrix, matrixSize, openTasks } from './matrix.js';
import { createWorkerPool } from './pool.js';
import { type RunRecord, recordKey } from './record.js';
import {
  createRunDirectory,
  type RunDirectory,
  resumeRunDirectory,
  type StoredRun,
  schedulePath,
} from './run-directory.js';
import { type FilledRunOptions, fillRunOptions, type RunOptions } from './run-options.js';
import { identifyInstances } from './sources.js';
import { type RunSummary, summarize } from './summary.js';

/** What came out of a run; the records are in the order of the matrix. */
export interface RunResult extends StoredRun {
  readonly summary: RunSummary;
  /** True if the run was aborted before all records were made. */
  readonly interrupted: boolean;
}

/**
 * Runs every planner on every instance in worker threads and returns the judged results. Apart
 * from the measured seconds the records depend on the seed alone, not on the number of workers.
 * Tasks are made one at a time as workers become free, so a matrix may be of any size.
 *
 * @throws InputError if a planner, source, number or directory is no good; nothing has been run
 *   or written then
 */
export async function runBenchmark(options: RunOptions): Promise<RunResult> {
  const filled = fillRunOptions(options);
  const matrix = matrixOf(filled);
  const directory = openDirectory(filled, matrix);
  try {
    const manifest = directory?.manifest ?? manifestOf(filled, matrix);
    const records = await makeRecords(filled, matrix, directory);
    const total = matrixSize(matrix);
    const interrupted = records.size < total;
    const ordered = Array.from(expectedKeys(manifest), (key) => records.get(key) ?? []).flat();
    const summary = summarize(ordered, total, interrupted);
    const finished = { ...manifest, finished: timestamp(), interrupted };
    directory?.finish(finished, summary);
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
  const tasks = openTasks(matrix, new Set(records.keys()), schedulePaths(options));
  onProgress?.({ done: kept, kept, total });
  if (lanes === 0) return records;

  const pool = createWorkerPool(lanes, options.limits, signal);
  const work = async (): Promise<void> => {
    for (const task of tasks) {
      const record = signal?.aborted ? null : await pool.perform(task);
      if (record === null) return;
      records.set(recordKey(record), record);
      directory?.append(record);
      onRecord?.(record);
      onProgress?.({ done: records.size, kept, total });
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, work));
  } finally {
    await pool.close();
  }
  return records;
}

function matrixOf({ sources, planners, replicates, seed }: FilledRunOptions): Matrix {
  const instances = identifyInstances(sources);
  return { instances, planners, variants: ['full'], replicates, seed };
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
    workers: options.workers,
    save_schedules: options.saveSchedules,
    started: timestamp(),
    finished: null,
    interrupted: false,
  };
}

function openDirectory(options: FilledRunOptions, matrix: Matrix): RunDirectory | null {
  const { out, resume } = options;
  if (out === undefined) return null;
  const manifest = manifestOf(options, matrix);
  return resume ? resumeRunDirectory(out, manifest) : createRunDirectory(out, manifest);
}

function schedulePaths({ out, saveSchedules }: FilledRunOptions): Parameters<typeof openTasks>[2] {
  if (out === undefined || !saveSchedules) return () => null;
  return ({ instance, planner, variant, replicate }) =>
    schedulePath(out, [instance.name, planner, variant, replicate]);
}
