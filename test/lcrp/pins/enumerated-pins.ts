import type { Instance } from '../../../src/jssp/instance.js';
import { completion, operationsOf, previousInJob } from '../../search/oracle.js';

// Slow and obviously right: every order in which free operations can be placed, each as early as it fits.

/** Whether any schedule starts these free operations when planned, and keeps the planned queues of some machines. */
export function canKeep(
  instance: Instance,
  planned: Int32Array,
  pins: ReadonlySet<number>,
  untouchable: readonly number[],
): boolean {
  const { machine, duration, frozen } = instance;
  const start = new Int32Array(instance.operations).fill(-1);
  const end = new Int32Array(instance.operations).fill(-1);
  const isFrozen = (op: number) => (frozen?.[op] ?? -1) >= 0;
  for (const op of operationsOf(instance)) {
    if (!isFrozen(op) && !pins.has(op)) continue;
    start[op] = isFrozen(op) ? (frozen?.[op] ?? -1) : planned[op];
    const done = completion(instance, op, start[op]);
    if (done === null && pins.has(op)) return false;
    // What has started may have met a downtime that came later.
    end[op] = done ?? start[op] + duration[op];
  }
  const queued = (op: number) =>
    untouchable.includes(machine[op]) && planned[op] >= 0 && duration[op] > 0 && !isFrozen(op);
  const comesBefore = (a: number, b: number) =>
    queued(a) && queued(b) && machine[a] === machine[b] && (planned[a] - planned[b] || a - b) < 0;
  const all = operationsOf(instance);
  const fits = (op: number, time: number, done: number): boolean => {
    if (time < (instance.release?.[op] ?? 0)) return false;
    const before = previousInJob(instance, op);
    if (before !== null && (start[before] < 0 || end[before] > time)) return false;
    const after = op + 1;
    const isLed = after < all.length && previousInJob(instance, after) === op && start[after] >= 0;
    if (isLed && done > start[after]) return false;
    return all.every((other) => {
      if (other === op || start[other] < 0) return true;
      if (comesBefore(other, op) && end[other] > time) return false;
      if (comesBefore(op, other) && done > start[other]) return false;
      if (machine[other] !== machine[op] || duration[op] === 0 || duration[other] === 0)
        return true;
      return end[other] <= time || done <= start[other];
    });
  };
  const latest = all.reduce((sum, op) => sum + duration[op] + 1, 400);
  for (const op of pins) {
    const before = previousInJob(instance, op);
    const isReady = before === null || start[before] < 0 || end[before] <= start[op];
    const alone = all.every((other) => other === op || start[other] < 0 || !overlaps(op, other));
    if (start[op] < (instance.release?.[op] ?? 0) || !isReady || !alone) return false;
    if (all.some((other) => start[other] >= 0 && comesBefore(other, op) && end[other] > start[op]))
      return false;
  }
  function overlaps(a: number, b: number): boolean {
    if (machine[a] !== machine[b] || duration[a] === 0 || duration[b] === 0) return false;
    return start[a] < end[b] && start[b] < end[a];
  }
  const place = (): boolean => {
    const open = all.filter((op) => start[op] < 0);
    if (open.length === 0) return true;
    for (const op of open) {
      const before = previousInJob(instance, op);
      if (before !== null && start[before] < 0) continue;
      if (open.some((other) => comesBefore(other, op))) continue;
      for (let time = Math.max(0, before === null ? 0 : end[before]); time <= latest; time++) {
        const done = completion(instance, op, time);
        if (done === null || !fits(op, time, done)) continue;
        start[op] = time;
        end[op] = done;
        if (place()) return true;
        start[op] = -1;
        break;
      }
    }
    return false;
  };
  return place();
}

/** The fewest of these operations that no schedule keeps. */
export function fewestLost(
  instance: Instance,
  planned: Int32Array,
  pins: readonly number[],
  untouchable: readonly number[],
): number {
  for (let lost = 0; lost <= pins.length; lost++) {
    for (let mask = 0; mask < 2 ** pins.length; mask++) {
      const kept = pins.filter((_, i) => ((mask >> i) & 1) === 0);
      if (kept.length !== pins.length - lost) continue;
      if (canKeep(instance, planned, new Set(kept), untouchable)) return lost;
    }
  }
  return Number.POSITIVE_INFINITY;
}
