import { completionTime, earliestStart } from '../jssp/calendar.js';
import type { Instance } from '../jssp/instance.js';
import { semiActive } from '../jssp/timing.js';
import { sequencesOf } from './evolution/solution.js';

/**
 * Start times (N) of the semi-active schedule that follows an order of all operations: the result of `semiActive` for
 * the machine orders that it implies. O(N). If the order is topological it needs one pass, which takes a quarter of the
 * time at a million operations.
 *
 * @throws as `semiActive`
 */
export function startsInOrder(instance: Instance, order: Int32Array): Int32Array {
  return timeInOnePass(instance, order) ?? semiActive(instance, sequencesOf(instance, order)).start;
}

/** The start times; null if an operation comes before a predecessor, or cannot meet its frozen start. */
function timeInOnePass(instance: Instance, order: Int32Array): Int32Array | null {
  const { operations, jobs, machines, jobOffset, jobOf, machine, duration } = instance;
  const { calendar, release, frozen } = instance;
  const isPlain = calendar === null && release === null && frozen === null;
  const start = new Int32Array(operations);
  const next = jobOffset.slice();
  const jobDone = new Int32Array(jobs);
  const machineDone = new Int32Array(machines);
  for (const op of order) {
    const job = jobOf[op];
    if (next[job]++ !== op) return null;
    const k = machine[op];
    // An operation of zero duration occupies no machine.
    const occupies = duration[op] > 0;
    let time = jobDone[job];
    if (occupies && machineDone[k] > time) time = machineDone[k];
    if (!isPlain) {
      const frozenStart = frozen === null ? -1 : frozen[op];
      if (frozenStart >= 0 && frozenStart < time) return null;
      time = frozenStart >= 0 ? frozenStart : earliestStart(instance, op, time);
    }
    start[op] = time;
    const end = isPlain ? time + duration[op] : completionTime(instance, op, time);
    jobDone[job] = end;
    if (occupies) machineDone[k] = end;
  }
  return start;
}
