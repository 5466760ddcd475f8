import type { ScheduleView } from '../../../../harness/page/schedule-data.js';
import { machineOrder } from '../../../../report/page/browser/gantt/chart-rows.js';

/** A machine as it is at a time: `down` is broken, `closed` was planned not to work. */
export interface MachineNow {
  readonly machine: number;
  readonly status: 'running' | 'idle' | 'down' | 'closed';
  /** The operation that has begun and is not done; −1 for none. */
  readonly running: number;
  /** The end of the downtime that it is in; null for none. */
  readonly until: number | null;
  /** Operations to come, the next one first. */
  readonly next: readonly number[];
}

/**
 * The machines at a time as a schedule has them.
 *
 * @param facts the schedule whose downtimes hold: a proposal knows of breakdowns that nobody has answered yet
 */
export function machinesAt(
  view: ScheduleView,
  plan: ScheduleView,
  now: number,
  most: number,
  facts: ScheduleView = view,
): MachineNow[] {
  const machines = Array.from({ length: view.machines }, () => ({
    running: -1,
    next: [] as number[],
  }));
  view.start.forEach((start, op) => {
    const machine = machines[view.machine[op]];
    if (start > now) machine.next.push(op);
    else if (start >= 0 && view.end[op] > now) machine.running = op;
  });
  return machineOrder(view).map((machine) => {
    const { running, next } = machines[machine];
    const until = downtimeEnd(facts, machine, now);
    const isPlanned = until !== null && downtimeEnd(plan, machine, now) !== null;
    const status =
      until !== null ? (isPlanned ? 'closed' : 'down') : running >= 0 ? 'running' : 'idle';
    next.sort((a, b) => view.start[a] - view.start[b]);
    return { machine, status, running, until, next: next.slice(0, most) };
  });
}

function downtimeEnd({ downtimes }: ScheduleView, machine: number, now: number): number | null {
  const { from, to } = downtimes;
  const at = downtimes.machine.findIndex((k, i) => k === machine && from[i] <= now && now < to[i]);
  return at < 0 ? null : to[at];
}
