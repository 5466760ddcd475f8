import { once } from '../../core/once.js';
import type { Instance } from '../../jssp/instance.js';
import { seedOf } from '../../jssp/seeds.js';
import type { Variant } from '../../pipeline/blueprint/spec.js';
import { plannerName } from '../../pipeline/planners/planner-name.js';
import { isSyntheticPlanner } from '../../pipeline/planners/planners.js';
import { type RecordIdentity, recordKey } from '../records/record.js';
import type { Cell } from '../worker/task.js';
import { methodsOf } from './manifest.js';
import type { RunInstance } from './sources.js';
import { type FilledRunSpec, suits } from './spec.js';

/** The axes of a run matrix besides its instances. */
type Axes = Pick<
  FilledRunSpec,
  'planners' | 'variants' | 'objective' | 'disruption' | 'replicates' | 'seed'
>;

/** An instance of a run without the way to load it: all that the identity of a record takes. */
export type IdentifiedInstance = Omit<RunInstance, 'load'>;

/**
 * The tasks of a run by what identifies them: every planner on every instance, in every variant, so many
 * times. Tasks are numbered instance by instance, always in the same order.
 */
export interface TaskMatrix extends Axes {
  readonly instances: readonly IdentifiedInstance[];
}

/** The run matrix: tasks, each with a record for every method, and instances that can be loaded. */
export interface Matrix extends Axes {
  readonly instances: readonly RunInstance[];
}

/** Cells whose records are missing and that share a plan: they differ in the method alone. */
export interface OpenCells {
  readonly cells: readonly Cell[];
  /** Their instance, in shared memory; the cells of an instance load it once, if they can. */
  load(): Instance;
}

/** A task of a matrix: all that its records share but for their seeds. */
interface MatrixTask extends Omit<RecordIdentity, 'method' | 'variant'> {
  readonly variant: Variant;
  readonly specification: string;
}

/** The number of records that the matrix asks for. */
export function matrixSize(matrix: TaskMatrix): number {
  return matrixTasks(matrix) * methodsOf(matrix).length;
}

/** The number of tasks that the matrix asks for: each makes a record for every method. */
export function matrixTasks(matrix: TaskMatrix): number {
  return matrix.instances.length * tasksEach(matrix);
}

/**
 * The cells that are still to be done, instance by instance, always in the same order. Nothing
 * here keeps an instance after its last cell, so only those being worked on are in memory.
 *
 * @param done keys of the records that are there already
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
 * Replicate r of an instance meets the same randomness whatever the planner and the method: its
 * seed derives from (base seed, suite, instance, replicate, 'plan'), those of the stages after it
 * from (…, 'repair'), (…, 'optimize') and (…, 'execute'), that of injected events from
 * (base seed, suite, instance, replicate) alone.
 *
 * @param done keys of the records that are there already: their cells are left out
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

/** The tasks that each instance of a matrix has. */
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

/** The planners of a matrix, each with the variants that suit it. */
function pairsOf({
  planners,
  variants,
}: Pick<Axes, 'planners' | 'variants'>): readonly (readonly [planner: string, Variant])[] {
  return planners.flatMap((planner) =>
    variants
      .filter((variant) => suits(planner, variant))
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
