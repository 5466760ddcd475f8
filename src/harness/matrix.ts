import { once } from '../core/once.js';
import { deriveSeed } from '../core/random.js';
import type { Instance } from '../jssp/instance.js';
import { recordKey } from './record.js';
import type { RunInstance } from './sources.js';
import type { Cell } from './task.js';

/** The run matrix: every planner on every instance, in every variant, so many times. */
export interface Matrix {
  readonly instances: readonly RunInstance[];
  readonly planners: readonly string[];
  readonly variants: readonly string[];
  readonly replicates: number;
  /** Base seed, from which that of every cell is derived. */
  readonly seed: number;
}

/** A cell whose record is missing. */
export interface OpenCell {
  readonly cell: Cell;
  /** Its instance, in shared memory; the cells of an instance load it once, if they can. */
  load(): Instance;
}

/** The number of records that the matrix asks for. */
export function matrixSize({ instances, planners, variants, replicates }: Matrix): number {
  return instances.length * planners.length * variants.length * replicates;
}

/**
 * The cells that are still to be done, instance by instance, always in the same order. Nothing
 * here keeps an instance after its last cell, so only those being worked on are in memory.
 *
 * Replicate r of an instance meets the same randomness whatever the planner: its seed derives
 * from (base seed, suite, instance, replicate, 'plan'), those of the stages after it from
 * (…, 'repair') and (…, 'optimize').
 *
 * @param done keys of the records that are there already
 */
export function* openCells(matrix: Matrix, done: ReadonlySet<string>): Generator<OpenCell> {
  const { instances, planners, variants, replicates, seed: base } = matrix;
  for (const { name: instance, suite, jobs, machines, bounds, load } of instances) {
    const loadOnce = once(load);
    for (const planner of planners) {
      for (const variant of variants) {
        for (let replicate = 0; replicate < replicates; replicate++) {
          if (done.has(recordKey({ instance, planner, variant, replicate }))) continue;
          const seed = deriveSeed(base, suite, instance, replicate, 'plan');
          const repairSeed = deriveSeed(base, suite, instance, replicate, 'repair');
          const optimizeSeed = deriveSeed(base, suite, instance, replicate, 'optimize');
          const identity = { instance, suite, planner, variant, replicate };
          const seeds = { seed, repairSeed, optimizeSeed };
          yield { cell: { ...identity, ...seeds, jobs, machines, bounds }, load: loadOnce };
        }
      }
    }
  }
}
