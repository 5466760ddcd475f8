import type { Random } from '@alas-jssp/core/random';
import { horizonOf, jobLengthBound, machineLoadBound } from '../../jssp/bounds.js';
import { createInstance, type Instance, MAX_TIME, replaceInstance } from '../../jssp/instance.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { generateActive } from '../construct/active.js';
import { dispatch } from '../construct/dispatch.js';
import { insertion } from '../construct/insertion.js';
import { generateNonDelay } from '../construct/non-delay.js';
import { orderByTime } from './solution.js';

/** The size above which the insertion heuristic is too slow for repeated starts. */
const MAX_INSERTED = 4000;

/** Durations are multiplied by a random factor from 1 − this to 1 + this: before insertion, … */
const PERTURBATION = 0.5;
/** … and before dispatching, where larger factors give worse results. */
const SLIGHT_PERTURBATION = 0.05;

/** How often a dispatched start is scheduled backwards and forwards without delay. */
const PASSES = 8;

/**
 * Random starting orders of all operations (N) from construction heuristics on perturbed durations. Small instances:
 * one, by insertion. Large ones: a series that tends to improve; the first is dispatched, and the others schedule it
 * backwards and forwards.
 *
 * @param progressOf the progress of the series, 0 to 1, at the beginning of a pass; the pass that begins at 1 is the
 *   last. The patience of machines grows with the progress, which gives schedules 2 to 3 % shorter than passes without
 *   delay. If it is omitted, the series has eight passes without delay
 */
export function* randomStarts(
  instance: Instance,
  random: Random,
  progressOf?: (pass: number) => number,
): Generator<Int32Array, void> {
  if (instance.operations <= MAX_INSERTED) {
    yield orderByTime(insertion(perturb(instance, random, PERTURBATION)).start);
    return;
  }
  const perturbed = perturb(instance, random, SLIGHT_PERTURBATION);
  let schedule = dispatch(perturbed, { rule: 'mwkr' });
  yield orderByTime(schedule.start);
  const reversed = reverse(instance);
  const waits = progressOf !== undefined && !isLedByMachines(instance);
  for (let pass = 0, progress = 0; progress < 1; pass++) {
    if (progressOf === undefined && pass === PASSES) return;
    progress = Math.min(1, progressOf?.(pass) ?? 0);
    const patience = waits ? progress : 0;
    const backward = inOrderOf(reversed, schedule, patience);
    schedule = inOrderOf(instance, backward, patience);
    yield orderByTime(schedule.start);
  }
}

/**
 * Whether machines have so much more work than jobs that no machine should wait. At 1000×100 a few passes without delay
 * nearly reach the machine load, and from 300×100 on their schedules are 1 % shorter than with patience.
 */
function isLedByMachines(instance: Instance): boolean {
  return machineLoadBound(instance) > 2 * jobLengthBound(instance);
}

/** Passes of a series of dispatched starts, if the budget is not known, … */
const USUAL_PASSES = 16;
/** … and at most. */
const MAX_PASSES = 256;

/**
 * The progress of a series of dispatched starts: from 0 to 1 while a share of the budget is used.
 *
 * @param spent the used share of the budget, 0 to 1; 1 also for an unknown budget
 * @param share the share of the budget for the series
 */
export function seriesProgress(spent: () => number, share: number): (pass: number) => number {
  const from = spent();
  if (from === 1) return (pass) => pass / USUAL_PASSES;
  return (pass) => Math.max((spent() - from) / share, pass / MAX_PASSES);
}

/** The instance with random durations; started operations keep theirs. */
function perturb(instance: Instance, random: Random, most: number): Instance {
  const { frozen } = instance;
  // Only proportions matter: if times have no room to grow, all of them shrink.
  const hasRoom = 2 * horizonOf(instance) <= MAX_TIME;
  const scale = hasRoom ? 1 : 1 / (2 + 2 * most);
  const duration = instance.duration.map((d, op) => {
    if (d === 0 || (frozen !== null && frozen[op] >= 0)) return d;
    return Math.max(1, Math.round(d * scale * (1 + most * (2 * random.next() - 1))));
  });
  return replaceInstance(instance, { duration });
}

/**
 * Schedules an instance backwards from the end of a schedule, operations that end last first, and then forwards again,
 * in the order of starts of the backward schedule. Both passes work like dispatching rules, without delay or with some
 * patience (forward-backward improvement: Tormos and Lova 2001, doi:10.1023/A:1010997814183; Valls, Ballestín and
 * Quintanilla 2005, doi:10.1016/j.ejor.2004.04.008, use the name justification). The result may be longer than its
 * input; repeated a few times it improves the result of a rule by some percent. The backward pass ignores releases,
 * downtimes and frozen starts, the forward pass respects them. O(N log N).
 *
 * @param patience of machines that wait for the next operation, 0 to 1, as in `generateActive`
 */
export function forwardBackward(instance: Instance, schedule: Schedule, patience = 0): Schedule {
  return inOrderOf(instance, inOrderOf(reverse(instance), schedule, patience), patience);
}

/** Schedules an instance by a schedule in reversed time: operations that end latest there start first. */
function inOrderOf(instance: Instance, other: Schedule, patience: number): Schedule {
  const priority = { kind: 'fixed', key: latestFirst(other.end) } as const;
  const start =
    patience === 0
      ? generateNonDelay(instance, priority)
      : generateActive(instance, priority, patience);
  return createSchedule(instance, start);
}

/** Keys (N) for reversed time: the operation that ends latest comes first. */
function latestFirst(end: Int32Array): Float64Array {
  const key = new Float64Array(end.length);
  const last = end.length - 1;
  for (let op = 0; op <= last; op++) key[op] = -end[last - op];
  return key;
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
