// Heads and tails of the graph: the earliest completion of each operation, and the longest path from its start to the end of
// the schedule. Both are kept current by passes over the topological order.

import { completionOf, hasDowntimes, latestStartOf } from './calendar';
import {
  duration,
  frozenEnd,
  jobPredecessor,
  jobSuccessor,
  last,
  link,
  linkOrder,
  machine,
  machinePredecessor,
  machineSuccessor,
  operations,
  order,
  position,
  release,
} from './graph';
import { roomFor } from './room';

/** Earliest completion: head plus duration. */
export let end = new StaticArray<i32>(0);
/**
 * Longest path from the start of an operation to the end of the schedule: duration plus tail. With downtimes: the time
 * from its latest start to `horizon`, if everything must be completed by then.
 */
export let rest = new StaticArray<i32>(0);

/** The reference time of rests, with downtimes. */
export let horizon: i32 = 0;
/** Rests with a later reference time, with downtimes. */
export let farRest = new StaticArray<i32>(0);
export let farHorizon: i32 = 0;
/** The far horizon is 1 + 1 / FAR times the horizon. */
const FAR: i32 = 32;
/** Whether tails are updated, too. */
export let keepsRests: bool = true;

// With downtimes: the inputs of the last computation of ends and rests: equal inputs give equal results.
let readyAt = new StaticArray<i32>(0);
let behindOf = new StaticArray<i32>(0);
let farBehindOf = new StaticArray<i32>(0);
/** Whether any operation has a release. */
let hasReleases: bool = false;
/** Whether moves update ends. */
let timesEnds: bool = true;
let savedEnd = new StaticArray<i32>(0);
let savedReady = new StaticArray<i32>(0);
let triedEnd = new StaticArray<i32>(0);
let triedReady = new StaticArray<i32>(0);
/** Whether moves are expected to change few ends, so that a check for the last change pays off. */
let expectsFew: bool = false;
/** The range of positions in which moves update rests and ends. */
let firstPlace: i32 = 0;
let stopPlace: i32 = 0;
/** Ends are exact before one position of the order, and rests from another position on: windows leave the others. */
let endsUntil: i32 = 0;
let restsSince: i32 = 0;

/** Makes room for the times of n operations. */
export function allocateTimes(n: i32): void {
  end = new StaticArray<i32>(n + 1);
  rest = new StaticArray<i32>(n + 1);
  farRest = new StaticArray<i32>(n + 1);
  savedEnd = roomFor(n + 1);
  savedReady = roomFor(n + 1);
  triedEnd = roomFor(n + 1);
  triedReady = roomFor(n + 1);
  readyAt = new StaticArray<i32>(n + 1);
  behindOf = roomFor(n + 1);
  farBehindOf = roomFor(n + 1);
}

/** Sets whether moves update tails, too. */
export function configureRests(keeps: bool): void {
  keepsRests = keeps;
}

/** Sets whether moves are expected to change few ends. */
export function expectFewChanges(few: bool): void {
  expectsFew = few;
}

/**
 * Loads the machine orders implied by `order`, a topological order of all operations. An order by start times keeps
 * related operations close together, which makes moves cheap.
 */
export function loadOrder(): void {
  linkOrder();
  hasReleases = false;
  endsUntil = operations;
  restsSince = 0;
  boundPasses(0, operations);
  for (let i = 0; i < operations; i++) {
    readyAt[i] = -1;
    if (release[i] > 0) hasReleases = true;
  }
  updateEnds(0, operations);
  setHorizon(makespan());
}

/** Restricts the updates after moves: ends before one position of the order, and rests from another position on. */
export function boundPasses(from: i32, to: i32): void {
  firstPlace = from;
  stopPlace = to;
}

/**
 * Loads the machine orders implied by `order` in the positions from `from` to `to` − 1. Ends after these positions and
 * rests before them are not updated yet if anything has changed: {@link settleTimes} does that.
 *
 * @param entries for each machine its last operation before these positions
 * @param exits the first `exitCount` operations after them, on as many machines
 * @param changes whether the orders differ from those before
 */
