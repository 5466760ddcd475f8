import { isFree } from '../../jssp/instance.js';
import { objectiveValue } from '../../jssp/objectives.js';
import type { Schedule } from '../../jssp/schedule.js';
import { dispatch } from '../../search/construct/dispatch.js';
import { evaluationsFor, hasLimits, type RepairPolicy } from '../policy/policy.js';
import type { MethodResult, RepairContext, RepairTask } from '../task.js';
import { missesDeadline, repairCost } from './cost.js';
import { deadlineOf } from './deadline.js';
import { surroundingsOf } from './neighbourhood.js';
import { remember } from './remember.js';
import { openReordering } from './reorder.js';

/** The size up to which dispatching takes no longer than the other phases. */
const MAX_DISPATCHED = 20_000;
/** The minimum share of the policy's evaluations for the dispatched schedule. */
const LEAST_SHARE = 0.25;

/** The schedules of tasks by the rule, by seed: a repair that breaks ties by the other objective asks again. */
const dispatchedFor = remember(({ instance }: RepairTask) => {
  const known = new Map<number, Schedule>();
  return (seed: number): Schedule => {
    const schedule = known.get(seed) ?? dispatch(instance, { rule: 'mwkr', seed });
    known.set(seed, schedule);
    return schedule;
  };
});

/** Whether a repair considers dispatching: an event hit something, and no limit forbids it. */
export function mayRedispatch(
  { instance, affected }: Pick<RepairTask, 'instance' | 'affected'>,
  policy: RepairPolicy,
): boolean {
  if (affected.length === 0 || instance.operations > MAX_DISPATCHED) return false;
  return policy.budget.passes > 0 && !hasLimits(policy);
}

/**
 * The guard of phase 3 against plans that are worse than the result of a fast dispatching rule: if re-dispatching all
 * free operations (most work remaining first, as the method `dispatch` does) has a better value than the local repair,
 * or keeps deadlines that the local repair misses, that schedule is reordered towards the plan instead. The result is
 * no worse than either, and costs less than compensation.
 *
 * @param local the result of the local repair
 * @param unit the objective after compensation; costs of the policy are shares of it
 * @returns null if the local repair is as good, a free operation is further from the affected ones than the policy's
 *   radius, or its prices forbid this number of changes
 */
export function redispatch(
  task: RepairTask,
  local: MethodResult & { readonly compensated: Schedule },
  policy: RepairPolicy,
  unit: number,
  context: RepairContext,
): MethodResult | null {
  const { instance } = task;
  if (!mayRedispatch(task, policy) || deadlineOf(policy, context).isOver()) return null;
  const { objective } = policy;
  const worth = (schedule: Schedule) => objectiveValue(schedule, objective);
  const costOf = (one: Schedule) => repairCost(task, one, policy, unit);
  const dispatched = dispatchedFor(task)(context.seed);
  const least = worth(dispatched);
  const isLate = missesDeadline(local.schedule) && !missesDeadline(dispatched);
  if (least >= worth(local.schedule) && !isLate) return null;
  const { radius } = surroundingsOf(task, local.compensated, policy.limits);
  if (radius > policy.radius.most) return null;
  const reordering = openReordering(task, local.compensated, policy, unit, context.seed, {
    from: dispatched,
  });
  try {
    const aligned = reordering.schedule();
    const all = evaluationsFor(policy, instance.operations);
    const most = Math.ceil(Math.max(all - local.evaluations, LEAST_SHARE * all));
    const free = dispatched.start.map((_, op) => op).filter((op) => isFree(instance, op));
    reordering.improve(free, most, deadlineOf(policy, context).isOver);
    const improved = reordering.schedule();
    const found = [improved, aligned, dispatched].filter((one) => worth(one) <= least);
    const schedule = found.find((one) => !missesDeadline(one)) ?? found[0];
    if (costOf(schedule) >= costOf(local.compensated)) return null;
    const evaluations = local.evaluations + reordering.evaluations;
    return { ...local, schedule, phase: 'recompute', neighbourhood: null, evaluations };
  } finally {
    reordering.close();
  }
}
