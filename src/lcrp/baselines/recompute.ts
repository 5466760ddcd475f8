import { InputError } from '@alas-jssp/core/errors';
import type { Schedule } from '../../jssp/schedule.js';
import { isPlain } from '../../jssp/shop-parts.js';
import { repairCost } from '../phases/cost.js';
import { deadlineOf } from '../phases/deadline.js';
import { continueSearch, recomputeWithinLimits } from '../phases/fallback.js';
import { breakTies } from '../phases/ties.js';
import { repairWithinEdits } from '../phases/within-edits.js';
import { holdPins } from '../pins/hold-pins.js';
import { withLostPins } from '../pins/lost-pins.js';
import { hasLimits, type RepairPolicy, withObjective } from '../policy/policy.js';
import { taskInModes } from '../reassign/repair-modes.js';
import type { MethodResult, RepairContext, RepairMethod, RepairTask } from '../task.js';
import { delayAffected } from './affected.js';

/** The default number of iterations of the search. */
const DEFAULT_ITERATIONS = 100_000;

/**
 * Recomputation: a search over everything that has not started, for the objective of the policy and with the iterations
 * of its fallback, from the schedule of `affected`; the result is never worse than that. The costs of the policy are
 * ignored. If the policy has limits, the search changes only what they allow, as the fallback of the protocol does. The
 * reported evaluations are iterations of the search, or moves if there are limits. Feasible; deadlines are met if the
 * search finds a way.
 */
export const recompute: RepairMethod = {
  name: 'recompute',
  repair: (task, open, context) => {
    const policy = withObjective(task.instance, open);
    if (!isPlain(task.instance)) return recomputeParts(task, withoutCosts(policy), context);
    const { isOver } = deadlineOf(policy, context);
    const { schedule, lostPins } = holdPins(task, policy.limits, delayAffected(task), isOver);
    const made = repairWithinEdits(task, withoutCosts(policy), context, (rules, timed) =>
      hasLimits(rules) || timed.deadline?.isNear
        ? searchWithin(task, schedule, rules, timed)
        : searchAll(task, schedule, rules, timed),
    );
    return withLostPins(made, lostPins);
  },
};

function withoutCosts(policy: RepairPolicy): RepairPolicy {
  return { ...policy, cost: { rankChange: 0, movedEarlier: 0, reassigned: 0 } };
}

async function searchAll(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  context: RepairContext,
): Promise<MethodResult> {
  const iterations = policy.fallback?.iterations ?? DEFAULT_ITERATIONS;
  const found = await continueSearch(compensated, policy, iterations, context);
  const phase = found.schedule === compensated ? 'compensation' : 'recompute';
  const made = { ...found, phase, compensated, reordered: null } as const;
  const inModes = taskInModes(task, found.schedule);
  return breakTies(inModes, made, compensated, policy, 0, context);
}

/** The search in shops with setups, transport, lags, graphs or resources. */
async function recomputeParts(
  task: RepairTask,
  policy: RepairPolicy,
  context: RepairContext,
): Promise<MethodResult> {
  refuseLimits(policy, 'recompute');
  const compensated = delayAffected(task);
  const iterations = policy.fallback?.iterations ?? DEFAULT_ITERATIONS;
  const found = await continueSearch(compensated, policy, iterations, context);
  const phase = found.schedule === compensated ? 'compensation' : 'recompute';
  return { ...found, phase, compensated, reordered: null };
}

/** @throws InputError `not_modelled` */
function refuseLimits(policy: RepairPolicy, method: string): void {
  if (!hasLimits(policy)) return;
  throw new InputError(
    'not_modelled',
    `the method ${method} cannot keep limits in shops with setups, transport, graphs or resources`,
    'leave the limits out, or use lcrp',
  );
}

function searchWithin(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  context: RepairContext,
): MethodResult {
  const iterations = policy.fallback?.iterations ?? DEFAULT_ITERATIONS;
  const found = recomputeWithinLimits(task, compensated, policy, iterations, context);
  const { schedule } = found;
  const isBetter = repairCost(task, schedule, policy, 0) < repairCost(task, compensated, policy, 0);
  const all = { ...found, compensated, reordered: null };
  const made: MethodResult = isBetter
    ? { ...all, phase: 'recompute' }
    : { ...all, schedule: compensated, phase: 'compensation' };
  return breakTies(task, made, compensated, policy, 0, context);
}
