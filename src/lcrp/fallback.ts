import { createSchedule, type Schedule } from '../jssp/schedule.js';
import { optimize } from '../search/optimize.js';
import { orderByTime } from '../search/solution.js';
import { plannedTimes } from './compensate.js';
import type { RepairLimits, RepairPolicy } from './policy.js';
import { alignWithPlan } from './realign.js';
import { inTheWhole, remainderOf } from './remainder.js';
import type { RepairContext, RepairTask } from './task.js';

/**
 * Phase 4, fallback: a search over everything that is free, from the best schedule so far, ended by
 * a number of iterations; then realigned with the plan.
 */
export async function recompute(
  task: RepairTask,
  best: Schedule,
  { objective }: RepairPolicy,
  iterations: number,
  { seed, signal }: RepairContext,
): Promise<Schedule> {
  const { instance } = task;
  const remainder = remainderOf(instance);
  if (remainder.operation.length === 0) return best;
  const start = remainder.operation.map((op) => best.start[op]);
  const { schedule } = await optimize(remainder.instance, {
    objective,
    iterations,
    seed,
    signal,
    start: createSchedule(remainder.instance, start),
    stop: () => false,
  });
  const times = plannedTimes(task);
  const planned = remainder.operation.map((op) => times[op]);
  const order = orderByTime(schedule.start);
  const aligned = alignWithPlan(remainder.instance, {
    order,
    planned,
    objective,
    floor: remainder.frozenEnd,
  });
  return createSchedule(instance, inTheWhole(instance, remainder, aligned));
}

/** Whether the limits leave everything that is free to a recompute. */
export function leavesAllFree({
  mostChanged,
  notBefore,
  pinned,
  untouchableMachines,
}: RepairLimits) {
  return (
    mostChanged === null &&
    notBefore === null &&
    pinned.length === 0 &&
    untouchableMachines.length === 0
  );
}
