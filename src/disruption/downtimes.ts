import { createCalendar, type Downtime, downtimesOf } from '../jssp/calendar.js';
import type { Calendar } from '../jssp/instance.js';

/**
 * Adds a downtime to those of a machine. Where downtimes overlap, the machine is down as long as
 * one of them says so, and the time is non-resumable if one of them is: an operation that is
 * interrupted by one downtime and meets a non-resumable one before it can go on is lost all the
 * same. Downtimes that only touch stay apart.
 */
export function addDowntime(downtimes: readonly Downtime[], added: Downtime): Downtime[] {
  const isApart = ({ from, to }: Downtime) => to <= added.from || from >= added.to;
  const cluster = [...downtimes.filter((one) => !isApart(one)), added];
  const edges = cluster.flatMap(({ from, to }) => [from, to]).sort((a, b) => a - b);
  const joined: Downtime[] = [];
  for (let i = 1; i < edges.length; i++) {
    const from = edges[i - 1];
    const to = edges[i];
    if (from === to) continue;
    const covering = cluster.filter((one) => one.from <= from && one.to >= to);
    const resumable = covering.every((one) => one.resumable);
    const last = joined.at(-1);
    if (last?.resumable === resumable) joined[joined.length - 1] = { ...last, to };
    else joined.push({ from, to, resumable });
  }
  return [...downtimes.filter(isApart), ...joined].sort((a, b) => a.from - b.from);
}

/** Ends the downtime in which a time lies, then; undefined if the machine is up at that time. */
export function endDowntime(downtimes: readonly Downtime[], at: number): Downtime[] | undefined {
  const current = downtimes.find(({ from, to }) => from <= at && at < to);
  if (current === undefined) return undefined;
  return downtimes.flatMap((one) => {
    if (one !== current) return [one];
    return one.from < at ? [{ ...one, to: at }] : [];
  });
}

/** A calendar in which some machines have other downtimes. */
export function replaceDowntimes(
  calendar: Calendar | null,
  machines: number,
  changed: ReadonlyMap<number, readonly Downtime[]>,
): Calendar | null {
  if (changed.size === 0) return calendar;
  const lists = Array.from({ length: machines }, (_, machine) =>
    (changed.get(machine) ?? downtimesOf(calendar, machine)).map((one) => ({ machine, ...one })),
  );
  return createCalendar(machines, lists.flat());
}
