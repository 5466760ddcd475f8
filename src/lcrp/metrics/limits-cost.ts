import { type Objective, objectiveValue } from '../../jssp/objectives.js';
import type { Schedule } from '../../jssp/schedule.js';
import { defaultPolicy, hasLimits } from '../policy/policy.js';
import type { RepairResult } from '../repair-result.js';
import type { RepairContext } from '../task.js';

/** The price of the limits of a policy: the objective of a repair with them, and without. */
export interface LimitsCost {
  readonly objective: Objective;
  readonly within: number;
  /** Never more than `within`: a repair within limits is also possible without them. */
  readonly without: number;
}

/**
 * Computes the price of the limits of a repair's policy: the same method repairs the same task again, without limits.
 * Takes as long as a repair.
 *
 * @param result as `repair` and the engine return it
 * @returns null if the policy has no limits
 */
export async function costOfLimits(
  { task, schedule, method, policy, seed }: RepairResult,
  { signal }: Pick<RepairContext, 'signal'> = {},
): Promise<LimitsCost | null> {
  if (!hasLimits(policy)) return null;
  const { objective } = policy;
  const value = (one: Schedule) => objectiveValue(one, objective);
  const unlimited = { ...policy, limits: defaultPolicy.limits };
  const free = await method.repair(task, unlimited, { seed, signal });
  const within = value(schedule);
  return { objective, within, without: Math.min(within, value(free.schedule)) };
}
