// Moves that are forbidden for a while: an operation does not return to a mode that it has left, and operations of one
// machine that have been swapped are not swapped back.
import { machine, place, sequence, sequenceOffset } from './graph';
import { operations } from './shop';

/** Entries of the table of forbidden arcs, at most; beyond it, pairs share entries. */
const MOST_ENTRIES: i32 = 1 << 20;

/** The iteration until which an operation does not return to a mode. */
let leftUntil = new StaticArray<i32>(0);
/** The iteration until which one operation does not come before another one on the same machine. */
let arcUntil = new StaticArray<i32>(0);
let mask: i32 = 0;

export function allocateTabu(n: i32, modes: i32): void {
  leftUntil = new StaticArray<i32>(modes);
  let size = 1024;
  while (size < MOST_ENTRIES && <i64>size < <i64>n * <i64>n) size <<= 1;
  mask = size - 1;
  arcUntil = new StaticArray<i32>(size);
}

/** Clears the list. */
export function clearTabu(): void {
  memory.fill(changetype<usize>(leftUntil), 0, leftUntil.length << 2);
  memory.fill(changetype<usize>(arcUntil), 0, arcUntil.length << 2);
}

function arc(a: i32, b: i32): i32 {
  return (a * operations + b) & mask;
}

/** Whether v may not change to a mode now. */
export function isTabuMode(chosen: i32, now: i32): bool {
  return leftUntil[chosen] > now;
}

/** Whether moving v on its machine, to the place with `at` other operations before it, would create a forbidden arc. */
export function isTabuPlace(v: i32, at: i32, now: i32): bool {
  const base = sequenceOffset[machine[v]];
  const own = place[v];
  for (let i = own + 1; i <= at; i++) if (arcUntil[arc(sequence[base + i], v)] > now) return true;
  for (let i = own - 1; i >= at; i--) if (arcUntil[arc(v, sequence[base + i])] > now) return true;
  return false;
}

/** Forbids that v returns to a mode. */
export function forbidMode(chosen: i32, until: i32): void {
  leftUntil[chosen] = until;
}

/** Forbids to undo the next move of v on its machine. */
export function forbidPlace(v: i32, at: i32, until: i32): void {
  const base = sequenceOffset[machine[v]];
  const own = place[v];
  for (let i = own + 1; i <= at; i++) arcUntil[arc(v, sequence[base + i])] = until;
  for (let i = own - 1; i >= at; i--) arcUntil[arc(sequence[base + i], v)] = until;
}
