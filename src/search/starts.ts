import type { Random } from '../core/random.js';
import { horizonOf } from '../jssp/horizon.js';
import { type Instance, MAX_TIME, replaceInstance } from '../jssp/instance.js';
import { dispatch } from './dispatch.js';
import { forwardBackward } from './forward-backward.js';
import { insertion } from './insertion.js';
import { orderByTime } from './solution.js';

/** Above this many operations the insertion heuristic takes too long to start many times. */
const MOST_INSERTED = 4000;

/** Durations are multiplied by a random factor from 1 − this to 1 + this: before insertion, … */
const PERTURBATION = 0.5;
/** … and before dispatching, which gets worse the more they are. */
const SLIGHT_PERTURBATION = 0.05;

/** Times that a dispatched start is scheduled backwards and forwards. */
const PASSES = 8;

/**
 * Random starting orders of all operations (N) from construction heuristics at work on perturbed
 * durations. Small instances: one, by insertion. Large ones: a series that gets better on the
 * whole, first by dispatching and then by scheduling it backwards and forwards.
 */
export function* randomStarts(instance: Instance, random: Random): Generator<Int32Array, void> {
  if (instance.operations <= MOST_INSERTED) {
    yield orderByTime(insertion(perturb(instance, random, PERTURBATION)).start);
    return;
  }
  const perturbed = perturb(instance, random, SLIGHT_PERTURBATION);
  let schedule = dispatch(perturbed, { rule: 'mwkr' });
  yield orderByTime(schedule.start);
  for (let pass = 0; pass < PASSES; pass++) {
    schedule = forwardBackward(instance, schedule);
    yield orderByTime(schedule.start);
  }
}

/** The instance with other durations; what has started keeps its own. */
function perturb(instance: Instance, random: Random, most: number): Instance {
  const { frozen } = instance;
  // Only proportions matter: where times have no room to grow, all of them shrink.
  const hasRoom = 2 * horizonOf(instance) <= MAX_TIME;
  const scale = hasRoom ? 1 : 1 / (2 + 2 * most);
  const duration = instance.duration.map((d, op) => {
    if (d === 0 || (frozen !== null && frozen[op] >= 0)) return d;
    return Math.max(1, Math.round(d * scale * (1 + most * (2 * random.next() - 1))));
  });
  return replaceInstance(instance, { duration });
}
