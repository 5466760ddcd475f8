import type { Instance } from '../jssp/instance.js';
import type { Objective } from '../jssp/objectives.js';
import { createSchedule, machineSequences, type Schedule } from '../jssp/schedule.js';
import { semiActive } from '../jssp/timing.js';
import { unpin } from './pinned.js';
import type { Watched } from './watched.js';

/** What a search works on: an instance in a form that the kernel knows, and what it minimises. */
export interface Problem {
  /** The instance as it was given. */
  readonly given: Instance;
  /** The same without pinned operations. */
  readonly instance: Instance;
  readonly objective: Objective;
  readonly watched: Watched;
  /** The schedule, of the given instance, in which operations (N) follow an order. */
  scheduleOf(order: Int32Array): Schedule;
}

/** Prepares an instance for the search. */
export function createProblem(given: Instance, objective: Objective): Problem {
  const { instance, pinned } = unpin(given);
  return {
    given,
    instance,
    objective,
    watched: watch(given, pinned, objective),
    scheduleOf: (order) => {
      // Timed from nothing: what is returned rests on no incremental update.
      const place = new Int32Array(order.length);
      order.forEach((op, i) => {
        place[op] = i;
      });
      const { start } = semiActive(instance, machineSequences(createSchedule(instance, place)));
      if (pinned.length === 0) return createSchedule(given, start);
      const starts = start.slice();
      for (const op of pinned) starts[op] = given.frozen?.[op] ?? -1;
      return createSchedule(given, starts);
    },
  };
}

/** Limits (deadlines, what precedes pinned operations) and, if they are the objective, due dates. */
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

/** The weight of what may not be late at all. */
const LIMIT = -1;
