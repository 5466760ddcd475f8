import { completionTime, earliestStart } from '../../src/jssp/calendar.js';
import type { Instance } from '../../src/jssp/instance.js';

/**
 * A valid schedule by the simplest means: takes the jobs in the given turns (each as often as it
 * has operations) and starts the next operation of each as soon as its job and machine allow.
 * Deadlines are not looked at.
 */
export function listSchedule(instance: Instance, turns: Iterable<number>): Int32Array {
  const { machine, duration } = instance;
  const next = instance.jobOffset.slice();
  const jobReady = new Int32Array(instance.jobs);
  const machineReady = new Int32Array(instance.machines);
  const starts = new Int32Array(instance.operations);
  for (const job of turns) {
    const op = next[job]++;
    const occupies = duration[op] > 0;
    const ready = occupies ? Math.max(jobReady[job], machineReady[machine[op]]) : jobReady[job];
    starts[op] = earliestStart(instance, op, ready);
    jobReady[job] = completionTime(instance, op, starts[op]);
    if (occupies) machineReady[machine[op]] = jobReady[job];
  }
  return starts;
}
