import { endOfWork, firstDowntime } from '../calendar.js';
import type { Calendar } from '../instance.js';

/**
 * The earliest time, not before `from`, at which work of a machine may begin: not inside a downtime, and without meeting
 * a non-resumable one.
 */
export function earliestBegin(
  calendar: Calendar | null,
  machine: number,
  work: number,
  from: number,
): number {
  if (calendar === null || work === 0) return from;
  const { offset, from: down, to, resumable } = calendar;
  const stop = offset[machine + 1];
  let begin = from;
  let end = begin + work;
  for (let i = firstDowntime(calendar, machine, begin); i < stop && down[i] < end; i++) {
    if (down[i] <= begin || resumable[i] === 0) {
      begin = to[i];
      end = begin + work;
    } else end += to[i] - down[i];
  }
  return begin;
}

/** The earliest allowed begin with which work of a machine is done at `by` or later. */
export function earliestBeginFor(
  calendar: Calendar | null,
  machine: number,
  work: number,
  by: number,
): number {
  if (calendar === null || work === 0) return Math.max(0, by - work);
  // The end of work never decreases with its begin.
  let low = 0;
  let high = Math.max(0, by);
  while (low < high) {
    const middle = (low + high) >> 1;
    const begin = earliestBegin(calendar, machine, work, middle);
    if (endOfWork(calendar, machine, work, begin) >= by) high = middle;
    else low = middle + 1;
  }
  return earliestBegin(calendar, machine, work, low);
}

/** Calls `visit` for each time in [begin, end) in which a machine is up; stops as soon as it returns true. */
export function someUptime(
  calendar: Calendar | null,
  machine: number,
  begin: number,
  end: number,
  visit: (from: number, to: number) => boolean,
): boolean {
  if (calendar === null) return visit(begin, end);
  const { offset, from, to } = calendar;
  const stop = offset[machine + 1];
  let at = begin;
  for (let i = firstDowntime(calendar, machine, begin); i < stop && from[i] < end; i++) {
    if (from[i] > at && visit(at, from[i])) return true;
    at = Math.max(at, to[i]);
  }
  return at < end && visit(at, end);
}
