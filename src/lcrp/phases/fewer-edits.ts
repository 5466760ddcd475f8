import type { Instance } from '../../jssp/instance.js';
import { objectiveValue, totalWeightedTardiness } from '../../jssp/objectives.js';
import type { Schedule } from '../../jssp/schedule.js';
import { isFeasible } from '../../validator/judge.js';
import { postponed } from '../baselines/postpone.js';
import { breaksTies, hasLimits, hasNamedPrices, type RepairPolicy } from '../policy/policy.js';
import type { MethodResult, RepairContext, RepairTask } from '../task.js';
import { aimOf } from './aim.js';
import { mayBreakTie, missesDeadline, repairCost } from './cost.js';
import { deadlineOf } from './deadline.js';
import { createEditCounter } from './edited.js';
import { matchUp } from './match-up.js';
import { surroundingsOf } from './neighbourhood.js';

/** The size up to which matching up takes no longer than the other phases. */
const MAX_OPERATIONS = 20_000;

/** Whether a repair that edits more operations than were hit searches for one that edits fewer. */
export function mayMatchUp(
  { operations }: Pick<Instance, 'operations'>,
  policy: RepairPolicy,
): boolean {
  const byTardiness = policy.objective === 'total-weighted-tardiness' && breaksTies(policy);
  return byTardiness && policy.budget.passes > 0 && operations <= MAX_OPERATIONS;
}

/**
 * Keeps more of the plan if that makes no job later: a schedule that returns to the plan after a while ({@link
 * matchUp}) replaces the repair if it differs from the plan in fewer operations, the total tardiness is not larger, and
 * the makespan is no more than that of the repair or of the plan. A dense plan propagates a delay to nearly every
 * operation after it, where some changes of order would have absorbed it.
 *
 * @param repaired the repair by the tardiness and then the makespan; {@link orPostponed} replaces it if that is less
 *   tardy
 * @param compensated the schedule of phase 1
 */
export function withFewerEdits(
  task: RepairTask,
  repaired: MethodResult,
  compensated: Schedule,
  policy: RepairPolicy,
  context: RepairContext,
): MethodResult {
  const { isOver } = deadlineOf(policy, context);
  if (!mayMatchUp(task.instance, policy) || isOver()) return repaired;
  const made = orPostponed(task, repaired, compensated, policy);
  const tardiness = totalWeightedTardiness(made.schedule);
  // A schedule that returns to the plan is about as tardy as the plan.
  if (tardiness < aimOf(task, 'total-weighted-tardiness')) return made;
  const counter = createEditCounter(task);
  const edited = counter.edited(made.schedule.start).length;
  if (edited <= task.affected.length) return made;
  const found = matchUp(task, compensated, policy, context.seed, isOver);
  const evaluations = made.evaluations + found.evaluations;
  const { schedule, neighbourhood } = found;
  const isBetter =
    schedule !== null &&
    // A pin that no schedule keeps has no planned start to match up with.
    isFeasible(task.instance, schedule.start) &&
    mayBreakTie(task, schedule, compensated, policy) &&
    totalWeightedTardiness(schedule) <= tardiness &&
    schedule.makespan <= Math.max(made.schedule.makespan, aimOf(task, 'makespan')) &&
    counter.edited(schedule.start).length < edited;
  if (!isBetter) return { ...made, evaluations };
  return {
    ...made,
    schedule,
    phase: 'reordering',
    neighbourhood,
    evaluations,
    reordered: schedule,
  };
}

/**
 * The repair; if it is tardier than planned, the result of postponement if that is less tardy: a machine without idle
 * time propagates a delay to all operations after it, where a few jobs with slack could wait.
 */
function orPostponed(
  task: RepairTask,
  made: MethodResult,
  compensated: Schedule,
  policy: RepairPolicy,
): MethodResult {
  const tardiness = totalWeightedTardiness(made.schedule);
  if (tardiness <= aimOf(task, 'total-weighted-tardiness') || hasLimits(policy)) return made;
  if (surroundingsOf(task, compensated, policy.limits).radius > policy.radius.most) return made;
  const schedule = postponed(task);
  const unit = objectiveValue(compensated, policy.objective);
  const costOf = (one: Schedule) => repairCost(task, one, policy, unit);
  const isLess = totalWeightedTardiness(schedule) < tardiness && !missesDeadline(schedule);
  const isWorth = hasNamedPrices(policy) || costOf(schedule) < costOf(made.schedule);
  if (!isLess || !isWorth) return made;
  return { ...made, schedule, phase: 'recompute', neighbourhood: null, reordered: schedule };
}