export function loadWindow(
  from: i32,
  to: i32,
  entries: StaticArray<i32>,
  exits: StaticArray<i32>,
  exitCount: i32,
  changes: bool,
): void {
  for (let i = from; i < to; i++) {
    const op = order[i];
    position[op] = i;
    if (duration[op] === 0) continue;
    link(entries[machine[op]], op, operations);
    entries[machine[op]] = op;
  }
  for (let i = 0; i < exitCount; i++) link(entries[machine[exits[i]]], exits[i], -1);
  boundPasses(from, to);
  updateEnds(from, operations);
  updateRests(to - 1);
  boundPasses(0, operations);
  if (!changes) return;
  endsUntil = to;
  restsSince = from;
}

/**
 * Makes ends before one position of the order exact, and rests from another position on. Windows that follow each other
 * need the times between them only, which saves most of the passes of all operations.
 */
export function settleTimes(until: i32, since: i32): void {
  if (endsUntil < until) {
    boundPasses(0, until);
    updateEnds(endsUntil, operations);
    endsUntil = until;
  }
  if (restsSince > since) {
    boundPasses(since, operations);
    updateRests(restsSince - 1);
    restsSince = since;
  }
  boundPasses(0, operations);
}

/** Changes the reference time of rests, with downtimes: earlier ends are known exactly, later ones are estimated. */
export function moveHorizon(time: i32): void {
  if (keepsRests && time !== horizon && hasDowntimes()) setHorizon(time);
}

function setHorizon(time: i32): void {
  horizon = time;
  farHorizon = time + 1 + time / FAR;
  for (let i = 0; hasDowntimes() && i < operations; i++) {
    behindOf[i] = -1;
    farBehindOf[i] = -1;
  }
  rest[operations] = 0;
  updateRests(operations - 1);
}

/** The makespan of the current machine orders. */
export function makespan(): i32 {
  let latest = 0;
  for (let j = 0; j < last.length; j++) latest = max(latest, end[last[j]]);
  return latest;
}

/** Saves the ends, so that a trial move can be undone. */
export function saveEnds(): void {
  const bytes = (<usize>operations + 1) << 2;
  memory.copy(changetype<usize>(savedEnd), changetype<usize>(end), bytes);
  if (hasDowntimes()) memory.copy(changetype<usize>(savedReady), changetype<usize>(readyAt), bytes);
}

/** Saves the ends after a trial move, so that it can be made again. */
export function saveTriedEnds(): void {
  const bytes = (<usize>operations + 1) << 2;
  memory.copy(changetype<usize>(triedEnd), changetype<usize>(end), bytes);
  if (hasDowntimes()) memory.copy(changetype<usize>(triedReady), changetype<usize>(readyAt), bytes);
}

/** Leaves ends as they are at the next moves, until {@link restoreEnds} or {@link repeatTriedEnds}. */
export function holdEnds(): void {
  timesEnds = false;
}

/** Sets the ends as {@link saveTriedEnds} saved them. */
export function repeatTriedEnds(): void {
  timesEnds = true;
  const bytes = (<usize>operations + 1) << 2;
  memory.copy(changetype<usize>(end), changetype<usize>(triedEnd), bytes);
  if (hasDowntimes()) memory.copy(changetype<usize>(readyAt), changetype<usize>(triedReady), bytes);
}

/** Sets the ends as {@link saveEnds} saved them. */
export function restoreEnds(): void {
  timesEnds = true;
  const bytes = (<usize>operations + 1) << 2;
  memory.copy(changetype<usize>(end), changetype<usize>(savedEnd), bytes);
  if (hasDowntimes()) memory.copy(changetype<usize>(readyAt), changetype<usize>(savedReady), bytes);
}

/**
 * Updates the earliest completions from a position of the order on. Those after the position `until` change only if an
 * earlier one does; a check for that pays off with downtimes and where few change.
 */
