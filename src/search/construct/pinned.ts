import {
  completionTime,
  createCalendar,
  type Downtime,
  downtimesOf,
  type MachineDowntime,
} from '../../jssp/calendar.js';
import { type Calendar, type Instance, replaceInstance } from '../../jssp/instance.js';

/** An instance without pinned operations, and the operations that were pinned. */
export interface Unpinned {
  readonly instance: Instance;
  /** The operations that were pinned. */
  readonly pinned: readonly number[];
}

/**
 * Removes pinned operations from an instance: operations with a frozen start in the future, before which other
 * operations could still be scheduled. Each is replaced by a downtime of its machine and by an operation of zero
 * duration, released at the end of the pinned one. Its job predecessors must be done by its start, which the search
 * enforces as a limit. So no other code must handle pinned operations.
 *
 * Frozen operations that all free ones must follow, such as started ones, are kept.
 */
export function unpin(instance: Instance): Unpinned {
  const { frozen } = instance;
  const pinned = frozen === null ? [] : findPinned(instance, frozen);
  if (frozen === null || pinned.length === 0) return { instance, pinned };
  const duration = instance.duration.slice();
  const release = instance.release?.slice() ?? new Int32Array(instance.operations);
  const rest = frozen.slice();
  for (const op of pinned) {
    duration[op] = 0;
    release[op] = completionTime(instance, op, frozen[op]);
    rest[op] = -1;
  }
  const calendar = closeWhilePinned(instance, frozen, pinned);
  return {
    instance: replaceInstance(instance, { duration, release, frozen: rest, calendar }),
    pinned,
  };
}

/** Frozen operations before which a free one could start, and their successors in their jobs. */
function findPinned(instance: Instance, frozen: Int32Array): number[] {
  const { operations, jobOf, machine, duration } = instance;
  const earliest = earliestFreeStarts(instance, frozen);
  const pinned: number[] = [];
  let settledJob = -1;
  for (let op = 0; op < operations; op++) {
    // Settled operations come first in their job: no operation before them is free or pinned.
    const isFirst = op === 0 || jobOf[op] !== jobOf[op - 1];
    const followsSettled = isFirst || settledJob === jobOf[op];
    const comesFirst = duration[op] === 0 || earliest[machine[op]] >= frozen[op];
    const isSettled = frozen[op] >= 0 && followsSettled && comesFirst;
    settledJob = isSettled ? jobOf[op] : -1;
    if (frozen[op] >= 0 && !isSettled) pinned.push(op);
  }
  return pinned;
}

/** The earliest time at which a free operation could start on each machine (m entries). */
function earliestFreeStarts(instance: Instance, frozen: Int32Array): Float64Array {
  const { operations, jobOf, machine, duration, release, machines } = instance;
  const earliest = new Float64Array(machines).fill(Number.POSITIVE_INFINITY);
  let ready = 0;
  for (let op = 0; op < operations; op++) {
    if (op === 0 || jobOf[op] !== jobOf[op - 1]) ready = 0;
    const head = Math.max(ready, release?.[op] ?? 0);
    if (frozen[op] >= 0) {
      ready = completionTime(instance, op, frozen[op]);
      continue;
    }
    ready = head + duration[op];
    if (duration[op] > 0) earliest[machine[op]] = Math.min(earliest[machine[op]], head);
  }
  return earliest;
}

/** The calendar, with a non-resumable downtime in place of every pinned operation. */
export function closeWhilePinned(
  instance: Instance,
  frozen: Int32Array,
  pinned: readonly number[],
): Calendar {
  const { machines, machine, calendar } = instance;
  const pins: MachineDowntime[][] = Array.from({ length: machines }, () => []);
  for (const op of pinned) {
    const from = frozen[op];
    const to = completionTime(instance, op, from);
    if (to > from) pins[machine[op]].push({ machine: machine[op], from, to, resumable: false });
  }
  const downtimes = pins.flatMap((closed, k) => {
    closed.sort((a, b) => a.from - b.from);
    return [
      ...closed,
      ...cutOut(downtimesOf(calendar, k), closed).map((d) => ({ machine: k, ...d })),
    ];
  });
  return createCalendar(machines, downtimes);
}

/** The parts of downtimes that are outside other downtimes; both lists are in increasing order. */
function cutOut(downtimes: readonly Downtime[], others: readonly Downtime[]): Downtime[] {
  const left: Downtime[] = [];
  let next = 0;
  for (const { from, to, resumable } of downtimes) {
    while (next < others.length && others[next].to <= from) next++;
    let open = from;
    for (let i = next; i < others.length && others[i].from < to; i++) {
      if (open < others[i].from) left.push({ from: open, to: others[i].from, resumable });
      open = Math.max(open, others[i].to);
    }
    if (open < to) left.push({ from: open, to, resumable });
  }
  return left;
}
