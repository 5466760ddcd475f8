// The disjunctive graph for changing machine orders, with current heads and tails of all operations and a topological
// order (Roy and Sussmann 1964; Nowicki and Smutnicki 2005, doi:10.1007/s10951-005-6364-5).
//
// Arrays have one entry per operation and one more for a dummy, number N, that represents "no operation": it ends at 0
// and has no rest, so no loop must check for missing neighbours.

import { completionOf, hasDowntimes, latestStartOf } from './calendar';
import { roomFor } from './room';

/** N, which is also the number of the dummy. */
export let operations: i32 = 0;

export let duration = new StaticArray<i32>(0);
/** The release of an operation: its earliest start, independent of its predecessors. */
export let release = new StaticArray<i32>(0);
/** Completion of an operation with a frozen start, which no move touches; 0 for free ones. */
export let frozenEnd = new StaticArray<i32>(0);
export let machine = new StaticArray<i32>(0);
export let jobPredecessor = new StaticArray<i32>(0);
export let jobSuccessor = new StaticArray<i32>(0);
export let machinePredecessor = new StaticArray<i32>(0);
export let machineSuccessor = new StaticArray<i32>(0);
/** Earliest completion: head plus duration. */
export let end = new StaticArray<i32>(0);
/**
 * Longest path from the start of an operation to the end of the schedule: duration plus tail. With downtimes: the time
 * from its latest start to `horizon`, if everything must be completed by then.
 */
export let rest = new StaticArray<i32>(0);
/** The operations in topological order. */
export let order = new StaticArray<i32>(0);
/** The index of each operation in `order`. */
export let position = new StaticArray<i32>(0);
/** The last operation of each job that has one. */
export let last = new StaticArray<i32>(0);

/** The reference time of rests, with downtimes. */
export let horizon: i32 = 0;
/** Rests with a later reference time, with downtimes. */
export let farRest = new StaticArray<i32>(0);
export let farHorizon: i32 = 0;
/** The far horizon is 1 + 1 / FAR times the horizon. */
const FAR: i32 = 32;
/** Whether tails are updated, too. */
let keepsRests: bool = true;

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

let lastOnMachine = new StaticArray<i32>(0);
let marked = new StaticArray<u8>(0);
let shifted = new StaticArray<i32>(0);