export function updateEnds(from: i32, until: i32): void {
  if (!timesEnds) return;
  if (hasDowntimes()) {
    updateEndsByCalendar(from, until);
    return;
  }
  if (expectsFew) {
    updateChangedEnds(from, until);
    return;
  }
  const ends = changetype<usize>(end);
  const before = changetype<usize>(jobPredecessor);
  const ahead = changetype<usize>(machinePredecessor);
  const releases = changetype<usize>(release);
  const durations = changetype<usize>(duration);
  const stop = addressIn(order, stopPlace);
  let at = addressIn(order, from);
  if (!hasReleases) {
    for (; at < stop; at += 4) {
      const op = offsetAt(at);
      const viaJob = load<i32>(ends + offsetAt(before + op));
      const viaMachine = load<i32>(ends + offsetAt(ahead + op));
      store<i32>(ends + op, max(viaJob, viaMachine) + load<i32>(durations + op));
    }
    return;
  }
  for (; at < stop; at += 4) {
    const op = offsetAt(at);
    const viaJob = load<i32>(ends + offsetAt(before + op));
    const viaMachine = load<i32>(ends + offsetAt(ahead + op));
    const start = max(max(viaJob, viaMachine), load<i32>(releases + op));
    store<i32>(ends + op, start + load<i32>(durations + op));
  }
}

function updateChangedEnds(from: i32, until: i32): void {
  let last = until;
  for (let i = from; i < operations; i++) {
    const op = order[i];
    const ready = max(end[jobPredecessor[op]], end[machinePredecessor[op]]);
    const done = max(ready, release[op]) + duration[op];
    if (done !== end[op]) {
      end[op] = done;
      last = max(last, max(position[jobSuccessor[op]], position[machineSuccessor[op]]));
    } else if (i >= last) return;
  }
}

/**
 * The address of an entry of an array. Every array access would reload the variable of the array. The two hottest loops
 * load it once, which makes the whole search a sixth faster.
 */
function addressIn(array: StaticArray<i32>, index: i32): usize {
  return changetype<usize>(array) + ((<usize>index) << 2);
}

/** The offset of the array entry of the operation whose number is at the address. */
export function offsetAt(address: usize): usize {
  return (<usize>load<i32>(address)) << 2;
}

function updateEndsByCalendar(from: i32, until: i32): void {
  let last = until;
  for (let i = from; i < operations; i++) {
    const op = order[i];
    const ready = max(end[jobPredecessor[op]], end[machinePredecessor[op]]);
    const start = max(ready, release[op]);
    if (start !== readyAt[op]) {
      readyAt[op] = start;
      const done =
        frozenEnd[op] > 0 ? frozenEnd[op] : completionOf(duration[op], machine[op], start);
      if (done !== end[op]) {
        end[op] = done;
        last = max(last, max(position[jobSuccessor[op]], position[machineSuccessor[op]]));
      }
    }
    if (i >= last) return;
  }
}

/** Updates the longest paths after everything up to a position of the order. */
export function updateRests(from: i32): void {
  if (hasDowntimes()) {
    updateRestsByCalendar(from);
    return;
  }
  const rests = changetype<usize>(rest);
  const after = changetype<usize>(jobSuccessor);
  const behind = changetype<usize>(machineSuccessor);
  const durations = changetype<usize>(duration);
  const stop = addressIn(order, firstPlace);
  for (let at = addressIn(order, from); at >= stop; at -= 4) {
    const op = offsetAt(at);
    const viaJob = load<i32>(rests + offsetAt(after + op));
    const viaMachine = load<i32>(rests + offsetAt(behind + op));
    store<i32>(rests + op, max(viaJob, viaMachine) + load<i32>(durations + op));
  }
}

function updateRestsByCalendar(from: i32): void {
  for (let i = from; i >= 0; i--) {
    const op = order[i];
    const a = jobSuccessor[op];
    const b = machineSuccessor[op];
    const behind = max(rest[a], rest[b]);
    const farBehind = max(farRest[a], farRest[b]);
    if (behind !== behindOf[op]) {
      behindOf[op] = behind;
      rest[op] = restByCalendar(op, behind);
    }
    if (farBehind !== farBehindOf[op]) {
      farBehindOf[op] = farBehind;
      farRest[op] = farRestByCalendar(op, farBehind);
    }
  }
}

/** The rest, by calendar, of an operation that must be completed `behind` time units before the horizon. */
export function restByCalendar(op: i32, behind: i32): i32 {
  return horizon - latestStartOf(duration[op], machine[op], horizon - behind);
}

/** The same as {@link restByCalendar}, for the far horizon. */
export function farRestByCalendar(op: i32, behind: i32): i32 {
  return farHorizon - latestStartOf(duration[op], machine[op], farHorizon - behind);
}
