import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { cascade } from '../phases/cascade.js';
import { plannedOrder } from '../phases/planned-order.js';
import { madeAtOnce, type RepairMethod, type RepairTask } from '../task.js';

/**
 * Affected operations rescheduling: only what the disturbance reaches is delayed, by as little as
 * possible; every other operation keeps its planned start, and every machine its order (Abumaizar
 * and Svestka 1997, doi:10.1080/002075497195074). New jobs come last (see `plannedOrder`).
 *
 * Feasible but for deadlines. Does not heed the policy.
 */
export const affected: RepairMethod = {
  name: 'affected',
  repair: (task) => {
    const schedule = delayAffected(task);
    return { ...madeAtOnce(schedule, 'compensation'), compensated: schedule };
  },
};

/** The schedule that {@link affected} makes. */
export function delayAffected(task: RepairTask): Schedule {
  const { instance, planned } = task;
  return createSchedule(instance, cascade(instance, plannedOrder(task), planned));
}
