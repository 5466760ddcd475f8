import { endOfWork, latestBegin } from '../jssp/calendar.js';
import type { Instance } from '../jssp/instance.js';
import { setupTime } from '../jssp/shop-parts.js';
import { arrivalOf } from './edges.js';

/** The times of setups, N entries each by the operation that they prepare; `end` is −1 where there is none. */
export interface SetupTimes {
  readonly begin: Int32Array;
  readonly end: Int32Array;
}

/** Receives each operation that has too little time for its setup, and the one before it on the machine, −1 for none. */
export type SetupListener = (op: number, before: number) => void;

/** Room for the setups of an instance; null if it has none. */
export function createSetupTimes({ setups, operations }: Instance): SetupTimes | null {
  if (setups === null) return null;
  return { begin: new Int32Array(operations), end: new Int32Array(operations).fill(-1) };
}

/**
 * Places the setups between the operations of one machine: each as late as possible, so that it is done by the start of
 * its operation. Reports those that would have to begin too early. Operations that overlap have no setup between them.
 *
 * @param sequence the operations of positive duration with usable starts, by start, end and number, from `from` to
 *   before `to`
 */
export function inspectSetups(
  instance: Instance,
  machine: number,
  sequence: Int32Array,
  from: number,
  to: number,
  starts: Int32Array,
  ends: Int32Array,
  times: SetupTimes,
  report: SetupListener,
): void {
  const { setups, calendar } = instance;
  if (setups === null || setups.matrixOf[machine] < 0) return;
  for (let slot = from; slot < to; slot++) {
    const op = sequence[slot];
    const before = slot > from ? sequence[slot - 1] : -1;
    times.end[op] = -1;
    if (before >= 0 && ends[before] > starts[op]) continue;
    const length = setupTime(instance, machine, before, op);
    if (length === 0) continue;
    const begin = latestBegin(calendar, machine, length, starts[op]);
    times.begin[op] = begin;
    times.end[op] = endOfWork(calendar, machine, length, begin);
    if (begin < earliestSetup(instance, op, before, ends)) report(op, before);
  }
}

/** The earliest time at which the setup of an operation may begin. */
export function earliestSetup(
  instance: Instance,
  op: number,
  before: number,
  ends: Int32Array,
): number {
  const { setups, release, machine } = instance;
  const free = before < 0 ? 0 : ends[before];
  if (setups === null || setups.anticipatory[machine[op]] === 1) return free;
  return Math.max(free, release === null ? 0 : release[op], arrivalOf(instance, op, ends));
}
