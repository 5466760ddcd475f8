import type { Calendar } from './instance.js';

/** A time `[from, to)` in which a machine does not work. */
export interface Downtime {
  readonly from: number;
  readonly to: number;
  readonly resumable: boolean;
}

/** A downtime, and whose it is. */
export interface MachineDowntime extends Downtime {
  readonly machine: number;
}

/** The downtimes of a machine, in increasing order. */
export function downtimesOf(calendar: Calendar | null, machine: number): Downtime[] {
  const downtimes: Downtime[] = [];
  if (calendar === null) return downtimes;
  const { offset, from, to, resumable } = calendar;
  for (let i = offset[machine]; i < offset[machine + 1]; i++) {
    downtimes.push({ from: from[i], to: to[i], resumable: resumable[i] === 1 });
  }
  return downtimes;
}

/** The downtimes of a calendar, machine by machine in increasing order. */
export function listDowntimes(calendar: Calendar): MachineDowntime[] {
  const machines = calendar.offset.length - 1;
  return Array.from({ length: machines }, (_, machine) =>
    downtimesOf(calendar, machine).map((downtime) => ({ machine, ...downtime })),
  ).flat();
}

/** The calendar of so many machines for downtimes in any order; those of a machine do not overlap. */
export function createCalendar(machines: number, downtimes: readonly MachineDowntime[]): Calendar {
  const sorted = downtimes.toSorted((a, b) => a.machine - b.machine || a.from - b.from);
  const offset = new Int32Array(machines + 1);
  for (const { machine } of sorted) offset[machine + 1]++;
  for (let k = 0; k < machines; k++) offset[k + 1] += offset[k];
  return {
    offset,
    from: Int32Array.from(sorted, ({ from }) => from),
    to: Int32Array.from(sorted, ({ to }) => to),
    resumable: Uint8Array.from(sorted, ({ resumable }) => (resumable ? 1 : 0)),
  };
}
