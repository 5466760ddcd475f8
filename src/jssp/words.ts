import type { Instance } from './instance.js';
import { clockOf } from './shop-clock.js';

/**
 * How a shop speaks of what is numbered, in sentences for people: by its own names and clock where it has
 * them, else by numbers, jobs and steps from 1 and machines from 0.
 */
export interface Words {
  /** `WO-4711`, or `job 3`. */
  job(job: number): string;
  /** `Lathe 2`, or `machine 2`. */
  machine(machine: number): string;
  /** `WO-4711, turning`, or `job 3, step 5`. */
  operation(op: number): string;
  /** `Mon 23 Nov 14:10`, or `14:10` on the day of a time that is near; or `120`. */
  time(time: number, near?: number): string;
  /** `12 min`, or `12`. */
  duration(units: number): string;
}

/** The words of an instance. */
export function wordsOf(instance: Instance): Words {
  const { names, jobOf, jobOffset, timeScale } = instance;
  const clock = timeScale === null ? { time: String, duration: String } : clockOf(timeScale);
  const words: Words = {
    job: (job) => names?.jobs?.[job] || `job ${job + 1}`,
    machine: (machine) => names?.machines?.[machine] || `machine ${machine}`,
    operation(op) {
      const step = names?.operations?.[op] || `step ${op - jobOffset[jobOf[op]] + 1}`;
      return `${words.job(jobOf[op])}, ${step}`;
    },
    time: clock.time,
    duration: clock.duration,
  };
  return words;
}
