/** The reason of an event: the rule, and the meaning of its reference `ref`. */
export const Reason = {
  decision: 0,
  /** A clause; ref: its index. */
  clause: 1,
  /** The neighbour along the job. */
  job: 2,
  /** A neighbour on the machine; ref: the literal of their order. */
  precedence: 3,
  /**
   * The opposite order would exceed the makespan (a literal); the window of an operation is too narrow (a conflict;
   * ref: the operation).
   */
  selection: 4,
  /** Edge-finding or an overloaded machine; ref: a note. */
  edges: 5,
  /** A set of predecessors; ref: a note. */
  predecessors: 6,
  /** Two orders imply a third; ref: the operation between them. */
  transitivity: 7,
} as const;

/**
 * The facts known at a node, as a list of events with their reasons: a literal that became true, or a bound that rose.
 * Bound x < N is the head of operation x; bound N + x is its tail. Decisions begin levels, to which the trail can
 * backtrack.
 */
export interface Trail {
  /** 2N entries: heads, then tails. */
  readonly bound: Int32Array;
  /** 2N entries: the last event of each bound, −1 if unchanged since the root. */
  readonly last: Int32Array;
  /** An entry for each literal: 1 true, −1 false, 0 open. */
  readonly value: Int8Array;
  /** An entry for each variable: the event that settled it, −1 at the root. */
  readonly eventOf: Int32Array;
  /** The content of each event: a literal, or ~x for bound x. */
  atom: Int32Array;
  /** The bound before the event, and the previous event of the same bound. */
  old: Int32Array;
  previous: Int32Array;
  kind: Uint8Array;
  ref: Int32Array;
  level: Int32Array;
  /** The number of events. */
  size: number;
  /** Level of the last decision; 0 at the root. */
  depth: number;
  /** For each level its first event, … */
  readonly levelStart: Int32Array;
  /** … and the length of the notes before it. */
  readonly noteStart: Int32Array;
  /** Notes of rules: sets of operations. */
  notes: Int32Array;
  noteSize: number;
}

/** Creates an empty trail. */
export function createTrail(operations: number, variables: number): Trail {
  const capacity = 4 * (variables + 2 * operations) + 64;
  return {
    bound: new Int32Array(2 * operations),
    last: new Int32Array(2 * operations).fill(-1),
    value: new Int8Array(2 * variables),
    eventOf: new Int32Array(variables).fill(-1),
    atom: new Int32Array(capacity),
    old: new Int32Array(capacity),
    previous: new Int32Array(capacity),
    kind: new Uint8Array(capacity),
    ref: new Int32Array(capacity),
    level: new Int32Array(capacity),
    size: 0,
    depth: 0,
    levelStart: new Int32Array(variables + 3),
    noteStart: new Int32Array(variables + 3),
    notes: new Int32Array(capacity),
    noteSize: 0,
  };
}

/** Makes an open literal true. */
export function assign(trail: Trail, literal: number, kind: number, ref: number): void {
  const e = trail.size;
  if (e === trail.atom.length) growEvents(trail);
  trail.value[literal] = 1;
  trail.value[literal ^ 1] = -1;
  trail.eventOf[literal >> 1] = e;
  trail.atom[e] = literal;
  trail.kind[e] = kind;
  trail.ref[e] = ref;
  trail.level[e] = trail.depth;
  trail.size = e + 1;
}

/** Raises a bound. */
export function raise(trail: Trail, x: number, value: number, kind: number, ref: number): void {
  const e = trail.size;
  if (e === trail.atom.length) growEvents(trail);
  trail.atom[e] = ~x;
  trail.old[e] = trail.bound[x];
  trail.previous[e] = trail.last[x];
  trail.kind[e] = kind;
  trail.ref[e] = ref;
  trail.level[e] = trail.depth;
  trail.bound[x] = value;
  trail.last[x] = e;
  trail.size = e + 1;
}

/** Begins a level. */
export function deepen(trail: Trail): void {
  trail.depth++;
  trail.levelStart[trail.depth] = trail.size;
  trail.noteStart[trail.depth] = trail.noteSize;
}

/** Undoes all events after a level. */
export function backtrack(trail: Trail, depth: number, onOpen: (literal: number) => void): void {
  if (trail.depth <= depth) return;
  const { bound, last, value, eventOf, atom, old, previous, levelStart } = trail;
  const first = levelStart[depth + 1];
  for (let e = trail.size - 1; e >= first; e--) {
    const what = atom[e];
    if (what >= 0) {
      value[what] = 0;
      value[what ^ 1] = 0;
      eventOf[what >> 1] = -1;
      onOpen(what);
    } else {
      bound[~what] = old[e];
      last[~what] = previous[e];
    }
  }
  trail.size = first;
  trail.noteSize = trail.noteStart[depth + 1];
  trail.depth = depth;
}

/** At the root nothing needs a reason: drops the events and keeps their effects. */
export function settleRoot(trail: Trail): void {
  for (let e = 0; e < trail.size; e++) {
    const what = trail.atom[e];
    if (what >= 0) trail.eventOf[what >> 1] = -1;
    else trail.last[~what] = -1;
  }
  trail.size = 0;
  trail.noteSize = 0;
}

/** Makes room for a note. */
export function reserveNote(trail: Trail, length: number): void {
  if (trail.noteSize + length <= trail.notes.length) return;
  const notes = new Int32Array(2 * (trail.noteSize + length));
  notes.set(trail.notes);
  trail.notes = notes;
}

function growEvents(trail: Trail): void {
  const capacity = 2 * trail.atom.length;
  for (const name of ['atom', 'old', 'previous', 'ref', 'level'] as const) {
    const longer = new Int32Array(capacity);
    longer.set(trail[name]);
    trail[name] = longer;
  }
  const kind = new Uint8Array(capacity);
  kind.set(trail.kind);
  trail.kind = kind;
}
