import { createSchedule } from '../../jssp/schedule.js';
import { madeAtOnce, type RepairMethod } from '../task.js';

/**
 * No repair: planned starts are kept as they are. The schedule has no start (−1) for what nobody
 * has planned, and is infeasible as soon as a disturbance touches it. Its phase is `status`, which
 * says that nothing was repaired: `judgeRepair` then reports what is wrong where it would otherwise
 * throw.
 */
export const none: RepairMethod = {
  name: 'none',
  repair: ({ instance, planned }) => ({
    ...madeAtOnce(createSchedule(instance, planned.slice()), 'status'),
    neighbourhood: new Int32Array(),
  }),
};
