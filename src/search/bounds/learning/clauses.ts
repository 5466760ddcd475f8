/** Learned clauses: in every schedule, at least one literal of each clause is true. */
export interface Clauses {
  /** The number of stored clauses of at least two literals. */
  readonly count: number;
  /**
   * Literals of all clauses; a clause is identified by its index here, and its length is {@link LENGTH} entries before
   * it.
   */
  data: Int32Array;
  /**
   * Adds a clause of at least two literals and returns its index. The first two literals are watched.
   *
   * @param levels the number of levels of its literals (literal block distance)
   * @param id its number in a log; 0 for none
   */
  add(literals: Int32Array, length: number, levels: number, id?: number): number;
  /** Propagates a literal that became false; returns the index of a violated clause, or −1. */
  visit(
    literal: number,
    value: Int8Array,
    imply: (literal: number, clause: number) => void,
  ): number;
  /** Records that a clause took part in a conflict, so that it is kept longer. */
  use(clause: number): void;
  /** At the root: drops the worse half of the clauses, satisfied ones, and false literals. */
  reduce(value: Int8Array, onDrop?: (id: number) => void): void;
}

/** Entries before a clause: its length is the first, its number in a log the last. */
export const LENGTH = 4;
const LEVELS = 3;
const USED = 2;
export const ID = 1;

/** Clauses whose literals have at most this number of levels are kept permanently. */
const GOOD_LEVELS = 3;

/** Creates an empty set of clauses, with two watched literals each (Moskewicz et al. 2001, doi:10.1145/378239.379017). */
export function createClauses(variables: number): Clauses {
  let data = new Int32Array(1 << 16);
  let size = 0;
  let count = 0;
  let clock = 0;
  // For each literal pairs: a clause that watches it, and another literal of that clause.
  const watches = Array.from({ length: 2 * variables }, () => new Int32Array(16));
  const watched = new Int32Array(2 * variables);

  const watch = (literal: number, clause: number, other: number): void => {
    const n = watched[literal];
    let list = watches[literal];
    if (n === list.length) {
      list = new Int32Array(2 * n);
      list.set(watches[literal]);
      watches[literal] = list;
    }
    list[n] = clause;
    list[n + 1] = other;
    watched[literal] = n + 2;
  };

  const add: Clauses['add'] = (literals, length, levels, id = 0) => {
    if (size + LENGTH + length > data.length) {
      const longer = new Int32Array(2 * (size + LENGTH + length));
      longer.set(data);
      data = longer;
    }
    const clause = size + LENGTH;
    data[clause - LENGTH] = length;
    data[clause - LEVELS] = levels;
    data[clause - USED] = clock;
    data[clause - ID] = id;
    for (let i = 0; i < length; i++) data[clause + i] = literals[i];
    size = clause + length;
    watch(literals[0], clause, literals[1]);
    watch(literals[1], clause, literals[0]);
    count++;
    return clause;
  };

  const visit: Clauses['visit'] = (literal, value, imply) => {
    const list = watches[literal];
    const n = watched[literal];
    let kept = 0;
    let x = 0;
    while (x < n) {
      const clause = list[x];
      const other = list[x + 1];
      x += 2;
      if (value[other] === 1) {
        list[kept++] = clause;
        list[kept++] = other;
        continue;
      }
      if (data[clause] === literal) {
        data[clause] = data[clause + 1];
        data[clause + 1] = literal;
      }
      const first = data[clause];
      if (first !== other && value[first] === 1) {
        list[kept++] = clause;
        list[kept++] = first;
        continue;
      }
      const end = clause + data[clause - LENGTH];
      let y = clause + 2;
      while (y < end && value[data[y]] === -1) y++;
      if (y < end) {
        const next = data[y];
        data[clause + 1] = next;
        data[y] = literal;
        watch(next, clause, first);
        continue;
      }
      list[kept++] = clause;
      list[kept++] = first;
      if (value[first] === -1) {
        while (x < n) list[kept++] = list[x++];
        watched[literal] = kept;
        return clause;
      }
      imply(first, clause);
    }
    watched[literal] = kept;
    return -1;
  };

  const reduce: Clauses['reduce'] = (value, onDrop = () => {}) => {
    const all: number[] = [];
    for (let at = LENGTH; at < size; at += data[at - LENGTH] + LENGTH) all.push(at);
    const candidates = all.filter((at) => data[at - LEVELS] > GOOD_LEVELS);
    candidates.sort(
      (a, b) => data[b - LEVELS] - data[a - LEVELS] || data[a - USED] - data[b - USED],
    );
    const recent = clock - (candidates.length >> 2);
    const dropped = new Set(
      candidates.slice(0, candidates.length >> 1).filter((at) => data[at - USED] <= recent),
    );
    const old = data;
    data = new Int32Array(old.length);
    size = 0;
    count = 0;
    watched.fill(0);
    for (const at of all) {
      const literals = old.subarray(at, at + old[at - LENGTH]);
      if (dropped.has(at) || literals.some((literal) => value[literal] === 1)) {
        onDrop(old[at - ID]);
        continue;
      }
      const open = literals.filter((literal) => value[literal] === 0);
      const levels = Math.min(old[at - LEVELS], open.length);
      const clause = add(open, open.length, levels, old[at - ID]);
      data[clause - USED] = old[at - USED];
    }
  };

  return {
    get count() {
      return count;
    },
    get data() {
      return data;
    },
    add,
    visit,
    use: (clause) => {
      data[clause - USED] = ++clock;
    },
    reduce,
  };
}
