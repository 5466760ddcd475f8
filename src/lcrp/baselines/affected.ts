import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { isPlain } from '../../jssp/shop-parts.js';
import { cascade } from '../phases/cascade.js';
import { plannedOrder } from '../phases/planned-order.js';
import { shiftParts } from '../reassign/shift-parts.js';
import { type RepairMethod, type RepairTask, singlePhaseResult } from '../task.js';

/**
 * Affected operations rescheduling: only operations that the disturbance reaches are delayed, by as little as possible;
 * every other operation keeps its planned start, and every machine its order (Abumaizar and Svestka 1997,
 * doi:10.1080/002075497195074). New jobs come last (see `plannedOrder`).
 *
 * Feasible except for deadlines. Ignores the policy.
 */
export const affected: RepairMethod = {
  name: 'affected',
  repair: (task) => {
    const schedule = delayAffected(task);
    return { ...singlePhaseResult(schedule, 'compensation'), compensated: schedule };
  },
};

/** The schedule of {@link affected}. */
export function delayAffected(task: RepairTask): Schedule {
  const { instance, planned } = task;
  if (!isPlain(instance)) return shiftParts(task);
  return createSchedule(instance, cascade(instance, plannedOrder(task), planned));
}
