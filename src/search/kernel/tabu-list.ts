// Arcs that are forbidden for a while. An arc a → b between operations of one machine is forbidden until the iteration
// in its entry. One table entry per ordered pair on a machine; in very large instances pairs share entries, which
// forbids a little too much.
import { machinePredecessor, machineSuccessor } from './graph';

/** The start of the entries of arcs from an operation, and the operation's own index on its machine. */
export let row = new StaticArray<i32>(0);
export let column = new StaticArray<i32>(0);
let until = new StaticArray<i32>(0);

export function allocateTabu(n: i32, size: i32): void {
  row = new StaticArray<i32>(n + 1);
  column = new StaticArray<i32>(n + 1);
  until = new StaticArray<i32>(size);
}

/** Clears the list. */
export function clearTabu(): void {
  memory.fill(changetype<usize>(until), 0, until.length << 2);
}

/** Whether moving u right after v would create a forbidden arc. */
export function isTabuAfter(u: i32, v: i32, now: i32): bool {
  const place = column[u];
  let op = u;
  do {
    op = machineSuccessor[op];
    if (until[row[op] + place] > now) return true;
  } while (op !== v);
  return false;
}

/** Whether moving v right before u would create a forbidden arc. */
export function isTabuBefore(v: i32, u: i32, now: i32): bool {
  const start = row[v];
  let op = v;
  do {
    op = machinePredecessor[op];
    if (until[start + column[op]] > now) return true;
  } while (op !== u);
  return false;
}

/** Forbids the arcs that the next move (u right after v) removes. */
export function forbidAfter(u: i32, v: i32, time: i32): void {
  const start = row[u];
  let op = u;
  do {
    op = machineSuccessor[op];
    until[start + column[op]] = time;
  } while (op !== v);
}

/** Forbids the arcs that the next move (v right before u) removes. */
export function forbidBefore(v: i32, u: i32, time: i32): void {
  const place = column[v];
  let op = v;
  do {
    op = machinePredecessor[op];
    until[row[op] + place] = time;
  } while (op !== u);
}
