// Moves of operations in the machine orders, with the heads and tails after them; trial moves can be undone and repeated.

import {
  jobPredecessor,
  jobSuccessor,
  link,
  machinePredecessor,
  machineSuccessor,
  operations,
  order,
  position,
  put,
} from './graph';
import { roomFor } from './room';
import {
  holdEnds,
  keepsRests,
  repeatTriedEnds,
  restoreEnds,
  updateEnds,
  updateRests,
} from './times';

let marked = new StaticArray<u8>(0);
let shifted = new StaticArray<i32>(0);

/** Makes room for n operations. */
export function allocateMoves(n: i32): void {
  marked = new StaticArray<u8>(n + 1);
  shifted = roomFor(n);
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

/** Makes a trial move of u right after v again, with the ends that were saved after it. */
export function moveAgainAfter(u: i32, v: i32): void {
  holdEnds();
  moveAfter(u, v);
  repeatTriedEnds();
}

/** Undoes a move of u, to right before `following`, and restores the ends. */
export function takeBackAfter(u: i32, following: i32): void {
  holdEnds();
  moveBefore(u, following);
  restoreEnds();
}

/** Undoes a move of v, to right after `preceding`, and restores the ends. */
export function takeBackBefore(v: i32, preceding: i32): void {
  holdEnds();
  moveAfter(v, preceding);
  restoreEnds();
}
