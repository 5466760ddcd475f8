import { objectiveValue } from '../../jssp/objectives.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { judgeRepair } from '../judge-repair.js';
import { repairCost } from '../phases/cost.js';
import { grow } from '../phases/growth.js';
import type { RepairPolicy } from '../policy/policy.js';
import { policy } from '../policy/policy-schema.js';
import type { MethodResult, RepairContext, RepairTask } from '../task.js';
import type { PlanClaims } from './claims.js';

/**
 * The policy by which the schedule made of an untrusted plan is improved: claims are worth keeping,
 * and there is an eighth of the usual budget.
 */
export const planPolicy: RepairPolicy = policy('high-stability', {
  budget: { rounds: 4, evaluations: 5000 },
});

/** A schedule that was made of a plan, and what in the plan was wrong. */
interface Rebuilt {
  readonly schedule: Schedule;
  readonly claims: PlanClaims;
  /** The operations that the plan is wrong about: where reordering begins. */
  readonly wrong: Int32Array;
}

/**
 * Phases 2 and 3 after the repair of a plan: the schedule that was made of it is reordered around
 * what was wrong, until its objective is as good as the plan had promised. The result never costs
 * more, by a policy that counts places other than the claimed order has them.
 *
 * @throws AlasError `bad_repair` if the validator refuses the result, which is a bug
 */
export function reorderRebuilt(
  { schedule: rebuilt, claims, wrong }: Rebuilt,
  policy: RepairPolicy,
  context: RepairContext,
): Pick<MethodResult, 'schedule' | 'evaluations'> {
  const nothing = { schedule: rebuilt, evaluations: 0 };
  const { instance, start } = rebuilt;
  const value = objectiveValue(rebuilt, policy.objective);
  const planned = Math.min(value, promisedValue(rebuilt, claims, policy));
  if (wrong.length === 0 || value <= planned || policy.budget.rounds === 0) return nothing;
  const task: RepairTask = { instance, planned: start, now: 0, affected: wrong };
  const values = { planned, value };
  const { schedule, ...grown } = grow(task, rebuilt, policy, values, context);
  const isWorth = schedule !== null && repairCost(task, schedule, policy, value) < value;
  if (!isWorth) return { ...nothing, evaluations: grown.evaluations };
  judgeRepair({ schedule, phase: grown.phase }, 'of a plan');
  return { ...grown, schedule };
}

/** The objective that the claimed starts promise; what nothing is claimed of promises anything. */
function promisedValue(
  { instance }: Schedule,
  { start, usable }: PlanClaims,
  { objective }: RepairPolicy,
): number {
  if (usable === 0) return 0;
  const starts = Int32Array.from(start, (time) => (Number.isNaN(time) ? -1 : Math.ceil(time)));
  return objectiveValue(createSchedule(instance, starts), objective);
}
