import { AlasError, InputError } from '../core/errors.js';
import type { Schedule } from '../jssp/schedule.js';
import { isFeasible } from '../validator/judge.js';
import { validate } from '../validator/validate.js';
import type { Violation } from '../validator/violation.js';
import type { MethodResult } from './task.js';

/** The validator's verdict on a schedule that is to be executed. */
export interface ExecutionVerdict {
  /** Whether it breaks no rule. */
  readonly feasible: boolean;
  /** Whether it can be executed: it breaks no rule, but for deadlines that it may miss. */
  readonly executable: boolean;
  /** Broken rules; the validator lists 10,000 at most. */
  readonly violations: readonly Violation[];
}

/** Judges a schedule. */
export function judgeExecution(schedule: Schedule): ExecutionVerdict {
  const { instance, start } = schedule;
  if (isFeasible(instance, start)) return { feasible: true, executable: true, violations: [] };
  const { violations, counts, total } = validate(instance, schedule);
  return { feasible: false, executable: total === counts.deadline, violations };
}

/**
 * Judges the result of a method. A method that changed the schedule must give one that can be
 * executed; a missed deadline is no mistake of it, since a disruption may leave no schedule that
 * meets all. One that changed nothing (its phase is `status`, as that of `none`) may give the plan
 * that the disturbance has made infeasible.
 *
 * @param method its name, for the error
 * @throws AlasError `bad_repair` if a schedule that was repaired cannot be executed: a mistake in
 *   the method
 */
export function judgeRepair(
  { schedule, phase }: Pick<MethodResult, 'schedule' | 'phase'>,
  method: string,
): ExecutionVerdict {
  const judgement = judgeExecution(schedule);
  if (judgement.executable || phase === 'status') return judgement;
  const worst = worstViolation(judgement);
  throw new AlasError(
    'bad_repair',
    `the repair method ${method} made a schedule that cannot be executed: ${worst?.message}`,
    worst,
  );
}

/** The first violation for which a schedule cannot be executed, if there is one in the list. */
export function worstViolation({ violations }: ExecutionVerdict): Violation | undefined {
  return violations.find(({ code }) => code !== 'deadline');
}

/**
 * Sees to it that a plan can be executed; it may miss deadlines.
 *
 * @throws InputError `infeasible_plan`
 */
export function requireExecutable(plan: Schedule): void {
  const judgement = judgeExecution(plan);
  if (judgement.executable) return;
  const worst = worstViolation(judgement);
  throw new InputError(
    'infeasible_plan',
    `the plan for ${plan.instance.name} cannot be executed: ${worst?.message}`,
    'give a feasible one',
    {},
    worst,
  );
}
