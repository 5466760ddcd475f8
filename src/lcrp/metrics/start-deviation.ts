import type { Times } from '../task.js';

/** Distances of starts from the planned ones, in units of time. */
export interface StartDeviation {
  /** Operations that were compared. */
  readonly compared: number;
  /** Operations, ascending, that start at another time. */
  readonly changed: Int32Array;
  /** Units of time by which starts were moved, earlier or later. */
  readonly shift_total: number;
  /** Over all compared operations; 0 if there are none. */
  readonly shift_mean: number;
  readonly shift_max: number;
  /** Moved work in progress: operations that start earlier than planned, … */
  readonly wip_moves: number;
  /** … and by how much in total. */
  readonly wip_units: number;
}

/**
 * Compares starts: a measure of stability since Wu, Storer and Chang 1993 (One-machine rescheduling heuristics with
 * efficiency and stability as criteria, Computers & Operations Research 20). Only operations that `isCompared` selects
 * and that have a start both times count. O(N).
 */
export function startDeviation(
  before: Times,
  after: Times,
  isCompared: (op: number) => boolean,
): StartDeviation {
  const operations = before.start.length;
  const changed: number[] = [];
  let compared = 0;
  let later = 0;
  let wip_moves = 0;
  let wip_units = 0;
  let shift_max = 0;
  for (let op = 0; op < operations; op++) {
    if (before.start[op] < 0 || after.start[op] < 0 || !isCompared(op)) continue;
    compared++;
    const delay = after.start[op] - before.start[op];
    if (delay === 0) continue;
    changed.push(op);
    shift_max = Math.max(shift_max, Math.abs(delay));
    if (delay > 0) later += delay;
    else {
      wip_moves++;
      wip_units -= delay;
    }
  }
  const shift_total = later + wip_units;
  return {
    compared,
    changed: Int32Array.from(changed),
    shift_total,
    shift_mean: compared === 0 ? 0 : shift_total / compared,
    shift_max,
    wip_moves,
    wip_units,
  };
}

/**
 * The time from which everything is as planned again: from then on every operation is waiting, running or done exactly
 * as planned. An unplanned operation is as planned when it is done. Schedules match up there (Bean, Birge, Mittenthal
 * and Noon 1991, doi:10.1287/opre.39.3.470). O(N).
 *
 * @returns 0 if nothing differs; null if an operation has lost its start, so that they never match
 */
export function matchUpTime(before: Times, after: Times): number | null {
  const operations = after.start.length;
  let time = 0;
  for (let op = 0; op < operations; op++) {
    if (after.start[op] < 0) return null;
    const end = Math.max(before.end[op], after.end[op]);
    if (after.end[op] !== before.end[op]) time = Math.max(time, end);
    else if (after.start[op] !== before.start[op]) {
      time = Math.max(time, before.start[op], after.start[op]);
    }
  }
  return time;
}
