import type { Instance } from '../../jssp/instance.js';

const NONE = -1;

/**
 * Machine orders that grow one operation at a time, over the graph of all job orders, with heads and tails that are
 * always current. Calendars are ignored: an operation takes its duration.
 */
export interface PartialOrder {
  /** N entries: earliest start of each operation. */
  readonly head: Int32Array;
  /** N entries: longest path after each operation, its own duration excluded. */
  readonly tail: Int32Array;
  /** N entries: the operations in topological order. */
  readonly order: Int32Array;
  /** m entries: the first and last operation placed on each machine, −1 if none is. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** N entries: the successor of each placed operation on its machine, −1 for none. */
  readonly behind: Int32Array;
  /** 1 for operations that have a place on their machine. */
  readonly placed: Uint8Array;
  /** Places an operation on its machine after `after`, or first for −1. Must close no cycle. */
  insert(op: number, after: number): void;
}

/** Creates the order without any placed operations. */
export function createPartialOrder(instance: Instance): PartialOrder {
  const { operations, machines, machine, duration, jobOf, release, frozen } = instance;
  const head = new Int32Array(operations);
  const tail = new Int32Array(operations);
  const order = Int32Array.from(head, (_, op) => op);
  const rank = order.slice();
  const first = new Int32Array(machines).fill(NONE);
  const last = new Int32Array(machines).fill(NONE);
  const before = new Int32Array(operations).fill(NONE);
  const behind = new Int32Array(operations).fill(NONE);
  const placed = new Uint8Array(operations);
  const marked = new Uint8Array(operations);
  const stash = new Int32Array(operations);
  const previous = order.map((op) => (op > 0 && jobOf[op - 1] === jobOf[op] ? op - 1 : NONE));
  const next = order.map((op) => (jobOf[op + 1] === jobOf[op] ? op + 1 : NONE));
  const earliest = order.map((op) =>
    Math.max(0, release === null ? 0 : release[op], frozen === null ? 0 : frozen[op]),
  );

  const headOf = (op: number): number => {
    let time = earliest[op];
    const a = previous[op];
    const b = before[op];
    if (a >= 0 && head[a] + duration[a] > time) time = head[a] + duration[a];
    if (b >= 0 && head[b] + duration[b] > time) time = head[b] + duration[b];
    return time;
  };

  const tailOf = (op: number): number => {
    let length = 0;
    const a = next[op];
    const b = behind[op];
    if (a >= 0 && tail[a] + duration[a] > length) length = tail[a] + duration[a];
    if (b >= 0 && tail[b] + duration[b] > length) length = tail[b] + duration[b];
    return length;
  };

  const mark = (op: number): number => {
    if (op < 0 || marked[op] === 1) return 0;
    marked[op] = 1;
    return 1;
  };

  /** Propagates heads forward from a new operation as long as they change. */
  const updateHeads = (op: number): void => {
    let pending = mark(op);
    for (let i = rank[op]; pending > 0; i++) {
      const x = order[i];
      if (marked[x] === 0) continue;
      marked[x] = 0;
      pending--;
      const time = headOf(x);
      if (time === head[x] && x !== op) continue;
      head[x] = time;
      pending += mark(next[x]) + mark(behind[x]);
    }
  };

  /** Propagates tails backward from a new operation as long as they change. */
  const updateTails = (op: number): void => {
    let pending = mark(op);
    for (let i = rank[op]; pending > 0; i--) {
      const x = order[i];
      if (marked[x] === 0) continue;
      marked[x] = 0;
      pending--;
      const length = tailOf(x);
      if (length === tail[x] && x !== op) continue;
      tail[x] = length;
      pending += mark(previous[x]) + mark(before[x]);
    }
  };

  /**
   * Makes `order` respect a new arc: if b is before a, then b and its successors in between move right after a (Pearce
   * and Kelly 2006, doi:10.1145/1187436.1210590, moving one side only).
   */
  const respect = (a: number, b: number): void => {
    if (a < 0 || b < 0 || rank[a] < rank[b]) return;
    const from = rank[b];
    const to = rank[a];
    let write = from;
    let stashed = 0;
    marked[b] = 1;
    for (let i = from; i <= to; i++) {
      const x = order[i];
      const follows =
        x === b ||
        (previous[x] >= 0 && marked[previous[x]] === 1) ||
        (before[x] >= 0 && marked[before[x]] === 1);
      if (follows) {
        marked[x] = 1;
        stash[stashed++] = x;
      } else {
        rank[x] = write;
        order[write++] = x;
      }
    }
    for (let i = 0; i < stashed; i++) {
      const x = stash[i];
      marked[x] = 0;
      rank[x] = write;
      order[write++] = x;
    }
  };

  const insert = (op: number, after: number): void => {
    const k = machine[op];
    const follower = after < 0 ? first[k] : behind[after];
    placed[op] = 1;
    before[op] = after;
    behind[op] = follower;
    if (after < 0) first[k] = op;
    else behind[after] = op;
    if (follower < 0) last[k] = op;
    else before[follower] = op;
    respect(after, op);
    respect(op, follower);
    updateHeads(op);
    updateTails(op);
  };

  for (let op = 0; op < operations; op++) head[op] = headOf(op);
  for (let op = operations - 1; op >= 0; op--) tail[op] = tailOf(op);
  return { head, tail, order, first, last, behind, placed, insert };
}
