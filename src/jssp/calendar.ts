import type { Calendar, Instance } from './instance.js';

/**
 * The time at which an operation that starts at `start` is done: its duration, plus every resumable downtime that it
 * meets. Non-resumable downtimes do not stretch it; meeting one is not allowed ({@link meetsDowntime}).
 */
export function completionTime(instance: Instance, op: number, start: number): number {
  const { calendar } = instance;
  let end = start + instance.duration[op];
  if (calendar === null || end === start) return end;
  const machine = instance.machine[op];
  const { from, to, resumable } = calendar;
  const stop = calendar.offset[machine + 1];
  for (let i = firstDowntime(calendar, machine, start); i < stop && from[i] < end; i++) {
    if (resumable[i] === 1) end += to[i] - Math.max(from[i], start);
  }
  return end;
}

/**
 * The downtime that forbids an operation to start at `start`, as an index into the calendar: one it would start inside,
 * or a non-resumable one it would meet while running. −1 if there is none. An operation of zero duration meets no
 * downtime.
 */
export function meetsDowntime(instance: Instance, op: number, start: number): number {
  const { calendar } = instance;
  let end = start + instance.duration[op];
  if (calendar === null || end === start) return -1;
  const machine = instance.machine[op];
  const { from, to, resumable } = calendar;
  const stop = calendar.offset[machine + 1];
  for (let i = firstDowntime(calendar, machine, start); i < stop && from[i] < end; i++) {
    if (from[i] <= start || resumable[i] === 0) return i;
    end += to[i] - from[i];
  }
  return -1;
}

/**
 * The earliest time, not before `from` nor before its release, at which the calendar of its machine allows an operation
 * to start.
 */
export function earliestStart(instance: Instance, op: number, from: number): number {
  const { calendar, release } = instance;
  let start = release === null ? from : Math.max(from, release[op]);
  if (calendar === null) return start;
  for (let i = meetsDowntime(instance, op, start); i >= 0; ) {
    start = calendar.to[i];
    i = meetsDowntime(instance, op, start);
  }
  return start;
}

/**
 * The latest time at which the calendar of its machine allows an operation to start so that it is done by `by`;
 * negative if there is none. O(downtimes before `by`).
 */
export function latestStart(instance: Instance, op: number, by: number): number {
  return latestBegin(instance.calendar, instance.machine[op], instance.duration[op], by);
}

/** The same for any work of a machine, such as a setup. */
export function latestBegin(
  calendar: Calendar | null,
  machine: number,
  work: number,
  by: number,
): number {
  if (calendar === null || work === 0) return by - work;
  const { offset, from, to, resumable } = calendar;
  let left = work;
  let end = by;
  for (let i = lastDowntime(calendar, machine, by); i >= offset[machine]; i--) {
    if (to[i] + left <= end) return end - left;
    // The work spans the downtime, or is done before it.
    left = resumable[i] === 1 ? left - Math.max(0, end - to[i]) : work;
    end = Math.min(end, from[i]);
  }
  return end - left;
}

/** The time at which work of a machine that begins at `begin` is done, as {@link completionTime} does for operations. */
export function endOfWork(
  calendar: Calendar | null,
  machine: number,
  work: number,
  begin: number,
): number {
  let end = begin + work;
  if (calendar === null || work === 0) return end;
  const { from, to, resumable } = calendar;
  const stop = calendar.offset[machine + 1];
  for (let i = firstDowntime(calendar, machine, begin); i < stop && from[i] < end; i++) {
    if (resumable[i] === 1) end += to[i] - Math.max(from[i], begin);
  }
  return end;
}

/** The last downtime of a machine that begins before a time; one less than its first if there is none. */
function lastDowntime({ offset, from }: Calendar, machine: number, time: number): number {
  let low = offset[machine];
  let high = offset[machine + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (from[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The first downtime of a machine that ends after a time, by bisection: calendars may be long. */
export function firstDowntime({ offset, to }: Calendar, machine: number, time: number): number {
  let low = offset[machine];
  let high = offset[machine + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (to[middle] > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A time `[from, to)` in which a machine does not work. */
export interface Downtime {
  readonly from: number;
  readonly to: number;
  readonly resumable: boolean;
  /** Whether `to` is an estimate. */
  readonly estimated?: true | undefined;
}

/** A downtime and its machine. */
export interface MachineDowntime extends Downtime {
  readonly machine: number;
}

/** The downtimes of a machine, in increasing order. */
export function downtimesOf(calendar: Calendar | null, machine: number): Downtime[] {
  const downtimes: Downtime[] = [];
  if (calendar === null) return downtimes;
  const { offset, from, to, resumable, estimated } = calendar;
  for (let i = offset[machine]; i < offset[machine + 1]; i++) {
    const known = { from: from[i], to: to[i], resumable: resumable[i] === 1 };
    downtimes.push(estimated?.[i] === 1 ? { ...known, estimated: true } : known);
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

/**
 * Makes the calendar of `machines` machines from downtimes in any order; those of a machine must not overlap.
 *
 * @param until the time up to which shifts are known
 */
export function createCalendar(
  machines: number,
  downtimes: readonly MachineDowntime[],
  until?: number,
): Calendar {
  const sorted = downtimes.toSorted((a, b) => a.machine - b.machine || a.from - b.from);
  const offset = new Int32Array(machines + 1);
  for (const { machine } of sorted) offset[machine + 1]++;
  for (let k = 0; k < machines; k++) offset[k + 1] += offset[k];
  return {
    offset,
    from: Int32Array.from(sorted, ({ from }) => from),
    to: Int32Array.from(sorted, ({ to }) => to),
    resumable: Uint8Array.from(sorted, ({ resumable }) => (resumable ? 1 : 0)),
    ...estimates(sorted.map(({ estimated }) => estimated === true)),
    ...(until !== undefined && { until }),
  };
}

/** The calendar member that marks estimated ends; absent if there are none. */
export function estimates(flags: readonly boolean[]): Pick<Calendar, 'estimated'> {
  return flags.includes(true) ? { estimated: Uint8Array.from(flags, Number) } : {};
}
