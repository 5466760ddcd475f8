import type { Random } from '../../core/random.js';
import { horizonOf } from '../../jssp/bounds.js';
import { createInstance, type Instance, MAX_TIME, replaceInstance } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';
import { dispatch } from '../construct/dispatch.js';
import { insertion } from '../construct/insertion.js';
import type { Rule } from '../construct/rules.js';
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

/**
 * Schedules an instance backwards from the end of a schedule, what ends last first, and then
 * forwards again, what has to start first in the backward schedule first: both without delay, as
 * dispatching rules do (forward-backward improvement: Tormos and Lova 2001,
 * doi:10.1023/A:1010997814183; Valls, Ballestín and Quintanilla 2005,
 * doi:10.1016/j.ejor.2004.04.008, call it justification). The result may be longer than what it
 * came from; a few times in a row it takes some percent off what a rule gives. The backward pass
 * leaves out releases, downtimes and frozen starts, the forward pass respects them. O(N log n).
 */
export function forwardBackward(instance: Instance, { end }: Schedule): Schedule {
  const backward = dispatch(reverse(instance), { rule: byKey(latestFirst(end)) });
  // What ends latest backwards has to start first.
  return dispatch(instance, { rule: byKey(latestFirst(backward.end)) });
}

/** Keys (N) for the other direction of time: what ends latest comes first. */
function latestFirst(end: Int32Array): Float64Array {
  return Float64Array.from(end, (time) => -time).reverse();
}

/** The instance in reversed time: operation op becomes number N − 1 − op. Durations and routes only. */
function reverse({ name, machines, jobs, jobOffset, machine, duration, operations }: Instance) {
  return createInstance({
    name,
    machines,
    jobOffset: Int32Array.from(jobOffset, (_, job) => operations - jobOffset[jobs - job]),
    machine: machine.toReversed(),
    duration: duration.toReversed(),
  });
}

function byKey(key: Float64Array): Rule {
  return {
    name: 'forward-backward',
    description: 'what has to start first, by the schedule in the other direction',
    source: 'doi:10.1016/j.ejor.2004.04.008',
    needsDueDates: false,
    prioritize: () => ({ kind: 'fixed', key }),
  };
}
