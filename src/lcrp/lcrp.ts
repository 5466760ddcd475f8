import { monotonicSeconds } from '@alas-jssp/core/clock';
import { objectiveValue } from '../jssp/objectives.js';
import type { Schedule } from '../jssp/schedule.js';
import { isPlain } from '../jssp/shop-parts.js';
import { judgeRepair } from './judge-repair.js';
import { aimOf, goalOf } from './phases/aim.js';
import { compensate } from './phases/compensate.js';
import { repairCost } from './phases/cost.js';
import { deadlineOf } from './phases/deadline.js';
import {
  type RecomputeResult,
  recomputeRemainder,
  recomputeWithinLimits,
} from './phases/fallback.js';
import { withFewerEdits } from './phases/fewer-edits.js';
import { grow } from './phases/growth.js';
import { redispatch } from './phases/redispatch.js';
import { thenMakespan } from './phases/then-makespan.js';
import { breakTies } from './phases/ties.js';
import { repairWithinEdits } from './phases/within-edits.js';
import { holdPins } from './pins/hold-pins.js';
import { withLostPins } from './pins/lost-pins.js';
import { hasLimits, type RepairPolicy, withObjective } from './policy/policy.js';
import { editedOperations } from './reassign/edited-operations.js';
import { reassignLocally } from './reassign/repair-modes.js';
import { repairParts } from './reassign/repair-parts.js';
import { thenMakespanElsewhere } from './reassign/then-makespan.js';
import { searchWider } from './reassign/wider-search.js';
import type { MethodResult, RepairContext, RepairMethod, RepairTask } from './task.js';

/**
 * The localized cascading repair protocol: compensate, hold pins, reorder around the affected operations, grow, and
 * recompute if that is not enough. Each phase begins with the best result so far, so that the final result never costs
 * more than local compensation alone. Asynchronous only if the policy has a fallback.
 *
 * @throws AlasError as {@link judgeRepair} does
 */
export const lcrp: RepairMethod = {
  name: 'lcrp',
  repair: (task, open, context) => {
    const began = context.began ?? monotonicSeconds();
    const policy = withObjective(task.instance, open);
    const timed = { ...context, began };
    if (!isPlain(task.instance)) return repairParts(task, policy, timed);
    const compensated = compensate(task);
    const { isOver } = deadlineOf(policy, timed);
    const { schedule, lostPins } = holdPins(task, policy.limits, compensated, isOver);
    const made =
      task.instance.modes === null
        ? repairWithinEdits(task, policy, timed, (rules, shared) =>
            repairFrom(task, schedule, rules, shared),
          )
        : repairModesWithinEdits(task, schedule, policy, timed);
    return withLostPins(made, lostPins);
  },
};

/** A repair in a shop with alternatives; if it edits too many operations, one in the planned modes. */
async function repairModesWithinEdits(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  context: RepairContext,
): Promise<MethodResult> {
  const { mostEdited } = policy.limits;
  const shared = { ...context, deadline: deadlineOf(policy, context) };
  const made = await repairWithModes(task, compensated, policy, shared);
  if (mostEdited === null || editedOperations(task, made.schedule).length <= mostEdited) {
    return made;
  }
  return repairWithinEdits(task, policy, context, (rules, timed) =>
    repairFrom(task, compensated, rules, timed),
  );
}

/** Phases 2 to 4 in a shop with alternatives: with work on other machines, or in the planned modes. */
async function repairWithModes(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  context: RepairContext,
): Promise<MethodResult> {
  const moved = reassignLocally(task, compensated, policy, context);
  const inPlannedModes = { ...policy, fallback: null };
  const local = moved?.made ?? (await repairFrom(task, compensated, inPlannedModes, context));
  const value = objectiveValue(compensated, policy.objective);
  const planned = Math.min(value, aimOf(task, policy.objective));
  const made = await searchWider(task, local, compensated, policy, { planned, value }, context);
  return judged(thenMakespanElsewhere(task, made, compensated, policy, context));
}

