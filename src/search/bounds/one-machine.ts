/**
 * The one-machine problem of a trial makespan on each machine: operations with heads and tails, all to be completed
 * within the makespan. In reversed time heads and tails are exchanged; so each rule is written once, for heads, and
 * applied both ways.
 */
export interface OneMachine {
  /** Entries 0 … count − 1 of each: head, duration (positive) and tail of the operations. */
  readonly head: Int32Array;
  readonly duration: Int32Array;
  readonly tail: Int32Array;
  /**
   * Raises heads and tails until no rule applies, without excluding any schedule within the makespan. Returns false if
   * there is no such schedule.
   *
   * @param edges whether to apply edge-finding as well, which takes longer
   * @param before count × count entries: 1 in row i, column j if i is known to precede j
   * @param byHead the indices 0 … count − 1; left sorted by head, for fast re-sorting
   * @param byTail the same by tail
   */
  tighten(
    count: number,
    makespan: number,
    edges: boolean,
    before: Uint8Array,
    byHead: Int32Array,
    byTail: Int32Array,
  ): boolean;
}

/** Creates a workspace for machines with up to `capacity` operations. */
export function createOneMachine(capacity: number): OneMachine {
  const head = new Int32Array(capacity);
  const duration = new Int32Array(capacity);
  const tail = new Int32Array(capacity);
  const raised = new Int32Array(capacity);
  const completion = new Int32Array(capacity);
  let count = 0;
  let makespan = 0;

  /**
   * Immediate selection (Carlier and Pinson 1989, doi:10.1287/mnsc.35.2.164): if placing i before j exceeds the
   * makespan, j comes first; i waits for the whole set of such j (detectable precedences, Vilím, Barták and Čepek 2005,
   * doi:10.1007/s10601-005-2814-0). O(count²).
   */
  const selectPredecessors = (
    heads: Int32Array,
    tails: Int32Array,
    order: Int32Array,
    before: Uint8Array,
    row: number,
    column: number,
  ): void => {
    for (let i = 0; i < count; i++) {
      const room = makespan - heads[i] - duration[i];
      let time = 0;
      for (let x = 0; x < count; x++) {
        const j = order[x];
        if (duration[j] + tails[j] <= room && before[j * row + i * column] === 0) continue;
        if (j !== i) time = Math.max(heads[j], time) + duration[j];
      }
      raised[i] = time;
    }
  };

  /**
   * Edge-finding (Carlier and Pinson 1994, doi:10.1016/0377-2217(94)90379-4): an operation that cannot precede the last
   * operation of a set comes after the whole set. The sets contain the operations with tails of at least some q and
   * heads of at least some r. In the O(count²) form of Baptiste, Le Pape and Nuijten 2001,
   * doi:10.1007/978-1-4615-1479-4. Returns false if one of the sets by itself exceeds the makespan.
   */
  const findEdges = (heads: Int32Array, tails: Int32Array, order: Int32Array): boolean => {
    raised.fill(0, 0, count);
    for (let k = 0; k < count; k++) {
      const least = tails[k];
      const due = makespan - least;
      let work = 0;
      let latest = 0;
      let longest = 0;
      for (let x = count - 1; x >= 0; x--) {
        const i = order[x];
        if (tails[i] >= least) {
          work += duration[i];
          latest = Math.max(latest, heads[i] + work);
        } else {
          longest = Math.max(longest, duration[i]);
          completion[i] = latest;
        }
      }
      if (latest > due) return false;
      if (latest + longest > due) raiseOutsiders(heads, tails, order, least, work, latest);
    }
    return true;
  };

  /** Compares the sets of operations with tails of at least `least` with the operations outside them. */
  const raiseOutsiders = (
    heads: Int32Array,
    tails: Int32Array,
    order: Int32Array,
    least: number,
    work: number,
    latest: number,
  ): void => {
    const due = makespan - least;
    let left = work;
    let earlier = 0;
    for (let x = 0; x < count; x++) {
      const i = order[x];
      if (tails[i] >= least) {
        earlier = Math.max(earlier, heads[i] + left);
        left -= duration[i];
      } else if (earlier + duration[i] > due) {
        raised[i] = Math.max(raised[i], latest);
      } else if (heads[i] + left + duration[i] > due) {
        raised[i] = Math.max(raised[i], completion[i]);
      }
    }
  };

  /** Applies the result of a rule: returns how many heads rose, −1 if one of them rose too far. */
  const take = (heads: Int32Array, tails: Int32Array): number => {
    let rises = 0;
    for (let i = 0; i < count; i++) {
      if (raised[i] <= heads[i]) continue;
      heads[i] = raised[i];
      if (heads[i] + duration[i] + tails[i] > makespan) return -1;
      rises++;
    }
    return rises;
  };

  const tighten: OneMachine['tighten'] = (size, limit, edges, before, byHead, byTail) => {
    count = size;
    makespan = limit;
    sortBy(head, byHead, count);
    sortBy(tail, byTail, count);
    // Turns 0 and 1 select predecessors, 2 and 3 find edges; 1 and 3 go backwards in time.
    const turns = edges ? 4 : 2;
    let turn = 0;
    for (let idle = 0; idle < turns; idle++) {
      const forward = (turn & 1) === 0;
      const heads = forward ? head : tail;
      const tails = forward ? tail : head;
      const order = forward ? byHead : byTail;
      if (turn >= 2) {
        if (!findEdges(heads, tails, order)) return false;
      } else {
        selectPredecessors(heads, tails, order, before, forward ? count : 1, forward ? 1 : count);
      }
      const rises = take(heads, tails);
      if (rises < 0) return false;
      if (rises > 0) {
        sortBy(heads, order, count);
        idle = -1;
      }
      turn = rises > 0 && turn >= 2 ? 0 : (turn + 1) % turns;
    }
    return true;
  };
  return { head, duration, tail, tighten };
}

/** Insertion sort: the order is nearly sorted already. */
function sortBy(key: Int32Array, order: Int32Array, count: number): void {
  for (let x = 1; x < count; x++) {
    const i = order[x];
    let y = x - 1;
    for (; y >= 0 && key[order[y]] > key[i]; y--) order[y + 1] = order[y];
    order[y + 1] = i;
  }
}
