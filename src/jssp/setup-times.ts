import { endOfWork, latestBegin } from './calendar.js';
import { machineSequences, type Schedule } from './schedule.js';
import { setupTime } from './shop-parts.js';

/** A setup of a machine in a schedule. */
export interface PlacedSetup {
  readonly machine: number;
  /** The operation that it prepares, and the one before it on the machine; −1 for none. */
  readonly operation: number;
  readonly before: number;
  /** Its time, with the downtimes that interrupt it. */
  readonly from: number;
  readonly to: number;
}

/**
 * The setups of a schedule, by machine and time: each as late as possible. Operations that overlap have none between
 * them. Whether there is enough time for a setup is not checked. O(N log N).
 */
export function setupsOf(schedule: Schedule): PlacedSetup[] {
  const { instance, start, end } = schedule;
  const { machines, machineOffset, duration, calendar, setups } = instance;
  if (setups === null) return [];
  const sequences = machineSequences(schedule);
  const placed: PlacedSetup[] = [];
  for (let machine = 0; machine < machines; machine++) {
    if (setups.matrixOf[machine] < 0) continue;
    let before = -1;
    for (const operation of sequences.subarray(
      machineOffset[machine],
      machineOffset[machine + 1],
    )) {
      if (start[operation] < 0 || duration[operation] === 0) continue;
      const length = setupTime(instance, machine, before, operation);
      const isApart = before < 0 || end[before] <= start[operation];
      if (length > 0 && isApart) {
        const from = latestBegin(calendar, machine, length, start[operation]);
        const to = endOfWork(calendar, machine, length, from);
        placed.push({ machine, operation, before, from, to });
      }
      before = operation;
    }
  }
  return placed;
}
