import { objectiveValue } from '../../jssp/objectives.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { isClassic, isPlain } from '../../jssp/shop-parts.js';
import { chosenModes } from '../../jssp/shop-timing/lists.js';
import { unpin } from '../../search/construct/pinned.js';
import { hasPins } from '../../search/create-search.js';
import { isFeasible } from '../../validator/judge.js';
import { judgeRepair } from '../judge-repair.js';
import { goalOf } from '../phases/aim.js';
import { repairCost } from '../phases/cost.js';
import { deadlineOf } from '../phases/deadline.js';
import { grow } from '../phases/growth.js';
import type { RepairPolicy } from '../policy/policy.js';
import { reassignWork } from '../reassign/reassign.js';
import { movesFor, taskInModes } from '../reassign/repair-modes.js';
import type { MethodResult, RepairContext, RepairTask } from '../task.js';
import type { PlanClaims } from './claims.js';

/** A schedule, and the moves that were evaluated for it. */
export type ImprovedSchedule = Pick<MethodResult, 'schedule' | 'evaluations'>;

/** The target of the objective, and its value now. */
interface Values {
  readonly planned: number;
  readonly value: number;
}

/** Whether a schedule keeps all limits, and has no fixed starts in the future. */
export function canImprove({ instance, start }: Schedule): boolean {
  const isPinned = isClassic(instance) ? unpin(instance).pinned.length > 0 : hasPins(instance);
  return !isPinned && isFeasible(instance, start);
}

/**
 * Phases 2 and 3 after the repair of a plan: the schedule made from it is changed around the wrong operations, until its
 * objective meets the promise of the plan. In a classic shop queues are reordered; in others, work also goes to other
 * machines. The result never costs more, by a policy that compares places and machines with the rebuilt schedule.
 *
 * @param wrong the operations with violations in the plan: where the changes begin
 * @throws AlasError `bad_repair` if the validator refuses the result, which is a bug
 */
export function improveRebuilt(
  rebuilt: Schedule,
  claims: PlanClaims,
  wrong: Int32Array,
  policy: RepairPolicy,
  context: RepairContext,
): ImprovedSchedule {
  const nothing = { schedule: rebuilt, evaluations: 0 };
  const { instance, start } = rebuilt;
  const value = objectiveValue(rebuilt, policy.objective);
  const planned = Math.min(value, promisedValue(rebuilt, claims, policy));
  if (wrong.length === 0 || value <= planned || policy.budget.passes === 0) return nothing;
  const task: RepairTask = { instance, planned: start, now: 0, affected: wrong };
  const values = { planned, value };
  const found = isClassic(instance)
    ? reorder(task, rebuilt, policy, values, context)
    : reassign(task, rebuilt, policy, values, context);
  if (repairCost(task, found.schedule, policy, value) >= value) {
    return { ...nothing, evaluations: found.evaluations };
  }
  judgeRepair({ schedule: found.schedule, phase: 'reordering' }, 'of a plan');
  return found;
}

/** Reorders queues in the modes of a schedule, which is the result if nothing better is found. */
function reorder(
  task: RepairTask,
  from: Schedule,
  policy: RepairPolicy,
  values: Values,
  context: RepairContext,
): ImprovedSchedule {
  // The figures in results/reference were measured with one path.
  const onePath = { ...values, paths: 1 };
  const { schedule, evaluations } = grow(task, from, policy, onePath, context);
  return { schedule: schedule ?? from, evaluations };
}

/** Moves work to other places and machines; the queues of plain shops are then reordered in the new modes. */
function reassign(
  task: RepairTask,
  rebuilt: Schedule,
  policy: RepairPolicy,
  values: Values,
  context: RepairContext,
): ImprovedSchedule {
  const { isOver } = deadlineOf(policy, context);
  if (isOver()) return { schedule: rebuilt, evaluations: 0 };
  const { value, planned } = values;
  const settings = {
    unit: value,
    goal: goalOf(policy, value, planned),
    evaluations: movesFor(policy, task.instance.operations),
  };
  const own = { ...task, plannedModes: chosenModes(rebuilt.instance) };
  const moved = reassignWork(own, rebuilt, policy, settings, { ...context, isOver });
  if (!isPlain(task.instance)) return moved;
  const inNewModes = taskInModes(own, moved.schedule);
  const after = reorder(inNewModes, moved.schedule, policy, values, context);
  const costOf = (one: Schedule) => repairCost(own, one, policy, value);
  const isBetter = costOf(after.schedule) < costOf(moved.schedule);
  const { schedule } = isBetter ? after : moved;
  return { schedule, evaluations: moved.evaluations + after.evaluations };
}

/** The objective that the claimed starts promise; without claims there is no promise. */
function promisedValue(
  { instance }: Schedule,
  { start, usable }: PlanClaims,
  { objective }: RepairPolicy,
): number {
  if (usable === 0) return 0;
  const starts = Int32Array.from(start, (time) => (Number.isNaN(time) ? -1 : Math.ceil(time)));
  return objectiveValue(createSchedule(instance, starts), objective);
}
