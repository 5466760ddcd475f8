import { replaceInstance } from '../../jssp/instance.js';
import { totalWeightedTardiness } from '../../jssp/objectives.js';
import { createSchedule, jobEnd, type Schedule } from '../../jssp/schedule.js';
import { refuseUnlessPlain } from '../../jssp/shop-parts.js';
import { breaksTies, changePolicy, evaluationsFor, type RepairPolicy } from '../policy/policy.js';
import type { MethodResult, RepairContext, RepairTask } from '../task.js';
import { aimOf } from './aim.js';
import { mayBreakTie, repairCost } from './cost.js';
import { deadlineOf } from './deadline.js';
import { grow } from './growth.js';

/** The share of the policy's evaluations for each of the two searches: with all of them, makespans are 0.1 % shorter. */
const TIE_SHARE = 0.25;

/**
 * Breaks ties of the total weighted tardiness by the makespan: among schedules that are at most as tardy as this one,
 * it finds one with a lower cost. The cost is the makespan plus the prices of the policy, as shares of the makespan. If
 * the repair that minimises the makespan is no tardier, it is the result, so due dates change nothing as long as
 * nothing is late. Otherwise the same search starts from this schedule, and every job must end by its due date, or by
 * its current end if that is later.
 *
 * @param made the repair by the tardiness
 * @param compensated the schedule of phase 1
 * @param byMakespan repairs the task by a policy whose objective is the makespan
 */
export function thenMakespan(
  task: RepairTask,
  made: MethodResult,
  compensated: Schedule,
  policy: RepairPolicy,
  context: RepairContext,
  byMakespan: (policy: RepairPolicy) => MethodResult,
): MethodResult {
  refuseUnlessPlain(task.instance, 'breaking ties by the makespan');
  const { isOver } = deadlineOf(policy, context);
  const planned = aimOf(task, 'makespan');
  if (!breaksTies(policy) || policy.budget.passes === 0) return made;
  if (made.schedule.makespan <= planned || isOver()) return made;
  const most = Math.ceil(TIE_SHARE * evaluationsFor(policy, task.instance.operations));
  const budget = { target: null, evaluations: most };
  const rules = changePolicy(policy, { objective: 'makespan', budget });
  const unit = compensated.makespan;
  const costOf = (one: Schedule) => repairCost(task, one, rules, unit);
  const tardiness = totalWeightedTardiness(made.schedule);
  const plain = byMakespan(rules);
  const isOnTime = totalWeightedTardiness(plain.schedule) <= tardiness;
  const other =
    isOnTime || isOver() ? plain : reorderOnTime(task, made, compensated, rules, context, planned);
  const evaluations =
    made.evaluations + plain.evaluations + (other === plain ? 0 : other.evaluations);
  const isBetter =
    mayBreakTie(task, other.schedule, compensated, policy) &&
    totalWeightedTardiness(other.schedule) <= tardiness &&
    costOf(other.schedule) < costOf(made.schedule);
  return { ...(isBetter ? other : made), evaluations };
}

/** Reorders for the makespan, with limits: every job ends by its due date, or by its current end if that is later. */
function reorderOnTime(
  task: RepairTask,
  made: MethodResult,
  compensated: Schedule,
  rules: RepairPolicy,
  context: RepairContext,
  planned: number,
): MethodResult {
  const { instance } = task;
  const limited = replaceInstance(instance, { deadline: onTimeLimits(made.schedule) });
  const from = createSchedule(limited, made.schedule.start);
  const value = from.makespan;
  const settings = { planned, value, from };
  const before = createSchedule(limited, compensated.start);
  const grown = grow({ ...task, instance: limited }, before, rules, settings, context);
  const { evaluations } = grown;
  if (grown.schedule === null) return { ...made, evaluations };
  const schedule = createSchedule(instance, grown.schedule.start);
  const { neighbourhood: known, phase } = made;
  const neighbourhood =
    known === null ? null : Int32Array.from(new Set([...known, ...grown.neighbourhood])).sort();
  const last = phase === 'recompute' ? phase : grown.phase;
  return { ...made, schedule, phase: last, neighbourhood, evaluations, reordered: schedule };
}

/** n entries: the time by which each job must be done to be no tardier, and to keep its deadline; −1 for any time. */
export function onTimeLimits(schedule: Schedule): Int32Array {
  const { jobs, jobOffset, due, deadline, weight } = schedule.instance;
  return Int32Array.from({ length: jobs }, (_, job) => {
    const times = [weight?.[job] === 0 ? -1 : (due?.[job] ?? -1), deadline?.[job] ?? -1];
    const known = times.filter((time) => time >= 0);
    if (known.length === 0) return -1;
    const most = Math.min(...known);
    const isEmpty = jobOffset[job] === jobOffset[job + 1];
    return isEmpty ? most : Math.max(most, jobEnd(schedule, job));
  });
}
