import { AlasError } from '../core/errors.js';
import type { Schedule } from '../jssp/schedule.js';
import { isFeasible, validate } from '../validator/index.js';

/**
 * Lets the validator judge a repaired schedule. A repair that breaks a rule is a fault of this
 * package, but for deadlines: disruptions may leave no way to keep them.
 *
 * @throws AlasError `deadline_missed` if the best schedule that was found misses a deadline;
 *   `repair_infeasible` if it breaks any other rule, which is a bug
 */
export function judge(schedule: Schedule, method: string): Schedule {
  const { instance, start } = schedule;
  if (isFeasible(instance, start)) return schedule;
  const { violations } = validate(instance, schedule);
  const worst = violations.find(({ code }) => code !== 'deadline') ?? violations[0];
  const what = worst?.message ?? 'the judges disagree';
  throw new AlasError(
    worst?.code === 'deadline' ? 'deadline_missed' : 'repair_infeasible',
    `${method} of ${instance.name}: ${what}`,
    worst,
  );
}
