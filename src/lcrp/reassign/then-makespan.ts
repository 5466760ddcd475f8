import { replaceInstance } from '../../jssp/instance.js';
import { totalWeightedTardiness } from '../../jssp/objectives.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { chosenModes, withModes } from '../../jssp/shop-timing/lists.js';
import { isFeasible } from '../../validator/judge.js';
import { aimOf, goalOf } from '../phases/aim.js';
import { mayBreakTie, repairCost } from '../phases/cost.js';
import { deadlineOf } from '../phases/deadline.js';
import { onTimeLimits } from '../phases/then-makespan.js';
import { breaksTies, changePolicy, type RepairPolicy } from '../policy/policy.js';
import type { MethodResult, RepairContext, RepairTask } from '../task.js';
import { editedOperations } from './edited-operations.js';
import { reassignWork } from './reassign.js';
import { movesFor } from './repair-modes.js';

/**
 * Breaks ties of the total weighted tardiness by the makespan in shops with alternatives or other parts: work goes to
 * other places and machines for a lower makespan, while every job ends by its due date, or by its current end if that is
 * later. So a breakdown that makes nothing late still moves work to an idle machine.
 *
 * @param made the repair by the tardiness
 * @param compensated the schedule of phase 1
 */
export function thenMakespanElsewhere(
  task: RepairTask,
  made: MethodResult,
  compensated: Schedule,
  policy: RepairPolicy,
  context: RepairContext,
): MethodResult {
  const { schedule } = made;
  const { isOver } = deadlineOf(policy, context);
  if (policy.objective === 'makespan' || !breaksTies(policy) || policy.budget.passes === 0) {
    return made;
  }
  const planned = aimOf(task, 'makespan');
  if (schedule.makespan <= planned || isOver() || !isFeasible(schedule.instance, schedule.start)) {
    return made;
  }
  const rules = changePolicy(policy, { objective: 'makespan', budget: { target: null } });
  const deadline = onTimeLimits(schedule);
  const limited = (one: Schedule) =>
    createSchedule(replaceInstance(one.instance, { deadline }), one.start);
  const unit = compensated.makespan;
  const found = reassignWork(
    { ...task, instance: replaceInstance(task.instance, { deadline }) },
    limited(compensated),
    rules,
    {
      unit,
      goal: goalOf(rules, schedule.makespan, planned),
      evaluations: movesFor(policy, task.instance.operations),
      from: limited(schedule),
    },
    { ...context, isOver },
  );
  const own = withModes(task.instance, chosenModes(found.schedule.instance));
  const other = createSchedule(own, found.schedule.start);
  const costOf = (one: Schedule) => repairCost(task, one, rules, unit);
  const { mostEdited } = policy.limits;
  const isBetter =
    costOf(other) < costOf(schedule) &&
    totalWeightedTardiness(other) <= totalWeightedTardiness(schedule) &&
    mayBreakTie(task, other, compensated, policy) &&
    (mostEdited === null || editedOperations(task, other).length <= mostEdited);
  const evaluations = made.evaluations + found.evaluations;
  if (!isBetter) return { ...made, evaluations };
  const { neighbourhood: known } = made;
  const neighbourhood =
    known === null ? null : Int32Array.from(new Set([...known, ...found.neighbourhood])).sort();
  const phase = made.phase === 'recompute' ? made.phase : 'reordering';
  return { ...made, schedule: other, phase, neighbourhood, evaluations, reordered: other };
}
