import { AlasError } from '@alas-jssp/core/errors';
import { once } from '@alas-jssp/core/once';
import type { Instance } from '../jssp/instance.js';
import { type Objective, objectiveValue } from '../jssp/objectives.js';
import { createSchedule, type Schedule } from '../jssp/schedule.js';
import { isClassic } from '../jssp/shop-parts.js';
import { withModes } from '../jssp/shop-timing/lists.js';
import { createShopTimer } from '../jssp/shop-timing/timer.js';
import { unpin } from './construct/pinned.js';
import type { Watched } from './kernel.js';
import { listOfSolution, solutionLength } from './solutions.js';
import { startsInOrder } from './timed-order.js';

/** The problem of a search: an instance in the form of its kernel, and its objective. */
export interface Problem {
  /** The given instance. */
  readonly given: Instance;
  /** The same without pinned operations; the given instance itself if it is not classic. */
  readonly instance: Instance;
  readonly objective: Objective;
  readonly watched: Watched;
  /** The length of its solutions: N if the shop is classic, otherwise 2N. */
  readonly solutionLength: number;
  /**
   * The schedule, of the given instance, of a solution: in a classic shop, operations (N) follow a topological order,
   * otherwise an order and modes (2N).
   *
   * @throws AlasError `frozen_unreachable` if a solution of a shop that is not classic has no schedule
   */
  scheduleOf(solution: Int32Array): Schedule;
  /** The objective of a schedule of the given instance; Infinity if it violates a limit. */
  valueOf(schedule: Schedule): number;
}

/** Prepares an instance for the search. */
export function createProblem(given: Instance, objective: Objective): Problem {
  return isClassic(given) ? classicProblem(given, objective) : shopProblem(given, objective);
}

function shopProblem(given: Instance, objective: Objective): Problem {
  const timer = once(() => createShopTimer(given));
  const watched = watchEnds(given);
  return {
    given,
    instance: given,
    objective,
    watched,
    solutionLength: solutionLength(given),
    scheduleOf: (solution) => {
      const { order, modes } = listOfSolution(solution);
      if (timer().time(order, modes) > 0) {
        throw new AlasError(
          'frozen_unreachable',
          `no schedule of ${given.name} in this order keeps every frozen start and every greatest waiting time`,
        );
      }
      return createSchedule(withModes(given, modes), timer().start.slice());
    },
    valueOf: (schedule) => valueWithin(schedule, watched, objective),
  };
}

function classicProblem(given: Instance, objective: Objective): Problem {
  const { instance, pinned } = unpin(given);
  const watched = watch(given, pinned, objective);
  return {
    given,
    instance,
    objective,
    watched,
    solutionLength: solutionLength(given),
    // Timed from scratch: the result does not depend on incremental updates.
    scheduleOf: (order) => {
      const start = startsInOrder(instance, order);
      return createSchedule(given, pinned.length === 0 ? start : restore(start, pinned, given));
    },
    valueOf: (schedule) => valueWithin(schedule, watched, objective),
  };
}

function valueWithin(schedule: Schedule, watched: Watched, objective: Objective): number {
  return breaksLimit(schedule, watched)
    ? Number.POSITIVE_INFINITY
    : objectiveValue(schedule, objective);
}

/** The starts (N), with pinned operations at their pinned starts. */
function restore(start: Int32Array, pinned: readonly number[], { frozen }: Instance): Int32Array {
  const starts = start.slice();
  for (const op of pinned) starts[op] = frozen?.[op] ?? -1;
  return starts;
}

function breaksLimit({ end }: Schedule, { op, due, weight }: Watched): boolean {
  return op.some((watched, i) => weight[i] === LIMIT && end[watched] > due[i]);
}

/** Limits (deadlines, predecessors of pinned operations) and, if they are the objective, due dates. */
function watch(instance: Instance, pinned: readonly number[], objective: Objective): Watched {
  const { jobs, jobOffset, jobOf, frozen, due, deadline, weight } = instance;
  const watched = { op: [] as number[], due: [] as number[], weight: [] as number[] };
  const add = (op: number, time: number, value: number) => {
    watched.op.push(op);
    watched.due.push(time);
    watched.weight.push(value);
  };
  for (const op of pinned) {
    const isFirst = op === jobOffset[jobOf[op]];
    if (!isFirst && frozen !== null && frozen[op - 1] < 0) add(op - 1, frozen[op], LIMIT);
  }
  for (let job = 0; job < jobs; job++) {
    const last = jobOffset[job + 1] - 1;
    if (last < jobOffset[job]) continue;
    if (deadline !== null && deadline[job] >= 0) add(last, deadline[job], LIMIT);
    const cost = weight === null ? 1 : weight[job];
    const matters = objective === 'total-weighted-tardiness' && cost > 0;
    if (matters && due !== null && due[job] >= 0) add(last, due[job], cost);
  }
  return watched;
}

/** The deadlines of a shop that is not classic, as limits of all operations of their jobs. */
function watchEnds({ jobs, jobOffset, deadline }: Instance): Watched {
  const watched = { op: [] as number[], due: [] as number[], weight: [] as number[] };
  for (let job = 0; job < jobs && deadline !== null; job++) {
    if (deadline[job] < 0) continue;
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      watched.op.push(op);
      watched.due.push(deadline[job]);
      watched.weight.push(LIMIT);
    }
  }
  return watched;
}

/** The weight of a limit. */
const LIMIT = -1;
