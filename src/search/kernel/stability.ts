// The constraints of a repair on the search: only some operations may change their place in the queue of their machine,
// and every operation whose place is not the planned one has a cost.
import { machinePredecessor, machineSuccessor, operations, order } from './graph';

/** 1 for operations that may change their place; other operations may not pass the immovable ones either. */
export let movable = new StaticArray<i32>(0);
/** Planned place among the operations of the machine that have a planned place; −1 for the others. */
export let plannedRank = new StaticArray<i32>(0);
let rank = new StaticArray<i32>(0);

/** Whether a repair is in progress; otherwise the search ignores all of this. */
export let repairs: bool = false;
/** The cost of each operation whose place is not the planned one. */
let weight: f64 = 0;
/** The limit of critical paths to examine in an iteration until one yields a move. */
export let mostPaths: i32 = 1;
let changed: i32 = 0;

export function allocateStability(n: i32): void {
  movable = new StaticArray<i32>(n + 1);
  plannedRank = new StaticArray<i32>(n + 1);
  rank = new StaticArray<i32>(n + 1);
}

/** Turns a repair on or off, and sets the cost of a changed place. */
export function configureRepair(on: bool, cost: f64, paths: i32): void {
  mostPaths = paths;
  repairs = on;
  weight = cost;
}

/** The number of operations that are not at their planned place. */
export function changes(): i32 {
  return changed;
}

/** The cost of the places of the current machine orders. */
export function penalty(): f64 {
  return repairs ? weight * <f64>changed : 0;
}

/** Finds the places of all operations in the current machine orders. */
export function countChanges(): void {
  changed = 0;
  for (let i = 0; i < operations; i++) {
    const op = order[i];
    const before = machinePredecessor[op];
    rank[op] = before === operations ? 0 : rank[before] + i32(plannedRank[before] >= 0);
    if (plannedRank[op] >= 0 && rank[op] !== plannedRank[op]) changed++;
  }
}

/** The cost of the places after moving u right after v, which comes later on the same machine. */
export function penaltyAfter(u: i32, v: i32): f64 {
  return weight * <f64>(changed + passForward(u, v, false));
}

/** The cost of the places after moving v right before u, which comes earlier on the same machine. */
export function penaltyBefore(v: i32, u: i32): f64 {
  return weight * <f64>(changed + passBackward(v, u, false));
}

/** Records that u is about to be moved right after v. */
export function noteAfter(u: i32, v: i32): void {
  changed += passForward(u, v, true);
}

/** Records that v is about to be moved right before u. */
export function noteBefore(v: i32, u: i32): void {
  changed += passBackward(v, u, true);
}

/** The change in the number of changed places; optionally updates the places. */
function passForward(u: i32, v: i32, takesPlace: bool): i32 {
  if (plannedRank[u] < 0) return 0;
  let passed = 0;
  let growth = 0;
  let op = u;
  do {
    op = machineSuccessor[op];
    if (plannedRank[op] < 0) continue;
    passed++;
    growth += shift(op, -1, takesPlace);
  } while (op !== v);
  return growth + shift(u, passed, takesPlace);
}

/** The same as {@link passForward}, for a move of v right before u. */
function passBackward(v: i32, u: i32, takesPlace: bool): i32 {
  if (plannedRank[v] < 0) return 0;
  let passed = 0;
  let growth = 0;
  let op = v;
  do {
    op = machinePredecessor[op];
    if (plannedRank[op] < 0) continue;
    passed++;
    growth += shift(op, 1, takesPlace);
  } while (op !== u);
  return growth + shift(v, -passed, takesPlace);
}

function shift(op: i32, by: i32, takesPlace: bool): i32 {
  const from = rank[op];
  const planned = plannedRank[op];
  if (takesPlace) rank[op] = from + by;
  return i32(from + by !== planned) - i32(from !== planned);
}
