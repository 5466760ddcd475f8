import { createCalendar, type Downtime, estimates } from '../jssp/calendar.js';
import type { Calendar } from '../jssp/instance.js';

/**
 * Adds a downtime to those of a machine. Where downtimes overlap, the machine is down during their union, which is
 * non-resumable if one of them is: an operation that is interrupted by one downtime and meets a non-resumable one
 * before it can continue is lost. The end is an estimate unless a known end is at least as late. Adjacent downtimes are
 * not merged.
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
    const estimated = covering.every((one) => one.estimated) ? true : undefined;
    const last = joined.at(-1);
    if (last?.resumable === resumable && last.estimated === estimated) {
      joined[joined.length - 1] = { ...last, to };
    } else joined.push({ from, to, resumable, ...(estimated && { estimated }) });
  }
  return [...downtimes.filter(isApart), ...joined].sort((a, b) => a.from - b.from);
}

/**
 * Ends the downtime that contains a time at that time, and removes estimated downtimes directly after it; undefined if
 * the machine is up at that time.
 */
export function endDowntime(downtimes: readonly Downtime[], at: number): Downtime[] | undefined {
  const isCurrent = ({ from, to }: Downtime) => from <= at && at < to;
  if (!downtimes.some(isCurrent)) return undefined;
  return endEstimate(downtimes, at).flatMap((one) => (isCurrent(one) ? endAt(one, at) : [one]));
}

/**
 * Removes estimated downtime from a time on: the rest of the downtime that contains it, and those that follow without a
 * gap. Known downtime stays.
 */
export function endEstimate(downtimes: readonly Downtime[], at: number): Downtime[] {
  const first = downtimes.findIndex(({ from, to }) => from <= at && at < to);
  if (first < 0) return [...downtimes];
  let last = first;
  while (downtimes[last + 1]?.from === downtimes[last].to) last++;
  return downtimes.flatMap((one, i) =>
    i < first || i > last || !one.estimated ? [one] : endAt(one, at),
  );
}

/** The part of a downtime before a time. */
function endAt({ from, resumable }: Downtime, at: number): Downtime[] {
  return from < at ? [{ from, to: at, resumable }] : [];
}

/** A calendar in which a machine has other downtimes; null if no machine has any. Takes O(downtimes). */
export function replaceDowntimes(
  calendar: Calendar | null,
  machines: number,
  machine: number,
  downtimes: readonly Downtime[],
): Calendar | null {
  const known = calendar ?? createCalendar(machines, []);
  const { offset, from, to, resumable, estimated } = known;
  const first = offset[machine];
  const stop = offset[machine + 1];
  const length = from.length + downtimes.length - (stop - first);
  if (length === 0) return null;
  const splice = <T extends Int32Array | Uint8Array>(into: T, values: T, added: number[]): T => {
    into.set(values.subarray(0, first));
    into.set(added, first);
    into.set(values.subarray(stop), first + added.length);
    return into;
  };
  const listed = (value: (one: Downtime) => number) => downtimes.map(value);
  const flags = Array.from(estimated ?? new Uint8Array(from.length), (flag) => flag === 1);
  flags.splice(first, stop - first, ...downtimes.map((one) => one.estimated === true));
  return {
    offset: offset.map((at, k) => (k > machine ? at + length - from.length : at)),
    from: splice(
      new Int32Array(length),
      from,
      listed((one) => one.from),
    ),
    to: splice(
      new Int32Array(length),
      to,
      listed((one) => one.to),
    ),
    resumable: splice(
      new Uint8Array(length),
      resumable,
      listed((one) => Number(one.resumable)),
    ),
    ...estimates(flags),
    ...(known.until !== undefined && { until: known.until }),
  };
}
