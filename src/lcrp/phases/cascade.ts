import { completionTime, earliestStart } from '../../jssp/calendar.js';
import type { Instance } from '../../jssp/instance.js';

/**
 * The least right shift that makes an order feasible: in this order of all operations, each free one starts as early as
 * its job, its machine, its release and the calendar allow, but not before `atLeast`. Frozen operations stay. So a
 * delay is propagated along job and machine successors until slack has absorbed it.
 *
 * The result is, operation by operation, the least schedule with these machine orders in which no free operation starts
 * before `atLeast`; a later `atLeast` makes nothing earlier. Feasible except for deadlines, if frozen operations can
 * come first. O(N), not counting downtimes.
 *
 * @param order a topological order of the job orders, frozen operations before free ones on each machine; omitted
 *   operations, which must be ends of jobs, are not scheduled
 * @param atLeast N entries; a negative entry sets no bound
 * @returns N start times, −1 for unscheduled operations
 */
export function cascade(instance: Instance, order: Int32Array, atLeast: Int32Array): Int32Array {
  const { operations, jobs, machines, jobOf, machine, duration, frozen } = instance;
  const start = new Int32Array(operations).fill(-1);
  const jobReady = new Int32Array(jobs);
  const machineFree = new Int32Array(machines);
  for (const op of order) {
    const job = jobOf[op];
    const k = machine[op];
    if (frozen !== null && frozen[op] >= 0) start[op] = frozen[op];
    else {
      // An operation without duration occupies no machine and does not wait for it.
      const free = duration[op] > 0 ? machineFree[k] : 0;
      start[op] = earliestStart(instance, op, Math.max(jobReady[job], free, atLeast[op]));
    }
    const end = completionTime(instance, op, start[op]);
    jobReady[job] = Math.max(jobReady[job], end);
    if (duration[op] > 0) machineFree[k] = Math.max(machineFree[k], end);
  }
  return start;
}
