// Moves that are forbidden for a while: an operation that has changed its mode keeps the new one, and does not return to
// the old one for twice that time; operations of one machine that have been swapped are not swapped back. If only the
// return to the old mode were forbidden, a few operations with many modes would go around in circles.
import { machine, place, sequence, sequenceOffset } from './graph';
import { operations } from './shop';

/** Entries of the table of forbidden arcs, at most; beyond it, pairs share entries. */
const MOST_ENTRIES: i32 = 1 << 20;

/** The iteration until which an operation does not return to a mode. */
let leftUntil = new StaticArray<i32>(0);
/** The iteration until which an operation keeps its mode. */
let changedUntil = new StaticArray<i32>(0);
/** The iteration until which one operation does not come before another one on the same machine. */
let arcUntil = new StaticArray<i32>(0);
let mask: i32 = 0;

export function allocateTabu(n: i32, modes: i32): void {
  leftUntil = new StaticArray<i32>(modes);
  changedUntil = new StaticArray<i32>(n + 1);
  let size = 1024;
  while (size < MOST_ENTRIES && <i64>size < <i64>n * <i64>n) size <<= 1;
  mask = size - 1;
  arcUntil = new StaticArray<i32>(size);
}

/** Clears the list. */
export function clearTabu(): void {
  memory.fill(changetype<usize>(leftUntil), 0, leftUntil.length << 2);
  memory.fill(changetype<usize>(changedUntil), 0, changedUntil.length << 2);
  memory.fill(changetype<usize>(arcUntil), 0, arcUntil.length << 2);
}

function arc(a: i32, b: i32): i32 {
  return (a * operations + b) & mask;
}

/** Whether v may not change to a mode now. */
export function isTabuMode(v: i32, chosen: i32, now: i32): bool {
  return changedUntil[v] > now || leftUntil[chosen] > now;
}

/** Whether moving v on its machine, to the place with `at` other operations before it, would create a forbidden arc. */
export function isTabuPlace(v: i32, at: i32, now: i32): bool {
  const base = sequenceOffset[machine[v]];
  const own = place[v];
  for (let i = own + 1; i <= at; i++) if (arcUntil[arc(sequence[base + i], v)] > now) return true;
  for (let i = own - 1; i >= at; i--) if (arcUntil[arc(v, sequence[base + i])] > now) return true;
  return false;
}

/** Forbids that v, which leaves a mode, changes its mode again. */
export function forbidMode(v: i32, left: i32, now: i32, tenure: i32): void {
  changedUntil[v] = now + tenure;
  leftUntil[left] = now + 2 * tenure;
}

/** Forbids to undo the next move of v on its machine. */
export function forbidPlace(v: i32, at: i32, until: i32): void {
  const base = sequenceOffset[machine[v]];
  const own = place[v];
  for (let i = own + 1; i <= at; i++) arcUntil[arc(v, sequence[base + i])] = until;
  for (let i = own - 1; i >= at; i--) arcUntil[arc(sequence[base + i], v)] = until;
}
