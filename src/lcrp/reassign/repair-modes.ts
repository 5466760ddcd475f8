import { objectiveValue } from '../../jssp/objectives.js';
import type { Schedule } from '../../jssp/schedule.js';
import { aimOf, goalOf } from '../phases/aim.js';
import { repairCost } from '../phases/cost.js';
import { deadlineOf } from '../phases/deadline.js';
import { grow } from '../phases/growth.js';
import { evaluationsFor, type RepairPolicy } from '../policy/policy.js';
import {
  type MethodResult,
  plannedModesOf,
  type RepairContext,
  type RepairTask,
  reassignedIn,
} from '../task.js';
import { reassignWork } from './reassign.js';

/** Moves of the search over machines, as a share of the evaluations of the policy: each takes much longer. */
const MOVE_SHARE = 0.01;

/** Moves of the kernel in the new modes, as a share of the evaluations of the policy. */
const POLISH_SHARE = 0.1;

/** The limit of moves to other places and machines for a shop. */
export function movesFor(policy: RepairPolicy, operations: number): number {
  return Math.ceil(MOVE_SHARE * evaluationsFor(policy, operations));
}

/** The task of the same repair in which the modes of a schedule are chosen. */
export function taskInModes(task: RepairTask, { instance }: Schedule): RepairTask {
  return { ...task, instance, plannedModes: plannedModesOf(task) };
}

/**
 * Phases 2 and 3 of shops with alternatives, before reordering in the planned modes: work around the affected operations
 * goes to other machines, and the queues are then reordered in the new modes.
 *
 * @returns a result that costs less than compensation, with its task; null if none was found
 */
export function reassignLocally(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  context: RepairContext,
): { readonly task: RepairTask; readonly made: MethodResult } | null {
  const value = objectiveValue(compensated, policy.objective);
  const planned = Math.min(value, aimOf(task, policy.objective));
  const { isOver } = deadlineOf(policy, context);
  const goal = goalOf(policy, value, planned);
  if (value <= planned || policy.budget.passes === 0 || isOver()) return null;
  const evaluations = movesFor(policy, task.instance.operations);
  const settings = { unit: value, goal, evaluations };
  const moved = reassignWork(task, compensated, policy, settings, { ...context, isOver });
  const costOf = (one: Schedule) => repairCost(task, one, policy, value);
  if (costOf(moved.schedule) >= costOf(compensated)) return null;
  const own = taskInModes(task, moved.schedule);
  const made: MethodResult = {
    schedule: moved.schedule,
    phase: 'reordering',
    neighbourhood: moved.neighbourhood,
    evaluations: moved.evaluations,
    compensated,
    reordered: moved.schedule,
  };
  if (task.instance.operations === 0 || !anyReassigned(task, moved.schedule)) {
    return { task: own, made };
  }
  return { task: own, made: polished(own, made, policy, { planned, value }, context) };
}

function anyReassigned(task: RepairTask, schedule: Schedule): boolean {
  const isElsewhere = reassignedIn(task, schedule);
  return schedule.start.some((_, op) => isElsewhere(op));
}

/** Reorders queues in the new modes with the kernel, which also swaps back what costs nothing. */
function polished(
  task: RepairTask,
  made: MethodResult,
  policy: RepairPolicy,
  { planned, value }: Record<'planned' | 'value', number>,
  context: RepairContext,
): MethodResult {
  const { schedule } = made;
  const most = Math.ceil(POLISH_SHARE * evaluationsFor(policy, task.instance.operations));
  const budget = { ...policy.budget, evaluations: most };
  const values = { planned, value, from: schedule };
  const found = grow(task, schedule, { ...policy, budget }, values, context);
  const evaluations = made.evaluations + found.evaluations;
  const costOf = (one: Schedule) => repairCost(task, one, policy, value);
  if (found.schedule === null || costOf(found.schedule) >= costOf(schedule)) {
    return { ...made, evaluations };
  }
  return { ...made, schedule: found.schedule, reordered: found.schedule, evaluations };
}
