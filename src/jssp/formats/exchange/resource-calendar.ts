import type { ResourceCalendar } from '../../shop-parts.js';

/** A time with another capacity than usual. */
interface ReadCapacity {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
}

/** The calendar of resources from the times of each, in any order; null if there are none. */
export function createResourceCalendar(
  times: readonly (readonly ReadCapacity[])[],
): ResourceCalendar | null {
  const sorted = times.map((list) => list.toSorted((a, b) => a.from - b.from));
  const all = sorted.flat();
  if (all.length === 0) return null;
  const offset = new Int32Array(times.length + 1);
  for (const [i, list] of sorted.entries()) offset[i + 1] = offset[i] + list.length;
  return {
    offset,
    from: Int32Array.from(all, ({ from }) => from),
    to: Int32Array.from(all, ({ to }) => to),
    amount: Int32Array.from(all, ({ amount }) => amount),
  };
}
