import { AlasError, InputError } from '@alas-jssp/core/errors';
import type { Instance } from '../jssp/instance.js';
import type { Schedule } from '../jssp/schedule.js';
import { isFeasible } from '../validator/judge.js';
import { validate } from '../validator/validate.js';
import type { Violation } from '../validator/violation.js';
import type { MethodResult } from './task.js';

/** The validator's verdict on a schedule for execution. */
export interface ExecutionVerdict {
  /** Whether it violates no rule. */
  readonly feasible: boolean;
  /**
   * Whether it can be executed: it violates no rule, except that it may miss deadlines, and exceed greatest lags after
   * started operations.
   */
  readonly executable: boolean;
  /** Violations; the validator lists 10,000 at most. */
  readonly violations: readonly Violation[];
}

/** A test for greatest lags that are exceeded after a started operation: what was begun can no longer be timed. */
function isLateLag({ frozen }: Instance) {
  return (one: Violation): boolean =>
    one.code === 'lag_too_long' && frozen !== null && frozen[one.other] >= 0;
}

/** Judges a schedule. */
export function judgeExecution(schedule: Schedule): ExecutionVerdict {
  const { instance, start } = schedule;
  if (isFeasible(instance, start)) return { feasible: true, executable: true, violations: [] };
  const { violations, counts, total } = validate(instance, schedule);
  const exceeded = counts.lag_too_long === 0 ? 0 : violations.filter(isLateLag(instance)).length;
  return { feasible: false, executable: total === counts.deadline + exceeded, violations };
}

/**
 * Judges the result of a method. A method that changed the schedule must return one that can be executed; a missed
 * deadline is allowed, since after a disruption no schedule may meet all deadlines. A method that changed nothing (its
 * phase is `status`, as for `none`) may return the plan that the disturbance has made infeasible.
 *
 * @param method its name, for the error
 * @throws AlasError `bad_repair` if a repaired schedule cannot be executed, which is a bug of the method
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

/** The first violation that prevents the execution of a schedule, if there is one in the list. */
export function worstViolation({ violations }: ExecutionVerdict): Violation | undefined {
  const others = violations.filter(({ code }) => code !== 'deadline');
  return others.find(({ code }) => code !== 'lag_too_long') ?? others[0];
}

/**
 * Requires that a plan can be executed; it may miss deadlines.
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