/** Phases 2 to 4, from a compensated schedule. */
function repairFrom(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  context: RepairContext,
): MethodResult | Promise<MethodResult> {
  const { local, value, planned } = repairLocally(task, compensated, policy, context);
  const reached = objectiveValue(local.schedule, policy.objective);
  const fallback = fallbackOf(policy, { value, planned, reached }, context);
  const byMakespan = (rules: RepairPolicy) =>
    repairLocally(task, compensated, rules, context).local;
  const finish = (made: MethodResult) =>
    judged(
      policy.objective === 'makespan'
        ? breakTies(task, made, compensated, policy, value, context)
        : withFewerEdits(
            task,
            thenMakespan(task, made, compensated, policy, context, byMakespan),
            compensated,
            policy,
            context,
          ),
    );
  if (fallback === null) return finish(local);
  const { iterations } = fallback;
  const keep = (found: RecomputeResult) => finish(cheaper(task, local, found, policy, value));
  // Only reordering considers the cost of early starts.
  const isPriced = policy.cost.movedEarlier > 0;
  if (isPriced || hasLimits(policy) || deadlineOf(policy, context).isNear) {
    return keep(recomputeWithinLimits(task, compensated, policy, iterations, context));
  }
  const shared = iterations === ENDLESS ? withPartOfTime(policy, context) : context;
  return recomputeRemainder(task, local.schedule, policy, iterations, shared).then((schedule) =>
    keep({ schedule, neighbourhood: null, evaluations: 0 }),
  );
}

/** Phases 2 and 3, with the guard against plans that dispatching beats. */
function repairLocally(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  context: RepairContext,
): { readonly local: MethodResult; readonly value: number; readonly planned: number } {
  const value = objectiveValue(compensated, policy.objective);
  const planned = Math.min(value, aimOf(task, policy.objective));
  const nearby = reorderLocally(task, compensated, policy, { planned, value }, context);
  const local = redispatch(task, nearby, policy, value, context) ?? nearby;
  return { local, value, planned };
}

/** The number of iterations of a search that only the deadline ends. */
const ENDLESS = 1e12;
/** The share of the remaining time for such a search; tie breaking and edit reduction follow it. */
const SEARCH_SHARE = 0.7;

function withPartOfTime(policy: RepairPolicy, context: RepairContext): RepairContext {
  const deadline = deadlineOf(policy, context);
  const secondsLeft = () => SEARCH_SHARE * deadline.secondsLeft();
  return { ...context, deadline: { ...deadline, secondsLeft } };
}

/**
 * The search over all free operations that should follow; null if the local repair is good enough. For the tardiness, a
 * policy without a fallback also allows it, for the remaining time, if its budget is only time.
 */
function fallbackOf(
  policy: RepairPolicy,
  { value, planned, reached }: Record<'value' | 'planned' | 'reached', number>,
  context: RepairContext,
): Pick<NonNullable<RepairPolicy['fallback']>, 'iterations'> | null {
  const { fallback, budget, cost, objective } = policy;
  if (fallback !== null) return reached <= planned * (1 + fallback.degradation) ? null : fallback;
  const isTimed = budget.seconds !== null && budget.evaluations === null && budget.passes > 0;
  const isAllowed = isTimed && !hasLimits(policy) && cost.movedEarlier === 0;
  if (objective === 'makespan' || !isAllowed) return null;
  const { isNear, isOver } = deadlineOf(policy, context);
  const isGoodEnough = reached <= goalOf(policy, value, planned);
  return isGoodEnough || isNear || isOver() ? null : { iterations: ENDLESS };
}

function reorderLocally(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  values: { planned: number; value: number },
  context: RepairContext,
): MethodResult & { compensated: Schedule } {
  const nothing = {
    schedule: compensated,
    phase: isAsPlanned(task, compensated) ? 'status' : 'compensation',
    neighbourhood: new Int32Array(),
    evaluations: 0,
    compensated,
    reordered: null,
  } as const;
  if (values.value <= values.planned || policy.budget.passes === 0) return nothing;
  const { schedule, phase, neighbourhood, evaluations } = grow(
    task,
    compensated,
    policy,
    values,
    context,
  );
  const unit = values.value;
  const isWorth =
    schedule !== null &&
    repairCost(task, schedule, policy, unit) < repairCost(task, compensated, policy, unit);
  if (!isWorth) return { ...nothing, evaluations, reordered: compensated };
  return { schedule, phase, neighbourhood, evaluations, compensated, reordered: schedule };
}

/** The result of the fallback, if it costs less than that of the local repair. */
function cheaper(
  task: RepairTask,
  local: MethodResult,
  { schedule, neighbourhood, evaluations }: RecomputeResult,
  policy: RepairPolicy,
  unit: number,
): MethodResult {
  const all = { ...local, evaluations: local.evaluations + evaluations };
  const isCheaper =
    repairCost(task, schedule, policy, unit) < repairCost(task, local.schedule, policy, unit);
  return isCheaper ? { ...all, schedule, phase: 'recompute', neighbourhood } : all;
}

function judged(repaired: MethodResult): MethodResult {
  judgeRepair(repaired, 'lcrp');
  return repaired;
}

function isAsPlanned({ planned }: RepairTask, { start }: Schedule): boolean {
  return planned.every((time, op) => time === start[op]);
}
