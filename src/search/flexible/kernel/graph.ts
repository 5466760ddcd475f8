// The disjunctive graph for changing machines and orders, with current heads and tails of all operations and a
// topological order (Roy and Sussmann 1964; Mastrolilli and Gambardella 2000).
import { roomFor } from '../../kernel/room';
import { passEnds, passRests } from './passes';
import {
  fixed,
  hasSetups,
  last,
  machines,
  modeDuration,
  modeMachine,
  modeOffset,
  operations,
  pred,
  predOffset,
  succ,
  succOffset,
} from './shop';

/** The mode of each operation, its machine and its duration. */
export let mode = new StaticArray<i32>(0);
export let machine = new StaticArray<i32>(0);
export let duration = new StaticArray<i32>(0);
export let machinePredecessor = new StaticArray<i32>(0);
export let machineSuccessor = new StaticArray<i32>(0);
/** The operations of machine k in their order: `sequence[sequenceOffset[k]]` and the `sequenceLength[k] − 1` after it. */
export let sequence = new StaticArray<i32>(0);
export let sequenceOffset = new StaticArray<i32>(0);
export let sequenceLength = new StaticArray<i32>(0);
/** How many fixed operations come first on each machine. */
export let fixedLength = new StaticArray<i32>(0);
/** The place of each operation in the order of its machine. */
export let place = new StaticArray<i32>(0);
/** Earliest completion. */
export let end = new StaticArray<i32>(0);
/** Longest path from the start of an operation to the end of the schedule. */
export let rest = new StaticArray<i32>(0);
/** The operations in topological order, … */
export let order = new StaticArray<i32>(0);
/** … and the index of each in it. */
export let position = new StaticArray<i32>(0);

let marked = new StaticArray<u8>(0);
let shifted = new StaticArray<i32>(0);

/** Makes room for an instance; afterwards sequences are laid out by `layOutSequences`. */
export function allocateGraph(n: i32, m: i32, modes: i32): void {
  mode = new StaticArray<i32>(n + 1);
  machine = new StaticArray<i32>(n + 1);
  duration = new StaticArray<i32>(n + 1);
  machinePredecessor = new StaticArray<i32>(n + 1);
  machineSuccessor = new StaticArray<i32>(n + 1);
  sequence = new StaticArray<i32>(modes + m);
  sequenceOffset = new StaticArray<i32>(m + 1);
  sequenceLength = new StaticArray<i32>(m);
  fixedLength = new StaticArray<i32>(m);
  place = new StaticArray<i32>(n + 1);
  end = new StaticArray<i32>(n + 1);
  rest = new StaticArray<i32>(n + 1);
  order = new StaticArray<i32>(n);
  position = new StaticArray<i32>(n + 1);
  marked = new StaticArray<u8>(n + 1);
  shifted = roomFor(n);
}

/** Gives each machine room for every operation that it can do. */
export function layOutSequences(): void {
  for (let k = 0; k <= machines; k++) sequenceOffset[k] = 0;
  for (let i = 0; i < modeOffset[operations]; i++) sequenceOffset[modeMachine[i] + 1]++;
  for (let k = 0; k < machines; k++) sequenceOffset[k + 1] += sequenceOffset[k];
}

/** Loads the orders of machines that `order`, a topological order of all operations, implies in the modes of `mode`. */
export function loadOrder(): void {
  for (let k = 0; k < machines; k++) {
    sequenceLength[k] = 0;
    fixedLength[k] = 0;
  }
  machine[operations] = 0;
  for (let i = 0; i < operations; i++) {
    const op = order[i];
    position[op] = i;
    const k = modeMachine[mode[op]];
    machine[op] = k;
    duration[op] = modeDuration[mode[op]];
    machinePredecessor[op] = operations;
    machineSuccessor[op] = operations;
    // An operation of zero duration occupies no machine.
    if (duration[op] === 0) continue;
    const at = sequenceLength[k]++;
    const slot = sequenceOffset[k] + at;
    sequence[slot] = op;
    place[op] = at;
    if (at > 0) link(sequence[slot - 1], op);
    if (fixed[op]) fixedLength[k] = at + 1;
  }
  end[operations] = 0;
  rest[operations] = 0;
  passEnds(end, 0);
  passRests(rest, operations - 1);
}

/** The latest end among these ends. */
export function latestOf(ends: StaticArray<i32>): i32 {
  let latest = 0;
  for (let j = 0; j < last.length; j++) latest = max(latest, ends[last[j]]);
  return latest;
}

/** Takes an operation out of the order of its machine, in the links alone. */
export function unlink(v: i32): void {
  link(machinePredecessor[v], machineSuccessor[v]);
}

/** Undoes `unlink`. */
export function relink(v: i32): void {
  machineSuccessor[machinePredecessor[v]] = v;
  machinePredecessor[machineSuccessor[v]] = v;
}

