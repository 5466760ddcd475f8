import { type Objective, objectiveValue } from '../jssp/objectives.js';
import type { Schedule } from '../jssp/schedule.js';
import type { RepairOptions, RepairResult } from './engine.js';
import { lcrp } from './lcrp.js';
import { defaultPolicy, hasLimits, type RepairPolicy } from './policy.js';

/** What the limits of a policy cost: the objective of a repair with them, and without. */
export interface LimitsCost {
  readonly objective: Objective;
  readonly within: number;
  /** Never more than `within`: what a repair does within limits it could also do without. */
  readonly without: number;
}

/**
 * What the limits of a policy cost a repair: the same method repairs the same task once more, with
 * none. Takes as long as a repair.
 *
 * @param policy and options: those that `result` was made with
 * @returns null if the policy has no limits
 */
export async function costOfLimits(
  { task, schedule }: RepairResult,
  policy: RepairPolicy,
  { method = lcrp, seed = 0, signal }: RepairOptions = {},
): Promise<LimitsCost | null> {
  if (!hasLimits(policy)) return null;
  const { objective } = policy;
  const value = (one: Schedule) => objectiveValue(one, objective);
  const unlimited = { ...policy, limits: defaultPolicy.limits };
  const free = await method.repair(task, unlimited, { seed, signal });
  const within = value(schedule);
  return { objective, within, without: Math.min(within, value(free.schedule)) };
}
