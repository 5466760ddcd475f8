// A window of the topological order, to which moves are restricted. The operations before it keep their heads and those
// after it their tails, so the time of an iteration depends on the window only, and every cost is still exact: it is
// the maximum of the longest path through the window and the longest path that avoids it. (Large neighbourhood search
// by time windows, such as Carchrae and Beck 2009, doi:10.1007/s10852-008-9100-2, with tabu search inside.)
import {
  duration,
  jobPredecessor,
  jobSuccessor,
  machine,
  machinePredecessor,
  machineSuccessor,
  operations,
  order,
  position,
  release,
} from './graph';
import { randomBelow } from './random';
import { boundPasses, end, loadWindow, rest, settleTimes } from './times';

/** Whether a window is open, … */
export let isWindowed: bool = false;
/** … its first position, … */
export let windowFrom: i32 = 0;
/** … and the position after its last one. */
export let windowTo: i32 = 0;
/** The longest path that avoids the window: no cost is below it. */
export let windowFloor: i32 = 0;

/** The last operation of each job in the window, and the remaining work after it. */
let jobExits = new StaticArray<i32>(0);
let behindJobs = new StaticArray<i32>(0);
let jobExitCount: i32 = 0;
/** The first operations after the window on machines that have operations in it. */
let machineExits = new StaticArray<i32>(0);
let machineExitCount: i32 = 0;
/** For each machine its last operation before the window. */
let lastBefore = new StaticArray<i32>(0);

export function allocateWindow(n: i32, machines: i32): void {
  isWindowed = false;
  jobExits = new StaticArray<i32>(n);
  behindJobs = new StaticArray<i32>(n);
  machineExits = new StaticArray<i32>(machines);
  lastBefore = new StaticArray<i32>(machines);
}

/** Opens the window of the positions from `from` to `to` − 1. */
export function enterWindow(from: i32, to: i32): void {
  settleTimes(to, from);
  isWindowed = true;
  windowFrom = from;
  windowTo = to;
  boundPasses(from, to);
  jobExitCount = 0;
  machineExitCount = 0;
  for (let i = from; i < to; i++) {
    const op = order[i];
    const next = jobSuccessor[op];
    if (isBehind(next)) {
      jobExits[jobExitCount] = op;
      behindJobs[jobExitCount++] = rest[next];
    }
    if (duration[op] === 0) continue;
    const before = machinePredecessor[op];
    if (before === operations || position[before] < from) lastBefore[machine[op]] = before;
    const following = machineSuccessor[op];
    if (following < operations && position[following] >= to) {
      machineExits[machineExitCount++] = following;
    }
  }
  windowFloor = longestAround();
}

/** Whether an operation is after the window; true for the dummy, too. */
function isBehind(op: i32): bool {
  return op === operations || position[op] >= windowTo;
}

/** The longest path that avoids the window. */
function longestAround(): i32 {
  let longest = 0;
  for (let i = 0; i < windowFrom; i++) {
    const op = order[i];
    const next = jobSuccessor[op];
    const following = machineSuccessor[op];
    if (isBehind(next)) longest = max(longest, end[op] + rest[next]);
    if (isBehind(following)) longest = max(longest, end[op] + rest[following]);
  }
  for (let i = windowTo; i < operations; i++) {
    const op = order[i];
    const isFirst = jobPredecessor[op] === operations && machinePredecessor[op] === operations;
    if (isFirst || release[op] > 0) longest = max(longest, release[op] + rest[op]);
  }
  return longest;
}

/** The makespan of the current machine orders. */
export function windowCost(): i32 {
  let longest = windowFloor;
  for (let i = 0; i < jobExitCount; i++) {
    longest = max(longest, end[jobExits[i]] + behindJobs[i]);
  }
  for (let i = 0; i < machineExitCount; i++) {
    const exit = machineExits[i];
    longest = max(longest, end[machinePredecessor[exit]] + rest[exit]);
  }
  return longest;
}

/** Whether the path from the exit drawn last stays on its machine after the window, or ends. */
export let exitsOnMachine: bool = false;

/** A random operation that is the last one in the window on a path of this length; the dummy if there is none. */
export function drawExit(cost: i32): i32 {
  let choices = 0;
  let chosen = operations;
  exitsOnMachine = true;
  for (let i = 0; i < jobExitCount; i++) {
    const op = jobExits[i];
    if (end[op] + behindJobs[i] !== cost || randomBelow(++choices) !== 0) continue;
    chosen = op;
    exitsOnMachine = jobSuccessor[op] === operations;
  }
  for (let i = 0; i < machineExitCount; i++) {
    const exit = machineExits[i];
    const op = machinePredecessor[exit];
    if (end[op] + rest[exit] !== cost || randomBelow(++choices) !== 0) continue;
    chosen = op;
    exitsOnMachine = true;
  }
  return chosen;
}

/**
 * Closes the window with the order of `best` in its positions. Heads after it and tails before it are updated when they
 * are needed.
 *
 * @param changes whether that order differs from the one before the window was opened
 */
export function leaveWindow(best: StaticArray<i32>, changes: bool): void {
  copyWindow(order, best);
  loadWindow(windowFrom, windowTo, lastBefore, machineExits, machineExitCount, changes);
  isWindowed = false;
}

/** Copies the operations in the positions of the window from one order to another. */
export function copyWindow(to: StaticArray<i32>, from: StaticArray<i32>): void {
  const at = (<usize>windowFrom) << 2;
  const bytes = (<usize>(windowTo - windowFrom)) << 2;
  memory.copy(changetype<usize>(to) + at, changetype<usize>(from) + at, bytes);
}
