import { createSchedule } from '../../jssp/schedule.js';
import { type RepairMethod, singlePhaseResult } from '../task.js';

/**
 * No repair: planned starts are kept unchanged. The schedule has no start (−1) for unplanned operations, and is
 * infeasible as soon as a disturbance affects it. Its phase is `status`, which means that nothing was repaired:
 * `judgeRepair` then reports violations instead of throwing.
 */
export const none: RepairMethod = {
  name: 'none',
  repair: ({ instance, planned }) => ({
    ...singlePhaseResult(createSchedule(instance, planned.slice()), 'status'),
    neighbourhood: new Int32Array(),
  }),
};
