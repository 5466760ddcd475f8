import type { ShopMove } from './moves.js';
import { putBehind, type ShopState, takeOut } from './shop-state.js';

/** The plan to which a search goes back where that costs nothing. */
export interface SettledPlan {
  /** N entries: the planned start, −1 for new operations. */
  readonly planned: Int32Array;
  readonly modes: Int32Array;
  readonly movable: Uint8Array;
}

/**
 * The moves that bring operations back to their planned modes, each to the place that its planned start has in that
 * queue, the latest ones first.
 */
export function movesBack(state: ShopState, plan: SettledPlan): ShopMove[] {
  const { mode, free } = state;
  const { planned, modes, movable } = plan;
  const others = Array.from(mode.keys()).filter(
    (op) => free[op] === 1 && planned[op] >= 0 && movable[op] === 1 && mode[op] !== modes[op],
  );
  others.sort((a, b) => planned[b] - planned[a] || b - a);
  return others.map((op) => ({ op, mode: modes[op], left: -1, ahead: -1, estimate: 0 }));
}

/** The operation behind which one comes in the queue of a machine by its planned start; −1 for the front. */
export function plannedLeft(
  { first, after, start }: ShopState,
  op: number,
  k: number,
  { planned }: SettledPlan,
): number {
  let left = -1;
  for (let other = first[k]; other >= 0; other = after[other]) {
    if (other === op) continue;
    const time = planned[other] >= 0 ? planned[other] : start[other];
    if (time >= planned[op]) break;
    left = other;
  }
  return left;
}

/** Neighbours in a queue that are in reverse of their planned order and may be swapped: the first of each pair. */
export function reversedPairs(
  state: ShopState,
  { planned, movable, modes }: SettledPlan,
): number[] {
  const { first, after, mode } = state;
  const pairs: number[] = [];
  for (const head of first) {
    for (let op = head; op >= 0; op = after[op]) {
      const next = after[op];
      if (next < 0 || planned[op] < 0 || planned[next] < 0) continue;
      const isMovable = movable[op] === 1 && movable[next] === 1;
      const isHome = mode[op] === modes[op] && mode[next] === modes[next];
      if (isMovable && isHome && planned[op] > planned[next]) pairs.push(op);
    }
  }
  return pairs;
}

/** Swaps an operation with the next one in its queue. */
export function swapWithNext(state: ShopState, op: number): void {
  const next = state.after[op];
  const mode = state.mode[op];
  takeOut(state, op);
  putBehind(state, op, mode, next);
}
