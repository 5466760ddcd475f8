import type { Calendar } from './instance.js';

/** A time `[from, to)` in which a machine is down. */
export interface Downtime {
  readonly machine: number;
  readonly from: number;
  readonly to: number;
  readonly resumable: boolean;
}

/** The downtimes of a calendar, machine by machine in increasing order. */
export function listDowntimes({ offset, from, to, resumable }: Calendar): Downtime[] {
  const downtimes: Downtime[] = [];
  for (let machine = 0; machine + 1 < offset.length; machine++) {
    for (let i = offset[machine]; i < offset[machine + 1]; i++) {
      downtimes.push({ machine, from: from[i], to: to[i], resumable: resumable[i] === 1 });
    }
  }
  return downtimes;
}

/** The calendar of so many machines for downtimes in any order; those of a machine do not overlap. */
export function createCalendar(machines: number, downtimes: readonly Downtime[]): Calendar {
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
