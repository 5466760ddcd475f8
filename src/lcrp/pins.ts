import { completionTime } from '../jssp/calendar.js';
import { type Instance, replaceInstance } from '../jssp/instance.js';
import type { Schedule } from '../jssp/schedule.js';
import type { Watched } from '../search/watched.js';
import type { Remainder } from './remainder.js';

/** The operations of the remainder that keep the start which compensation gave them. */
export function pinsOf(
  { operation }: Remainder,
  pinned: readonly number[],
  { start }: Schedule,
): ReadonlyMap<number, number> {
  const wanted = new Set(pinned);
  const pins = new Map<number, number>();
  operation.forEach((op, i) => {
    if (wanted.has(op)) pins.set(i, start[op]);
  });
  return pins;
}

/** The shop in which pinned operations are not released before their start. */
export function withReleases(shop: Instance, pins: ReadonlyMap<number, number>): Instance {
  if (pins.size === 0) return shop;
  const release = shop.release?.slice() ?? new Int32Array(shop.operations);
  for (const [op, start] of pins) release[op] = start;
  return replaceInstance(shop, { release });
}

/** What the search watches, and that nobody pinned is done later than after compensation. */
export function withPins(
  { op, due, weight }: Watched,
  pins: ReadonlyMap<number, number>,
  shop: Instance,
): Watched {
  const pinned = [...pins];
  return {
    op: [...op, ...pinned.map(([one]) => one)],
    due: [...due, ...pinned.map(([one, start]) => completionTime(shop, one, start))],
    weight: [...weight, ...pinned.map(() => -1)],
  };
}