function link(a: i32, b: i32): void {
  machineSuccessor[a] = b;
  machinePredecessor[b] = a;
}

/**
 * Gives operation v another mode and place, the one with `at` other operations before it, and updates the order, heads
 * and tails. The caller ensures that this closes no cycle.
 */
export function reinsert(v: i32, chosen: i32, at: i32): void {
  unlink(v);
  const from = sequenceOffset[machine[v]];
  const length = --sequenceLength[machine[v]];
  for (let i = place[v]; i < length; i++) {
    const op = sequence[from + i + 1];
    sequence[from + i] = op;
    place[op] = i;
  }
  const k = modeMachine[chosen];
  mode[v] = chosen;
  machine[v] = k;
  duration[v] = modeDuration[chosen];
  const base = sequenceOffset[k];
  for (let i = sequenceLength[k]++; i > at; i--) {
    const op = sequence[base + i - 1];
    sequence[base + i] = op;
    place[op] = i;
  }
  sequence[base + at] = v;
  place[v] = at;
  const x = at > 0 ? sequence[base + at - 1] : operations;
  const y = at + 1 < sequenceLength[k] ? sequence[base + at + 1] : operations;
  // The order is repaired while v has no place yet.
  repairOrder(v, x, y);
  link(x, v);
  link(v, y);
}

/** The first and the last position that repairs of the order since the last update, or the operations moved, affect. */
let repairedFrom: i32 = i32.MAX_VALUE;
let repairedTo: i32 = -1;

/** Updates heads and tails after `reinsert`, or after several. */
export function timeAgain(): void {
  passEnds(end, repairedFrom);
  // A setup that waits for the job delays the predecessor in the job, too, which may come later in the order.
  passRests(rest, hasSetups ? operations - 1 : repairedTo);
  forgetRepairs();
}

/** Updates heads only. */
export function timeEndsAgain(): void {
  passEnds(end, repairedFrom);
}

/** Heads and tails need no update for a `reinsert` that was undone. */
export function forgetRepairs(): void {
  repairedFrom = i32.MAX_VALUE;
  repairedTo = -1;
}

/** Moves v, and as many other operations as necessary, to positions after x and before y. */
function repairOrder(v: i32, x: i32, y: i32): void {
  const own = position[v];
  let low = y < operations ? position[y] : operations;
  for (let e = succOffset[v]; e < succOffset[v + 1]; e++) low = min(low, position[succ[e]]);
  let high = x < operations ? position[x] : -1;
  for (let e = predOffset[v]; e < predOffset[v + 1]; e++) high = max(high, position[pred[e]]);
  repairedFrom = min(repairedFrom, min(own, low));
  repairedTo = max(repairedTo, max(own, high));
  if (high < own && own < low) return;
  if (high < low) {
    shift(v, own, own < low ? low - 1 : low);
    return;
  }
  // What must follow v moves behind everything that v must follow.
  let count = 0;
  let kept = 0;
  if (y < operations) marked[y] = 1;
  for (let e = succOffset[v]; e < succOffset[v + 1]; e++) marked[succ[e]] = 1;
  for (let i = low; i <= high; i++) {
    const op = order[i];
    if (op === v) continue;
    if (marked[op] || followsMarked(op)) {
      marked[op] = 1;
      shifted[count++] = op;
    } else {
      put(op, low + kept++);
    }
  }
  if (y < operations) marked[y] = 0;
  for (let e = succOffset[v]; e < succOffset[v + 1]; e++) marked[succ[e]] = 0;
  for (let j = 0; j < count; j++) marked[shifted[j]] = 0;
  let at = low + kept;
  if (own < low) {
    // One position is free before the range, and none inside.
    for (let i = own; i < at - 1; i++) put(order[i + 1], i);
    put(v, at - 1);
  } else if (own <= high) {
    put(v, at++);
  } else {
    for (let i = own; i > high + 1; i--) put(order[i - 1], i);
    put(v, at++);
  }
  for (let j = 0; j < count; j++) put(shifted[j], at++);
}

/** Moves v from one position to another, and what is between them by one. */
function shift(v: i32, from: i32, to: i32): void {
  for (let i = from; i < to; i++) put(order[i + 1], i);
  for (let i = from; i > to; i--) put(order[i - 1], i);
  put(v, to);
}

/** Whether an operation directly follows a marked one. */
function followsMarked(op: i32): bool {
  if (marked[machinePredecessor[op]]) return true;
  for (let e = predOffset[op]; e < predOffset[op + 1]; e++) if (marked[pred[e]]) return true;
  return false;
}

/** Puts an operation at a position of the order. */
function put(op: i32, at: i32): void {
  order[at] = op;
  position[op] = at;
}
