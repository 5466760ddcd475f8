import { objectiveValue } from '../../jssp/objectives.js';
import type { Schedule } from '../../jssp/schedule.js';
import { missesDeadline, repairCost } from '../phases/cost.js';
import { deadlineOf } from '../phases/deadline.js';
import { continueSearch } from '../phases/fallback.js';
import { mayRedispatch } from '../phases/redispatch.js';
import { hasLimits, type RepairPolicy } from '../policy/policy.js';
import type { MethodResult, RepairContext, RepairTask } from '../task.js';
import { alignParts } from './align.js';
import { dispatchIfAny } from './any-schedule.js';
import { reassignWork } from './reassign.js';
import { movesFor } from './repair-modes.js';

/**
 * The steps after the local repair of a shop with alternatives or other parts: the guard against plans that dispatching
 * beats, and the fallback of the policy.
 *
 * @param values the target of the objective, and the objective after compensation
 */
export async function searchWider(
  task: RepairTask,
  local: MethodResult,
  compensated: Schedule,
  policy: RepairPolicy,
  values: { readonly planned: number; readonly value: number },
  context: RepairContext,
): Promise<MethodResult> {
  const guarded = dispatchInstead(task, local, compensated, policy, values.value, context);
  const { fallback, objective } = policy;
  const reached = objectiveValue(guarded.schedule, objective);
  const isGoodEnough = fallback === null || reached <= values.planned * (1 + fallback.degradation);
  if (isGoodEnough || hasLimits(policy) || deadlineOf(policy, context).isOver()) return guarded;
  const again = await continueSearch(guarded.schedule, policy, fallback.iterations, context);
  const evaluations = guarded.evaluations + again.evaluations;
  const aligned = closerToPlan(task, again.schedule, policy);
  const costOf = (one: Schedule) => repairCost(task, one, policy, values.value);
  if (costOf(aligned) >= costOf(guarded.schedule)) return { ...guarded, evaluations };
  return { ...guarded, schedule: aligned, evaluations, phase: 'recompute', neighbourhood: null };
}

/** The same modes and queues with starts as close to the plan as the objective allows. */
function closerToPlan(task: RepairTask, schedule: Schedule, { objective }: RepairPolicy): Schedule {
  const aligned = alignParts(task, schedule, objective, new Map());
  const isNoWorse = objectiveValue(aligned, objective) <= objectiveValue(schedule, objective);
  return isNoWorse ? aligned : schedule;
}

/** If re-dispatching all free operations is better than the local repair, the search continues from there. */
function dispatchInstead(
  task: RepairTask,
  local: MethodResult,
  compensated: Schedule,
  policy: RepairPolicy,
  unit: number,
  context: RepairContext,
): MethodResult {
  const { isOver } = deadlineOf(policy, context);
  if (!mayRedispatch(task, policy) || isOver()) return local;
  const dispatched = dispatchIfAny(task.instance, context.seed);
  if (dispatched === null) return local;
  const { objective } = policy;
  const worth = (one: Schedule) =>
    missesDeadline(one) ? Number.POSITIVE_INFINITY : objectiveValue(one, objective);
  if (worth(dispatched) >= worth(local.schedule)) return local;
  const settings = {
    unit,
    goal: Number.NEGATIVE_INFINITY,
    evaluations: movesFor(policy, task.instance.operations),
    from: dispatched,
  };
  const found = reassignWork(task, compensated, policy, settings, { ...context, isOver });
  const evaluations = local.evaluations + found.evaluations;
  const costOf = (one: Schedule) => repairCost(task, one, policy, unit);
  if (costOf(found.schedule) >= costOf(local.schedule)) return { ...local, evaluations };
  const { schedule } = found;
  return { ...local, schedule, evaluations, phase: 'recompute', neighbourhood: null };
}
