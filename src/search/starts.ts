import type { Random } from '../core/random.js';
import { type Instance, replaceInstance } from '../jssp/instance.js';
import { dispatch } from './dispatch.js';
import { insertion } from './insertion.js';
import { orderByTime } from './solution.js';

/** Above this many operations the insertion heuristic takes too long to start many times. */
const MOST_INSERTED = 4000;

/** Durations are multiplied by a random factor from 1 − this to 1 + this. */
const PERTURBATION = 0.5;

/**
 * A random starting order of all operations (N): a construction heuristic at work on perturbed
 * durations, insertion for all but large instances and dispatching for those.
 */
export function randomStart(instance: Instance, random: Random): Int32Array {
  const { frozen } = instance;
  const duration = instance.duration.map((d, op) => {
    if (d === 0 || (frozen !== null && frozen[op] >= 0)) return d;
    return Math.max(1, Math.round(d * (1 + PERTURBATION * (2 * random.next() - 1))));
  });
  const perturbed = replaceInstance(instance, { duration });
  const schedule =
    instance.operations <= MOST_INSERTED
      ? insertion(perturbed)
      : dispatch(perturbed, { rule: 'mwkr', seed: random.integer(0, 2 ** 31) });
  return orderByTime(schedule.start);
}
