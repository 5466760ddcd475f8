import { type Instance, isFree, replaceInstance } from '../../jssp/instance.js';
import { type Objective, objectiveValue } from '../../jssp/objectives.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { isPlain } from '../../jssp/shop-parts.js';
import { listOf, timeList, withModes } from '../../jssp/shop-timing/lists.js';
import { orderByTime } from '../../search/evolution/solution.js';
import { missesDeadline } from '../phases/cost.js';
import { alignWithPlan } from '../phases/realign.js';
import { remainderOf, startsOfWhole } from '../phases/remainder.js';
import type { RepairTask } from '../task.js';
import { tailsTo } from './moves.js';
import { openState } from './shop-state.js';

/**
 * The schedule with the same modes and queues whose starts are as close to the plan as its objective allows.
 *
 * @param tight a schedule in which every operation starts as early as possible
 * @param ends the ends of pinned operations, which must not be later
 */
export function alignParts(
  task: RepairTask,
  tight: Schedule,
  objective: Objective,
  ends: ReadonlyMap<number, number>,
): Schedule {
  const instance = withModes(task.instance, tight.instance.modes?.chosen ?? new Int32Array());
  if (!isPlain(instance)) return alignLists(task, instance, tight, objective, ends);
  const remainder = remainderOf(instance);
  const { operation, frozenEnd } = remainder;
  const pinned = { has: (i: number) => ends.has(operation[i]) };
  const start = alignWithPlan(releasedLike(remainder.instance, tight, operation, ends), {
    order: orderByTime(operation.map((op) => tight.start[op])),
    planned: operation.map((op) => task.planned[op]),
    objective,
    floor: frozenEnd,
    pinned,
  });
  return createSchedule(instance, startsOfWhole(instance, remainder, start));
}

/** The remainder in which pinned operations are not released before their start. */
function releasedLike(
  shop: Instance,
  tight: Schedule,
  operation: Int32Array,
  ends: ReadonlyMap<number, number>,
): Instance {
  if (ends.size === 0) return shop;
  const release = shop.release?.slice() ?? new Int32Array(shop.operations);
  operation.forEach((op, i) => {
    if (ends.has(op)) release[i] = Math.max(release[i], tight.start[op]);
  });
  return replaceInstance(shop, { release });
}

/** Shares of the delay towards the plan that are tried, the largest first. */
const SHARES = [1, 0.5];

/**
 * Shops with more parts: operations are released at their planned starts, or as much later as they can wait; the first
 * release dates with which nothing gets worse are taken.
 */
function alignLists(
  task: RepairTask,
  instance: Instance,
  tight: Schedule,
  objective: Objective,
  ends: ReadonlyMap<number, number>,
): Schedule {
  const { planned } = task;
  const own = createSchedule(instance, tight.start);
  const { order, modes } = listOf(own);
  const latest = latestStarts(own, objective, ends);
  const value = objectiveValue(own, objective);
  for (const share of SHARES) {
    const release = instance.release?.slice() ?? new Int32Array(instance.operations);
    for (let op = 0; op < release.length; op++) {
      if (!isFree(instance, op) || planned[op] < 0) continue;
      const wait = Math.min(planned[op], latest[op]) - own.start[op];
      if (wait > 0) release[op] = Math.max(release[op], own.start[op] + Math.floor(share * wait));
    }
    const start = timeList(replaceInstance(instance, { release }), order, modes);
    if (start === null) continue;
    const found = createSchedule(instance, start);
    const isLate = [...ends].some(([op, by]) => found.end[op] > by);
    const isWorse = objectiveValue(found, objective) > value;
    if (isLate || isWorse || (missesDeadline(found) && !missesDeadline(own))) continue;
    return found;
  }
  return own;
}

/** N entries: the latest start of each operation with which nothing else gets later than it may. */
function latestStarts(
  schedule: Schedule,
  objective: Objective,
  ends: ReadonlyMap<number, number>,
): Float64Array {
  const { instance, start, end, makespan } = schedule;
  const { due, deadline, jobOf } = instance;
  const state = openState(schedule);
  state.order.set(listOf(schedule).order);
  const tail = new Int32Array(start.length);
  const latest = new Float64Array(start.length).fill(Number.POSITIVE_INFINITY);
  for (let target = 0; target < start.length; target++) {
    const job = jobOf[target];
    const isLast = state.successors.offset[target] === state.successors.offset[target + 1];
    let by = Number.POSITIVE_INFINITY;
    if (isLast) {
      if (objective === 'makespan') by = makespan;
      else if (due !== null && due[job] >= 0) by = Math.max(due[job], end[target]);
      if (deadline !== null && deadline[job] >= 0) {
        by = Math.min(by, Math.max(deadline[job], end[target]));
      }
    }
    by = Math.min(by, ends.get(target) ?? Number.POSITIVE_INFINITY);
    if (by === Number.POSITIVE_INFINITY) continue;
    tailsTo(state, target, tail);
    for (let op = 0; op < start.length; op++) {
      if (tail[op] < 0) continue;
      latest[op] = Math.min(latest[op], by - tail[op] - (end[op] - start[op]));
    }
  }
  return latest;
}
