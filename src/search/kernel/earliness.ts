// The price of moving work in process: every operation that starts earlier than planned has a cost. The limits of ends
// determine these operations: for given machine orders, an operation must start early if and only if its latest start
// under those limits is before its planned start. So a later end may pay off, because fewer operations start early.
import { completionOf, latestStartOf } from './calendar';
import {
  duration,
  jobPredecessor,
  jobSuccessor,
  machine,
  machinePredecessor,
  machineSuccessor,
  operations,
  order,
  release,
} from './graph';
import { random, randomBelow } from './random';
import { roomFor } from './room';

/** Planned starts; −1 for operations that never start early. */
export let plannedStart = new StaticArray<i32>(0);
/** The cost of an operation that starts early; 0 if early starts are free. */
export let earlyPrice: f64 = 0;
/** A lower bound on the makespan, from parts outside the search. */
export let floor: i32 = 0;
/** The time by which each operation must be done, independent of its successors. */
let ownLimit = new StaticArray<i32>(0);
/** Latest starts under these limits. */
let latest = new StaticArray<i32>(0);
/** Ends of the schedule that is closest to the plan within the latest starts. */
export let alignedEnd = new StaticArray<i32>(0);
/** The cost of the delay that {@link worthwhileDelay} found, including the remaining early starts. */
export let costOfDelay: f64 = 0;
let shortages = new StaticArray<i32>(0);

/** Later than every time. */
export const FAR: i32 = i32.MAX_VALUE >> 1;

export function allocateEarliness(n: i32): void {
  configureEarliness(0, 0);
  plannedStart = new StaticArray<i32>(n + 1);
  ownLimit = roomFor(n + 1);
  latest = roomFor(n + 1);
  alignedEnd = new StaticArray<i32>(n + 1);
  shortages = roomFor(n);
}

/** Sets the cost of an operation that starts early, and a lower bound on the makespan. */
export function configureEarliness(price: f64, least: i32): void {
  earlyPrice = price;
  floor = least;
}

/** Removes all limits. */
export function clearLimits(): void {
  for (let op = 0; op <= operations; op++) ownLimit[op] = FAR;
}

/** Limits the end of an operation, in addition to earlier limits. */
export function limitEnd(op: i32, by: i32): void {
  ownLimit[op] = min(ownLimit[op], by);
}

/** Computes the latest starts under the limits, and returns how many of them are before the planned starts. */
export function countEarly(): i32 {
  let early = 0;
  latest[operations] = FAR;
  for (let i = operations - 1; i >= 0; i--) {
    const op = order[i];
    const by = min(ownLimit[op], min(latest[jobSuccessor[op]], latest[machineSuccessor[op]]));
    const start = by >= FAR ? FAR : latestStartOf(duration[op], machine[op], by);
    latest[op] = start;
    if (start < plannedStart[op]) early++;
  }
  return early;
}

/**
 * The delay of all ends that minimises the cost of the delay plus that of early starts, assuming that latest starts
 * move by the same delay; 0 if no delay pays off.
 */
export function worthwhileDelay(early: i32): i32 {
  let count = 0;
  const most = earlyPrice * <f64>early;
  for (let op = 0; op < operations; op++) {
    const shortage = plannedStart[op] - latest[op];
    if (shortage > 0 && <f64>shortage < most) shortages[count++] = shortage;
  }
  sortShortages(count);
  let least: f64 = most;
  let delay = 0;
  for (let i = 0; i < count; i++) {
    const cost = <f64>shortages[i] + earlyPrice * <f64>(early - i - 1);
    if (cost >= least) continue;
    least = cost;
    delay = shortages[i];
  }
  costOfDelay = least;
  return delay;
}

/** Sorts the first shortages, ascending (Shell's method). */
function sortShortages(count: i32): void {
  for (let gap = count >> 1; gap > 0; gap = gap === 2 ? 1 : <i32>((<f64>gap * 5) / 11)) {
    for (let i = gap; i < count; i++) {
      const value = shortages[i];
      let j = i;
      for (; j >= gap && shortages[j - gap] > value; j -= gap) shortages[j] = shortages[j - gap];
      shortages[j] = value;
    }
  }
}

/**
 * Computes ends with every operation starting as close to its planned start as its predecessors allow; with
 * `isLimited`, no later than its latest start.
 */
export function align(isLimited: bool): void {
  for (let i = 0; i < operations; i++) {
    const op = order[i];
    const ready = max(alignedEnd[jobPredecessor[op]], alignedEnd[machinePredecessor[op]]);
    let start = max(max(ready, plannedStart[op]), release[op]);
    if (isLimited) start = min(start, latest[op]);
    alignedEnd[op] = completionOf(duration[op], machine[op], start);
  }
}

/** A random operation that starts earlier than planned by at least `least`. */
export function drawEarly(least: i32): i32 {
  let choices = 0;
  let chosen = operations;
  for (let op = 0; op < operations; op++) {
    if (plannedStart[op] < 0 || plannedStart[op] - latest[op] < least) continue;
    if (randomBelow(++choices) === 0) chosen = op;
  }
  return chosen;
}

/** The operation that keeps another one from starting later, the dummy if there is none; ties are broken at random. */
export function bindingSuccessor(op: i32): i32 {
  const a = jobSuccessor[op];
  const b = machineSuccessor[op];
  const viaJob = latest[a];
  const viaMachine = latest[b];
  const by = min(viaJob, viaMachine);
  if (by >= ownLimit[op] || by >= FAR) return operations;
  if (viaJob === viaMachine) return (random() & 1) === 0 ? a : b;
  return viaJob < viaMachine ? a : b;
}
