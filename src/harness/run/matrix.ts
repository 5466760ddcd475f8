import { once } from '@alas-jssp/core/once';
import type { Instance } from '../../jssp/instance.js';
import { plannerName } from '../../jssp/planner-name.js';
import { seedOf } from '../../jssp/seeds.js';
import type { Variant } from '../../pipeline/blueprint/spec.js';
import { isSyntheticPlanner } from '../../pipeline/planners/planners.js';
import { type RecordIdentity, recordKey } from '../records/record.js';
import type { Cell } from '../worker/task.js';
import { isAllowedIn } from './fill-spec.js';
import { methodsOf } from './manifest.js';
import type { RunInstance } from './sources.js';
import type { FilledRunSpec } from './spec.js';

/** The axes of a run matrix besides its instances. */
type Axes = Pick<
  FilledRunSpec,
  'planners' | 'variants' | 'objective' | 'disruption' | 'replicates' | 'seed'
>;

/** An instance of a run without its loader: enough to identify records. */
export type IdentifiedInstance = Omit<RunInstance, 'load'>;

/**
 * The identities of a run's tasks: every planner on every instance, in every variant, for each replicate. Tasks are
 * numbered by instance, always in the same order.
 */
export interface TaskMatrix extends Axes {
  readonly instances: readonly IdentifiedInstance[];
}

/** The run matrix: tasks with one record per method, and loadable instances. */
export interface Matrix extends Axes {
  readonly instances: readonly RunInstance[];
}

/** Cells with missing records that share a plan: they differ only in the method. */
export interface OpenCells {
  readonly cells: readonly Cell[];
  /** Their instance, in shared memory; cells of an instance load it once, if possible. */
  load(): Instance;
}

/** A task of a matrix: what all its records share, except their seeds. */
interface MatrixTask extends Omit<RecordIdentity, 'method' | 'variant'> {
  readonly variant: Variant;
  readonly specification: string;
}

/** The number of records of the matrix. */
export function matrixSize(matrix: TaskMatrix): number {
  return matrixTasks(matrix) * methodsOf(matrix).length;
}

/** The number of tasks of the matrix; each makes one record per method. */
export function matrixTasks(matrix: TaskMatrix): number {
  return matrix.instances.length * tasksEach(matrix);
}

/**
 * The open cells by instance, always in the same order. An instance is not referenced after its last cell, so only
 * those in use stay in memory.
 *
 * @param done keys of the existing records
 */
export function* openCells(matrix: Matrix, done: ReadonlySet<string>): Generator<OpenCells> {
  const each = tasksEach(matrix);
  for (const [i, { load }] of matrix.instances.entries()) {
    const loadOnce = once(load);
    for (let index = i * each; index < (i + 1) * each; index++) {
      if (isOpen(matrix, index, done))
        yield { cells: cellsAt(matrix, index, done), load: loadOnce };
    }
  }
}

/** Whether a record of a task is missing. */
export function isOpen(matrix: TaskMatrix, index: number, done: ReadonlySet<string>): boolean {
  const task = taskAt(matrix, index);
  return methodsOf(matrix).some((method) => !done.has(recordKey({ ...task, method })));
}

/**
 * The cells of a task: one for every method.
 *
 * Replicate r of an instance has the same randomness for every planner and method: its seed derives from (base seed,
 * suite, instance, replicate, 'plan'), those of the later stages from (…, 'repair'), (…, 'optimize') and (…,
 * 'execute'), that of injected events from (base seed, suite, instance, replicate) alone.
 *
 * @param done keys of the existing records, whose cells are omitted
 */
export function cellsAt(
  matrix: TaskMatrix,
  index: number,
  done: ReadonlySet<string> = new Set(),
): readonly Cell[] {
  const task = taskAt(matrix, index);
  const { suite, jobs, machines, bounds } = instanceAt(matrix, index);
  const { instance, planner, specification, variant, replicate } = task;
  const synthetic = isSyntheticPlanner(specification);
  const seeds = seedsOf(matrix.seed, { suite, name: instance }, replicate);
  const { objective } = matrix;
  const size = { jobs, machines };
  const head = { instance, suite, ...size, planner, specification, synthetic, variant, objective };
  return methodsOf(matrix)
    .map((method): Cell => ({ ...head, method, replicate, ...seeds, bounds }))
    .filter((cell) => !done.has(recordKey(cell)));
}

/** The instance of a task. */
export function instanceAt<T extends IdentifiedInstance>(
  matrix: TaskMatrix & { readonly instances: readonly T[] },
  index: number,
): T {
  return matrix.instances[Math.floor(index / tasksEach(matrix))];
}

/** The number of tasks of each instance. */
function tasksEach(matrix: TaskMatrix): number {
  return pairsOf(matrix).length * matrix.replicates;
}

function taskAt(matrix: TaskMatrix, index: number): MatrixTask {
  const { replicates } = matrix;
  const pairs = pairsOf(matrix);
  const [specification, variant] = pairs[Math.floor(index / replicates) % pairs.length];
  const { name: instance } = instanceAt(matrix, index);
  const planner = plannerName(specification);
  return { instance, planner, specification, variant, replicate: index % replicates };
}

/** The planners of a matrix with the variants allowed for them. */
function pairsOf({
  planners,
  variants,
}: Pick<Axes, 'planners' | 'variants'>): readonly (readonly [planner: string, Variant])[] {
  return planners.flatMap((planner) =>
    variants
      .filter((variant) => isAllowedIn(planner, variant))
      .map((variant) => [planner, variant] as const),
  );
}

function seedsOf(...origin: readonly [number, Pick<RunInstance, 'suite' | 'name'>, number]) {
  const derive = (...purpose: string[]) => seedOf(...origin, ...purpose);
  return {
    seed: derive('plan'),
    seeds: {
      repair: derive('repair'),
      optimize: derive('optimize'),
      execute: derive('execute'),
      events: derive(),
    },
  };
}