/** Makes room for an instance. */
export function allocateGraph(n: i32, jobs: i32, machines: i32): void {
  operations = n;
  duration = new StaticArray<i32>(n + 1);
  release = new StaticArray<i32>(n + 1);
  frozenEnd = new StaticArray<i32>(n + 1);
  machine = new StaticArray<i32>(n + 1);
  jobPredecessor = new StaticArray<i32>(n + 1);
  jobSuccessor = new StaticArray<i32>(n + 1);
  machinePredecessor = new StaticArray<i32>(n + 1);
  machineSuccessor = new StaticArray<i32>(n + 1);
  end = new StaticArray<i32>(n + 1);
  rest = new StaticArray<i32>(n + 1);
  farRest = new StaticArray<i32>(n + 1);
  savedEnd = roomFor(n + 1);
  savedReady = roomFor(n + 1);
  triedEnd = roomFor(n + 1);
  triedReady = roomFor(n + 1);
  order = new StaticArray<i32>(n);
  position = new StaticArray<i32>(n + 1);
  last = new StaticArray<i32>(jobs);
  readyAt = new StaticArray<i32>(n + 1);
  behindOf = roomFor(n + 1);
  farBehindOf = roomFor(n + 1);
  lastOnMachine = new StaticArray<i32>(machines);
  marked = new StaticArray<u8>(n + 1);
  shifted = roomFor(n);
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
  for (let k = 0; k < lastOnMachine.length; k++) lastOnMachine[k] = operations;
  for (let i = 0; i < operations; i++) {
    const op = order[i];
    position[op] = i;
    machinePredecessor[op] = operations;
    machineSuccessor[op] = operations;
    // An operation of zero duration occupies no machine.
    if (duration[op] === 0) continue;
    const before = lastOnMachine[machine[op]];
    link(before, op, operations);
    lastOnMachine[machine[op]] = op;
  }
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

/**
 * Moves operation u right after operation v, which comes later on the same machine, and updates order, heads and tails.
 * False, with nothing changed, if that would close a cycle.
 */
export function moveAfter(u: i32, v: i32): bool {
  const first = position[u];
  const stop = position[v];
  const following = machineSuccessor[u];
  // Successors of u move behind v together with u; v must not be among them.
  let count = 0;
  marked[u] = 1;
  shifted[count++] = u;
  for (let i = first + 1; i <= stop; i++) {
    const op = order[i];
    const before = op === following ? operations : machinePredecessor[op];
    if (marked[jobPredecessor[op]] | marked[before]) {
      marked[op] = 1;
      shifted[count++] = op;
    }
  }
  const closesCycle = marked[v] !== 0;
  if (!closesCycle) {
    let place = first;
    for (let i = first; i <= stop; i++) {
      const op = order[i];
      if (marked[op] === 0) put(op, place++);
    }
    for (let i = 0; i < count; i++) put(shifted[i], place++);
  }
  for (let i = 0; i < count; i++) marked[shifted[i]] = 0;
  if (closesCycle) return false;
  link(machinePredecessor[u], following, -1);
  link(v, u, machineSuccessor[v]);
  updateEnds(first, max(stop, position[machineSuccessor[u]]));
  if (keepsRests) updateRests(stop);
  return true;
}

/**
 * Moves operation v right before operation u, which comes earlier on the same machine, and updates order, heads and
 * tails. False, with nothing changed, if that would close a cycle.
 */
export function moveBefore(v: i32, u: i32): bool {
  const first = position[u];
  const stop = position[v];
  const preceding = machinePredecessor[v];
  // Predecessors of v move before u together with v; u must not be among them.
  let count = 0;
  marked[v] = 1;
  shifted[count++] = v;
  for (let i = stop - 1; i >= first; i--) {
    const op = order[i];
    const behind = op === preceding ? operations : machineSuccessor[op];
    if (marked[jobSuccessor[op]] | marked[behind]) {
      marked[op] = 1;
      shifted[count++] = op;
    }
  }
  const closesCycle = marked[u] !== 0;
  if (!closesCycle) {
    let place = stop;
    for (let i = stop; i >= first; i--) {
      const op = order[i];
      if (marked[op] === 0) put(op, place--);
    }
    for (let i = 0; i < count; i++) put(shifted[i], place--);
  }
  for (let i = 0; i < count; i++) marked[shifted[i]] = 0;
  if (closesCycle) return false;
  link(preceding, machineSuccessor[v], -1);
  const behind = machineSuccessor[preceding];
  link(machinePredecessor[u], v, u);
  updateEnds(first, max(stop, position[behind]));
  if (keepsRests) updateRests(stop);
  return true;
}

/** Puts an operation at a position of the order. */
function put(op: i32, place: i32): void {
  order[place] = op;
  position[op] = place;
}

/** Makes a, b and, unless it is negative, c machine neighbours in this order. */
function link(a: i32, b: i32, c: i32): void {
  machineSuccessor[a] = b;
  machinePredecessor[b] = a;
  if (c < 0) return;
  machineSuccessor[b] = c;
  machinePredecessor[c] = b;
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

/** Makes a trial move of u right after v again, with the ends that were saved after it. */
export function moveAgainAfter(u: i32, v: i32): void {
  timesEnds = false;
  moveAfter(u, v);
  timesEnds = true;
  const bytes = (<usize>operations + 1) << 2;
  memory.copy(changetype<usize>(end), changetype<usize>(triedEnd), bytes);
  if (hasDowntimes()) memory.copy(changetype<usize>(readyAt), changetype<usize>(triedReady), bytes);
}

/** Undoes a move of u, to right before `following`, and restores the ends. */
export function takeBackAfter(u: i32, following: i32): void {
  timesEnds = false;
  moveBefore(u, following);
  restoreEnds();
}

/** Undoes a move of v, to right after `preceding`, and restores the ends. */
export function takeBackBefore(v: i32, preceding: i32): void {
  timesEnds = false;
  moveAfter(v, preceding);
  restoreEnds();
}

function restoreEnds(): void {
  timesEnds = true;
  const bytes = (<usize>operations + 1) << 2;
  memory.copy(changetype<usize>(end), changetype<usize>(savedEnd), bytes);
  if (hasDowntimes()) memory.copy(changetype<usize>(readyAt), changetype<usize>(savedReady), bytes);
}

/**
 * Updates the earliest completions from a position of the order on. Those after the position `until` change only if an
 * earlier one does; a check for that pays off with downtimes and where few change.
 */
function updateEnds(from: i32, until: i32): void {
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
function updateRests(from: i32): void {
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
