import { deriveSeed } from '../core/random.js';
import { recordKey } from './record.js';
import type { RunInstance } from './sources.js';
import type { Task } from './task.js';

/** The run matrix: every planner on every instance, in every variant, so many times. */
export interface Matrix {
  readonly instances: readonly RunInstance[];
  readonly planners: readonly string[];
  readonly variants: readonly string[];
  readonly replicates: number;
  /** Base seed, from which that of every task is derived. */
  readonly seed: number;
}

/** The number of records that the matrix asks for. */
export function matrixSize({ instances, planners, variants, replicates }: Matrix): number {
  return instances.length * planners.length * variants.length * replicates;
}

/**
 * The tasks that are still to be done, instance by instance, always in the same order. Each
 * instance is loaded when its first task is due and let go after its last, so only those being
 * worked on are in memory, and the tasks of one share it.
 *
 * Replicate r of an instance meets the same randomness whatever the planner: its seed derives
 * from (base seed, suite, instance, replicate, 'plan').
 *
 * @param done keys of the records that are there already
 * @param schedulePath where to save the schedule of a task, or null
 */
export function* openTasks(
  matrix: Matrix,
  done: ReadonlySet<string>,
  schedulePath: (task: Omit<Task, 'schedulePath'>) => string | null,
): Generator<Task> {
  const { instances, planners, variants, replicates, seed } = matrix;
  for (const { name, suite, load } of instances) {
    let loaded: ReturnType<typeof load> | undefined;
    for (const planner of planners) {
      for (const variant of variants) {
        for (let replicate = 0; replicate < replicates; replicate++) {
          if (done.has(recordKey({ instance: name, planner, variant, replicate }))) continue;
          loaded ??= load();
          const task = {
            ...loaded,
            suite,
            planner,
            variant,
            replicate,
            seed: deriveSeed(seed, suite, name, replicate, 'plan'),
          };
          yield { ...task, schedulePath: schedulePath(task) };
        }
      }
    }
  }
}
