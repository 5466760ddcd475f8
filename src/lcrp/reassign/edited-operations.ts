import { isFree } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';
import { sequenceDeviation } from '../metrics/sequence-deviation.js';
import { type RepairTask, reassignedIn } from '../task.js';

/**
 * The free, planned operations, ascending, that a schedule does at another time, in another mode, or at another place
 * among those that keep their machine: the edits of `measureRepair`.
 */
export function editedOperations(task: RepairTask, schedule: Schedule): Int32Array {
  const { instance, planned } = task;
  const isElsewhere = reassignedIn(task, schedule);
  const isCompared = (op: number) => isFree(instance, op) && planned[op] >= 0;
  const before = { start: planned, end: planned };
  const { moved } = sequenceDeviation(
    schedule.instance,
    before,
    schedule,
    (op) => isCompared(op) && !isElsewhere(op),
  );
  const edited = new Set(moved);
  for (let op = 0; op < planned.length; op++) {
    if (isCompared(op) && (schedule.start[op] !== planned[op] || isElsewhere(op))) edited.add(op);
  }
  return Int32Array.from(edited).sort();
}
