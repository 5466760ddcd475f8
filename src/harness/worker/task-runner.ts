import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { isModelSpec } from '../../llm/planner-spec.js';
import {
  type DisruptionContent,
  type RunDisruption,
  resolveDisruption,
} from '../run/disruption.js';
import type { SavedText, TaskResult } from '../run/executor.js';
import {
  INSTANCES,
  SCHEDULES,
  STAGES,
  savedFiles,
  savedStages,
  stageFile,
} from '../run/file-names.js';
import { cellsAt, instanceAt } from '../run/matrix.js';
import { bundleMatrix, type RunBundle, taskCount } from '../run/run-bundle.js';
import type { RunModels } from '../run/run-models.js';
import type { TaskLimits } from '../run/spec.js';
import { createWorkerPool, type WorkerPool } from './pool.js';
import { type Cell, readyTask, type SavedFiles } from './task.js';
import {
  checkModules,
  createInstanceStore,
  type FetchContent,
  planFileOf,
} from './task-contents.js';
import { noModel } from './task-host.js';

/** Performs tasks of remote runs, several runs concurrently if necessary. */
export interface TaskRunner {
  /**
   * Performs a task of a run, as the threads of a local run would. Even if the thread dies, there is a record for each
   * of its cells.
   *
   * @param index of the task, below {@link taskCount}
   * @throws InputError `other_module` if a planner's module differs from that of the run, `other_instance` if an
   *   instance does; RangeError if there is no such task
   */
  perform(bundle: RunBundle, index: number, options: PerformOptions): Promise<TaskResult>;
  /** Stops the threads and their tasks. */
  close(): Promise<void>;
}

/** Inputs of a task besides its bundle. */
export interface PerformOptions {
  /** Fetches one of the {@link bundleContents}, by its SHA-256; the runner checks it. */
  readonly fetchContent: FetchContent;
  /** Ends the task early: a running search is cut short, other stages have no record. */
  readonly signal?: AbortSignal | undefined;
  /** For planners that use models; without it they get no answer. */
  readonly models?: RunnerModels | undefined;
}

/** The models that a task may ask. */
export interface RunnerModels
  extends Pick<RunModels, 'askFor' | 'onWait' | 'onBudgetSpent' | 'stopped'> {
  /** The models of planners with remote answers, see `ModelBundle`. */
  readonly replayed?: Readonly<Record<string, string>> | undefined;
}

/** Settings of a {@link TaskRunner}. */
export interface TaskRunnerOptions {
  /** Threads, each with one task at a time. */
  readonly slots: number;
  /** Concurrent tasks that use models; most of them wait. Default: one for each slot. */
  readonly asking?: number | undefined;
}

/** Starts a runner of tasks; its threads start with the first one. */
export function createTaskRunner({ slots, asking = slots }: TaskRunnerOptions): TaskRunner {
  const pools = createPools(slots, asking);
  const instances = createInstanceStore();
  const directory = mkdtempSync(join(tmpdir(), 'alas-jssp-tasks-'));
  return {
    async perform(bundle, index, { fetchContent, signal, models = NO_MODELS }) {
      if (!(index >= 0 && index < taskCount(bundle))) {
        throw new RangeError(`there is no task ${index} in this run`);
      }
      const matrix = bundleMatrix(bundle);
      const cells = cellsAt(matrix, index);
      const { spec } = bundle;
      const [{ specification }] = cells;
      const module = checkModules(bundle, specification);
      const instance = await instances.load(instanceAt(matrix, index), fetchContent);
      const planFile = await planFileOf(bundle, cells[0], fetchContent);
      const ready = await readyTask({ cells, instance, spec, disruption: disruptionOf(bundle) });
      const asks = isModelSpec(specification);
      const pool = pools.take(spec.limits, asks, module);
      const model = models.replayed?.[specification];
      const place = spec.saveSchedules ? placeFor(directory) : null;
      const files = place === null ? null : cells.map((cell) => savedFiles(place, cell));
      try {
        const run = { models: asks ? models : null, signal };
        const records = await pool.perform({ ...ready, files, model, planFile }, run);
        const stopped = records === null && asks ? models.stopped() : null;
        const texts = files?.flatMap((saved, i) => readTexts(saved, cells[i])) ?? [];
        return { records: records ?? [], files: texts, answers: [], stopped };
      } finally {
        pools.giveBack(pool);
        if (place !== null) rmSync(place, { recursive: true, force: true });
      }
    },
    async close() {
      await pools.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** For tasks that use models if there are none. */
const NO_MODELS: RunnerModels = {
  askFor: () => noModel,
  onWait: () => {},
  onBudgetSpent: () => {},
  stopped: () => null,
};

const disruptions = new WeakMap<DisruptionContent, RunDisruption>();

/** The disruption of a run: its files are parsed once for all its tasks. */
function disruptionOf({ disruption }: RunBundle): RunDisruption | null {
  if (disruption === null) return null;
  const resolved = disruptions.get(disruption) ?? resolveDisruption(disruption);
  disruptions.set(disruption, resolved);
  return resolved;
}

/** A directory for the schedules of a task until they are read. */
function placeFor(directory: string): string {
  const place = mkdtempSync(join(directory, 'task-'));
  for (const folder of [SCHEDULES, INSTANCES, STAGES]) mkdirSync(join(place, folder));
  return place;
}

/** The saved files of a cell, under their names in the directory of its run. */
function readTexts(saved: SavedFiles, cell: Cell): SavedText[] {
  const names = savedFiles('', cell);
  const text = (name: string, file: string): SavedText => ({
    name: name.replaceAll(sep, '/'),
    text: readFileSync(file, 'utf8'),
  });
  const stages = savedStages(saved).map((stage) =>
    text(stageFile(names, stage), stageFile(saved, stage)),
  );
  const others = (['instance', 'schedule'] as const).filter((key) => existsSync(saved[key]));
  return [...stages, ...others.map((key) => text(names[key], saved[key]))];
}

/** Threads for tasks of any runs. */
interface Pools {
  take(limits: TaskLimits, asks: boolean, module: string | null): WorkerPool;
  giveBack(pool: WorkerPool): void;
  close(): Promise<void>;
}

/** Number of idle pools that are kept for later tasks. */
const IDLE_POOLS = 2;

/**
 * Pools of threads: tasks share one if they have the same memory limit and agree in whether they use models. A planner
 * module has its own threads, because a thread that has loaded it cannot load another version.
 */
function createPools(slots: number, asking: number): Pools {
  const pools = new Map<string, { readonly pool: WorkerPool; tasks: number }>();
  const closeIdle = (most: number): void => {
    const idle = [...pools].filter(([, { tasks }]) => tasks === 0);
    for (const [key, { pool }] of idle.slice(0, Math.max(0, idle.length - most))) {
      pools.delete(key);
      void pool.close();
    }
  };
  return {
    take({ megabytes }, asks, module) {
      const key = JSON.stringify([megabytes, asks, module]);
      const tasks = asks ? asking : slots;
      const entry = pools.get(key) ?? {
        pool: createWorkerPool(slots, { megabytes }, tasks),
        tasks: 0,
      };
      entry.tasks++;
      // The pool that was used last comes last.
      pools.delete(key);
      pools.set(key, entry);
      closeIdle(IDLE_POOLS);
      return entry.pool;
    },
    giveBack(pool) {
      for (const entry of pools.values()) if (entry.pool === pool) entry.tasks--;
    },
    async close() {
      const all = [...pools.values()];
      pools.clear();
      await Promise.all(all.map(({ pool }) => pool.close()));
    },
  };
}
