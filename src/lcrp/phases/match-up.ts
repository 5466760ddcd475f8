import { isFree } from '../../jssp/instance.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { BROKEN } from '../../search/costs.js';
import { heldOperations } from '../pins/held-operations.js';
import type { RepairPolicy } from '../policy/policy.js';
import type { RepairTask } from '../task.js';
import { plannedTimes } from './compensate.js';
import { surroundingsOf } from './neighbourhood.js';
import { openReordering } from './reorder.js';

/** A schedule that is as planned again from some time on. */
export interface MatchUp {
  /** Null if none was found. */
  readonly schedule: Schedule | null;
  /** The operations that could move, ascending. */
  readonly neighbourhood: Int32Array;
  readonly evaluations: number;
}

/** The limits of moves that a search for one horizon evaluates: their number, and operations timed. */
const MAX_MOVES = 4000;
const MAX_TIMED = 2_000_000;
/** Searches for one horizon, each from the best queues of the one before. */
const RUNS = 8;

/**
 * Match-up scheduling (Bean, Birge, Mittenthal and Noon 1991, doi:10.1287/opre.39.3.470): operations planned from a
 * horizon on keep their planned starts, and operations planned before it are reordered until that is possible. The
 * horizon is one, two, four, … times the largest delay after the affected operations, and the first horizon with a
 * schedule is used. So few operations move, and the later part of the plan is kept.
 *
 * @param compensated the schedule of phase 1
 */
export function matchUp(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  seed: number,
  isOver: () => boolean,
): MatchUp {
  const { instance, planned, affected } = task;
  const none = { schedule: null, neighbourhood: new Int32Array(), evaluations: 0 };
  const surroundings = surroundingsOf(task, compensated, policy.limits);
  const mayMove = surroundings.within(surroundings.radius);
  const last = planned.reduce((latest, time) => Math.max(latest, time), 0);
  const fixed = new Set(heldOperations(task, policy.limits));
  // A pin that no schedule keeps has no planned start to match up with.
  for (const op of fixed) if (compensated.start[op] !== planned[op]) return none;
  const hit = affected.reduce((latest, op) => Math.max(latest, planned[op]), task.now);
  // Topological, as reordering requires: unplanned operations come after their predecessors in the job.
  const asPlanned = createSchedule(
    instance,
    plannedTimes(task).map((time, op) => (time < 0 ? compensated.start[op] : time)),
  );
  let evaluations = 0;
  for (let span = largestDelay(task, compensated); span > 0 && !isOver(); span *= 2) {
    const horizon = hit + span;
    if (horizon > last) break;
    const isOpen = (op: number) => planned[op] < horizon;
    const pinned = new Set(fixed);
    for (let op = 0; op < planned.length; op++) {
      if (isFree(instance, op) && !isOpen(op)) pinned.add(op);
    }
    const reordering = openReordering(task, compensated, policy, 0, seed, {
      from: asPlanned,
      pinned,
    });
    const neighbourhood = mayMove.filter(isOpen);
    const most = Math.min(MAX_MOVES, Math.ceil(MAX_TIMED / instance.operations)) / RUNS;
    try {
      for (let run = 0; run < RUNS && reordering.cost >= BROKEN && !isOver(); run++) {
        reordering.improve(neighbourhood, most, isOver);
      }
      evaluations += reordering.evaluations;
      if (reordering.cost < BROKEN) {
        return { schedule: reordering.schedule(), neighbourhood, evaluations };
      }
    } finally {
      reordering.close();
    }
  }
  return { ...none, evaluations };
}

/** The largest delay of an affected operation after compensation. */
function largestDelay({ planned, affected }: RepairTask, { start }: Schedule): number {
  let delay = 0;
  for (const op of affected) if (planned[op] >= 0) delay = Math.max(delay, start[op] - planned[op]);
  return delay;
}
