import { isFree } from '../../jssp/instance.js';
import { objectiveValue, otherObjective } from '../../jssp/objectives.js';
import type { Schedule } from '../../jssp/schedule.js';
import { breaksTies, evaluationsFor, type RepairPolicy } from '../policy/policy.js';
import type { MethodResult, RepairContext, RepairTask } from '../task.js';
import { aimOf } from './aim.js';
import { repairCost } from './cost.js';
import { deadlineOf } from './deadline.js';
import { openReordering } from './reorder.js';

/** The trials, as a share of the evaluations of the policy. */
const TIE_SHARE = 0.05;

/**
 * Breaks ties by the other objective: among schedules that cost no more than this one (by the objective and the prices
 * of the policy), it finds one with a lower makespan (if the objective is the tardiness) or a lower tardiness (if the
 * objective is the makespan). It continues the search from the schedule until the other objective meets the promise of
 * the plan, and realigns so that neither is later than the orders require.
 *
 * @param compensated the schedule of phase 1
 * @param unit the objective after compensation; costs of the policy are shares of it
 * @returns the given result, or the same with a schedule that costs no more and is better by the other objective
 */
export function breakTies(
  task: RepairTask,
  made: MethodResult,
  compensated: Schedule,
  policy: RepairPolicy,
  unit: number,
  context: RepairContext,
): MethodResult {
  const { schedule, neighbourhood } = made;
  const other = otherObjective(policy.objective);
  const otherOf = (one: Schedule) => objectiveValue(one, other);
  const costOf = (one: Schedule) => repairCost(task, one, policy, unit);
  const { isOver } = deadlineOf(policy, context);
  if (!breaksTies(policy) || neighbourhood?.length === 0 || isOver()) return made;
  const cost = costOf(schedule);
  if (cost === Number.POSITIVE_INFINITY || otherOf(schedule) <= aimOf(task, other)) return made;
  const free = schedule.start.map((_, op) => op).filter((op) => isFree(task.instance, op));
  const most = Math.ceil(TIE_SHARE * evaluationsFor(policy, task.instance.operations));
  const { seed } = context;
  const reordering = openReordering(task, compensated, policy, unit, seed, {
    from: schedule,
    breaksTies: true,
  });
  try {
    reordering.improve(neighbourhood ?? free, most, isOver);
    const found = reordering.schedule();
    const evaluations = made.evaluations + reordering.evaluations;
    const isBetter = costOf(found) <= cost && otherOf(found) < otherOf(schedule);
    return isBetter ? { ...made, schedule: found, evaluations } : { ...made, evaluations };
  } finally {
    reordering.close();
  }
}
