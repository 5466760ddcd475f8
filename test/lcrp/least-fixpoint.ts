import { earliestStart } from '../../src/jssp/calendar.js';
import { createSchedule, machineSequences, type Schedule } from '../../src/jssp/schedule.js';
import { machineNeighbours } from '../../src/jssp/timing.js';
import type { RepairTask } from '../../src/lcrp/task.js';

/**
 * The least schedule with the machine orders of another one in which nothing free starts before its
 * planned time, by definition: starts rise from the planned ones only where a rule makes them,
 * until none does.
 */
export function leastFixpoint(
  { instance, planned, now }: RepairTask,
  orders: Schedule,
): Int32Array {
  const { predecessor } = machineNeighbours(instance, machineSequences(orders));
  let schedule = createSchedule(
    instance,
    planned.map((time, op) => {
      const frozen = instance.frozen?.[op] ?? -1;
      return frozen >= 0 ? frozen : Math.max(time, now);
    }),
  );
  for (;;) {
    const { start, end } = schedule;
    const next = start.map((time, op) => {
      if ((instance.frozen?.[op] ?? -1) >= 0) return time;
      const isFirst = op === 0 || instance.jobOf[op - 1] !== instance.jobOf[op];
      const before = [isFirst ? 0 : end[op - 1], predecessor[op] < 0 ? 0 : end[predecessor[op]]];
      return earliestStart(instance, op, Math.max(time, ...before));
    });
    if (next.every((time, op) => time === start[op])) return next;
    schedule = createSchedule(instance, next);
  }
}
