import type { ShopTable } from '../../jssp/shop-timing/shop-table.js';

/** A list that moves change, and that can be as it was before the last one. */
export interface ListDraft {
  readonly order: Int32Array;
  readonly mode: Int32Array;
  /** N entries: the position of each operation. */
  readonly position: Int32Array;
  /** Replaces the list. */
  load(order: Int32Array, mode: Int32Array): void;
  /**
   * Moves an operation, and those that must come before it and are in between, right before another one that is
   * earlier in the list.
   *
   * @returns false if that one must come first, or is not earlier, and nothing has changed
   */
  moveBefore(op: number, other: number): boolean;
  /** Moves an operation, and those that must come after it and are in between, right behind a later one. */
  moveBehind(op: number, other: number): boolean;
  /** Moves all operations of a job together to where an operation of another job is. */
  moveJob(job: number, other: number): void;
  setMode(op: number, mode: number): void;
  /** Takes the last move and the last change of a mode back, if they were not kept. */
  undo(): void;
  /** Keeps what has changed. */
  keep(): void;
}

/** An empty list of a shop. */
export function createListDraft(table: ShopTable): ListDraft {
  const { operations, edgeOffset, edgeFrom, nextOffset, nextEdge, edgeTo } = table;
  const order = new Int32Array(operations);
  const mode = new Int32Array(operations);
  const position = new Int32Array(operations);
  const saved = new Int32Array(operations);
  const stash = new Int32Array(operations);
  const marked = new Uint8Array(operations);
  // The changed part of the list; what was there is in `saved`.
  let from = operations;
  let to = -1;
  let changed = -1;
  let modeBefore = 0;

  const save = (first: number, last: number): void => {
    from = first;
    to = last;
    for (let i = first; i <= last; i++) saved[i] = order[i];
  };
  const place = (first: number, last: number): void => {
    for (let i = first; i <= last; i++) position[order[i]] = i;
  };
  const hasMarkedSuccessor = (op: number): boolean => {
    for (let i = nextOffset[op]; i < nextOffset[op + 1]; i++) {
      if (marked[edgeTo[nextEdge[i]]] === 1) return true;
    }
    return false;
  };
  const hasMarkedPredecessor = (op: number): boolean => {
    for (let edge = edgeOffset[op]; edge < edgeOffset[op + 1]; edge++) {
      if (marked[edgeFrom[edge]] === 1) return true;
    }
    return false;
  };
  const unmark = (count: number): void => {
    for (let i = 0; i < count; i++) marked[stash[i]] = 0;
  };

  const moveBefore = (op: number, other: number): boolean => {
    const first = position[other];
    const last = position[op];
    if (first >= last) return false;
    let count = 0;
    for (let i = last; i >= first; i--) {
      const one = order[i];
      if (one !== op && !hasMarkedSuccessor(one)) continue;
      marked[one] = 1;
      stash[count++] = one;
    }
    if (marked[other] === 1) {
      unmark(count);
      return false;
    }
    save(first, last);
    let write = last;
    for (let i = last; i >= first; i--) if (marked[order[i]] === 0) order[write--] = order[i];
    for (let i = 0; i < count; i++) order[write--] = stash[i];
    unmark(count);
    place(first, last);
    return true;
  };

  const moveBehind = (op: number, other: number): boolean => {
    const first = position[op];
    const last = position[other];
    if (first >= last) return false;
    let count = 0;
    for (let i = first; i <= last; i++) {
      const one = order[i];
      if (one !== op && !hasMarkedPredecessor(one)) continue;
      marked[one] = 1;
      stash[count++] = one;
    }
    if (marked[other] === 1) {
      unmark(count);
      return false;
    }
    save(first, last);
    let write = first;
    for (let i = first; i <= last; i++) if (marked[order[i]] === 0) order[write++] = order[i];
    for (let i = 0; i < count; i++) order[write++] = stash[i];
    unmark(count);
    place(first, last);
    return true;
  };

  return {
    order,
    mode,
    position,
    load: (newOrder, newMode) => {
      order.set(newOrder);
      mode.set(newMode);
      place(0, operations - 1);
      to = -1;
      changed = -1;
    },
    moveBefore,
    moveBehind,
    moveJob: (job, other) => {
      const { jobOf } = table.instance;
      save(0, operations - 1);
      let count = 0;
      for (const one of saved) if (jobOf[one] === job) stash[count++] = one;
      let write = 0;
      for (const one of saved) {
        if (one === other) for (let i = 0; i < count; i++) order[write++] = stash[i];
        if (jobOf[one] !== job) order[write++] = one;
      }
      place(0, operations - 1);
    },
    setMode: (op, other) => {
      changed = op;
      modeBefore = mode[op];
      mode[op] = other;
    },
    undo: () => {
      for (let i = from; i <= to; i++) order[i] = saved[i];
      if (to >= 0) place(from, to);
      if (changed >= 0) mode[changed] = modeBefore;
      to = -1;
      changed = -1;
    },
    keep: () => {
      to = -1;
      changed = -1;
    },
  };
}
