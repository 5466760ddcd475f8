import type { Instance } from '../../../src/jssp/instance.js';
import type { Objective } from '../../../src/jssp/objectives.js';
import { completion, firstStart } from '../oracle.js';

interface Wanted {
  objective?: Objective;
  /** Whether deadlines count. */
  deadlines?: boolean;
}

/**
 * The least value of an objective, from all orders in which operations can be put into a schedule
 * one after the other, each as early as it can be then. Infinity if frozen starts, or deadlines
 * where they count, fit no schedule.
 */
export function optimum(
  instance: Instance,
  { objective = 'makespan', deadlines = false }: Wanted = {},
): number {
  const { jobs, jobOffset, machine, duration, frozen } = instance;
  const next = [...jobOffset.slice(0, jobs)];
  const jobReady = next.map(() => 0);
  const machineReady = Array.from({ length: instance.machines }, () => 0);
  let best = Infinity;

  /** What the value comes to once an operation ends at `end`, which may finish its job. */
  const valueWith = (value: number, op: number, end: number): number => {
    const job = instance.jobOf[op];
    const isLast = op + 1 === jobOffset[job + 1];
    const deadline = instance.deadline?.[job] ?? -1;
    if (deadlines && isLast && deadline >= 0 && end > deadline) return Infinity;
    if (objective === 'makespan') return Math.max(value, end);
    const due = instance.due?.[job] ?? -1;
    if (!isLast || due < 0) return value;
    return value + (instance.weight?.[job] ?? 1) * Math.max(0, end - due);
  };

  const place = (left: number, value: number): void => {
    if (value >= best) return;
    if (left === 0) best = value;
    for (let job = 0; job < jobs; job++) {
      const op = next[job];
      if (op === jobOffset[job + 1]) continue;
      const k = machine[op];
      const [jobBefore, machineBefore] = [jobReady[job], machineReady[k]];
      const from = duration[op] > 0 ? Math.max(jobBefore, machineBefore) : jobBefore;
      const pinned = frozen?.[op] ?? -1;
      if (pinned >= 0 && pinned < from) continue;
      const start = pinned >= 0 ? pinned : firstStart(instance, op, from);
      const end = completion(instance, op, start) ?? start + duration[op];
      next[job]++;
      jobReady[job] = end;
      if (duration[op] > 0) machineReady[k] = end;
      place(left - 1, valueWith(value, op, end));
      next[job]--;
      jobReady[job] = jobBefore;
      machineReady[k] = machineBefore;
    }
  };

  place(instance.operations, 0);
  return best;
}
