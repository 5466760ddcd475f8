import { createSchedule } from '../../jssp/schedule.js';
import { isPlain } from '../../jssp/shop-parts.js';
import { cascade } from '../phases/cascade.js';
import { plannedOrder } from '../phases/planned-order.js';
import { shiftParts } from '../reassign/shift-parts.js';
import { type RepairMethod, type RepairTask, singlePhaseResult } from '../task.js';
import { delayAffected } from './affected.js';

/**
 * Right-shift rescheduling: everything that has not started is delayed by the same time: the largest delay that the
 * disturbance causes anywhere if delays are only propagated (as `affected` does). If durations and calendars are as
 * planned, that is the least common shift that is feasible. If an operation takes longer than planned, or its shifted
 * start meets a downtime, no common shift may be feasible: remaining conflicts are then resolved by shifting further to
 * the right, in the order of the plan.
 *
 * So no operation starts earlier than under `affected`. New jobs come last (see `plannedOrder`) and shift nothing.
 * Feasible except for deadlines. Ignores the policy. Described, among others, by Abumaizar and Svestka 1997,
 * doi:10.1080/002075497195074.
 */
export const rightShift: RepairMethod = {
  name: 'right-shift',
  repair: (task) => {
    const { instance, planned } = task;
    const shift = largestDelay(task, delayAffected(task).start);
    const shifted = planned.map((time) => (time < 0 ? -1 : time + shift));
    const schedule = isPlain(instance)
      ? createSchedule(instance, cascade(instance, plannedOrder(task), shifted))
      : shiftParts(task, shifted);
    return singlePhaseResult(schedule, 'compensation');
  },
};

/** The largest delay of the start of a planned operation. */
function largestDelay({ planned }: RepairTask, start: Int32Array): number {
  let largest = 0;
  for (let op = 0; op < planned.length; op++) {
    if (planned[op] >= 0) largest = Math.max(largest, start[op] - planned[op]);
  }
  return largest;
}
