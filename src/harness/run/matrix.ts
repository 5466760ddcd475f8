import { once } from '../../core/once.js';
import type { Instance } from '../../jssp/instance.js';
import { seedOf } from '../../jssp/seeds.js';
import { isSyntheticPlanner } from '../../pipeline/planners/planners.js';
import { recordKey } from '../records/record.js';
import type { Cell } from '../worker/task.js';
import { methodsOf } from './manifest.js';
import type { RunInstance } from './sources.js';
import { type FilledRunSpec, suits } from './spec.js';

/** The run matrix: every planner on every instance, in every variant, by every method, so many times. */
export interface Matrix
  extends Pick<FilledRunSpec, 'planners' | 'variants' | 'disruption' | 'replicates' | 'seed'> {
  readonly instances: readonly RunInstance[];
}

/** Cells whose records are missing and that share a plan: they differ in the method alone. */
export interface OpenCells {
  readonly cells: readonly Cell[];
  /** Their instance, in shared memory; the cells of an instance load it once, if they can. */
  load(): Instance;
}

/** The number of records that the matrix asks for. */
export function matrixSize(matrix: Matrix): number {
  const { instances, planners, variants, replicates } = matrix;
  const methods = methodsOf(matrix);
  const pairs = planners.flatMap((planner) => variants.filter((name) => suits(planner, name)));
  return instances.length * pairs.length * methods.length * replicates;
}

/**
 * The cells that are still to be done, instance by instance, always in the same order. Nothing
 * here keeps an instance after its last cell, so only those being worked on are in memory.
 *
 * Replicate r of an instance meets the same randomness whatever the planner and the method: its
 * seed derives from (base seed, suite, instance, replicate, 'plan'), those of the stages after it
 * from (…, 'repair'), (…, 'optimize') and (…, 'execute'), that of injected events from
 * (base seed, suite, instance, replicate) alone.
 *
 * @param done keys of the records that are there already
 */
export function* openCells(matrix: Matrix, done: ReadonlySet<string>): Generator<OpenCells> {
  const { instances, planners, variants, replicates, seed: base } = matrix;
  const methods = methodsOf(matrix);
  for (const { name: instance, suite, jobs, machines, bounds, load } of instances) {
    const loadOnce = once(load);
    for (const planner of planners) {
      const synthetic = isSyntheticPlanner(planner);
      for (const variant of variants.filter((name) => suits(planner, name))) {
        for (let replicate = 0; replicate < replicates; replicate++) {
          const seeds = seedsOf(base, { suite, name: instance }, replicate);
          const cells = methods
            .map(
              (method): Cell => ({
                instance,
                suite,
                jobs,
                machines,
                planner,
                synthetic,
                variant,
                method,
                replicate,
                ...seeds,
                bounds,
              }),
            )
            .filter((cell) => !done.has(recordKey(cell)));
          if (cells.length > 0) yield { cells, load: loadOnce };
        }
      }
    }
  }
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
