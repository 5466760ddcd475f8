import type { Instance } from '../../../src/jssp/instance.js';
import { completion, firstStart } from '../oracle.js';

/**
 * The least makespan of an instance, deadlines left out, from all orders in which operations can be
 * put into a schedule one after the other, each as early as it can be then. Infinity if frozen
 * starts fit no schedule.
 */
export function optimum(instance: Instance): number {
  const { jobs, jobOffset, machine, duration, frozen } = instance;
  const next = [...jobOffset.slice(0, jobs)];
  const jobReady = next.map(() => 0);
  const machineReady = Array.from({ length: instance.machines }, () => 0);
  let best = Infinity;

  const place = (left: number, makespan: number): void => {
    if (makespan >= best) return;
    if (left === 0) best = makespan;
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
      place(left - 1, Math.max(makespan, end));
      next[job]--;
      jobReady[job] = jobBefore;
      machineReady[k] = machineBefore;
    }
  };

  place(instance.operations, 0);
  return best;
}
