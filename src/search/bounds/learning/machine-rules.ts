import type { Instance } from '../../../jssp/instance.js';
import { createNumberQueue } from '../propagation.js';
import { type Disjunctions, GIVEN } from './disjunctions.js';
import { Reason, reserveNote, type Trail } from './trail.js';

/**
 * A note of edge-finding: direction (0 heads, 1 tails), least head, least tail, surplus, outsider (−1 if none) and size
 * of a set, then its operations; in direction 1 heads and tails are exchanged.
 */
export const EdgeNote = {
  direction: 0,
  head: 1,
  tail: 2,
  surplus: 3,
  outsider: 4,
  size: 5,
  set: 6,
};
/** A note of a set of predecessors: their work and size, then its operations. */
export const PredecessorNote = { work: 0, size: 1, set: 2 };

/** The callbacks for conclusions of rules. */
export interface Consequences {
  /** Makes a literal true if it is open; returns false on a contradiction. */
  imply(literal: number, kind: number, ref: number): boolean;
  /** Raises a bound if the value is larger; returns false if the operation no longer fits. */
  lift(x: number, value: number, kind: number, ref: number): boolean;
  /** Reports a contradiction, possibly that of a false literal. */
  fail(kind: number, ref: number, literal: number): false;
}

/** Rules for sets of operations of a machine. */
export interface MachineRules {
  touchOperation(x: number): void;
  touchMachine(k: number): void;
  /** Heads and tails after sets of predecessors. */
  visitOperations(limit: number): boolean;
  /** Edge-finding on one changed machine. */
  visitMachine(limit: number): boolean;
  /** True if there are no changes. */
  idle(): boolean;
  clear(): void;
}

/** Creates the rules of {@link MachineRules}. */
export function createMachineRules(
  instance: Instance,
  pairs: Disjunctions,
  trail: Trail,
  { imply, lift, fail }: Consequences,
): MachineRules {
  const { operations, machines, machine, duration } = instance;
  const { offset, members, literalOf } = pairs;
  const { bound, value } = trail;
  const touchedOperations = createNumberQueue(2 * operations);
  const touchedMachines = createNumberQueue(machines);
  // The operations of each machine by head and by tail, ascending; kept for fast re-sorting.
  const sorted = [members.slice(), members.slice()];
  const latestSet = new Int32Array(operations);

  const sort = (k: number, direction: number): Int32Array => {
    const order = sorted[direction];
    const base = direction * operations;
    const first = offset[k];
    const end = offset[k + 1];
    for (let x = first + 1; x < end; x++) {
      const op = order[x];
      const key = bound[base + op];
      let y = x - 1;
      for (; y >= first && bound[base + order[y]] > key; y--) order[y + 1] = order[y];
      order[y + 1] = op;
    }
    return order;
  };

  const precedes = (op: number, other: number, direction: number): number =>
    direction === 0 ? literalOf(op, other) : literalOf(other, op);

  /** An operation waits for the whole set of its predecessors. */
  const visitOperation = (x: number): boolean => {
    const direction = x < operations ? 0 : 1;
    const base = direction * operations;
    const i = x - base;
    const k = machine[i];
    const order = sort(k, direction);
    const end = offset[k + 1];
    let time = 0;
    let first = offset[k];
    let size = 0;
    for (let y = first; y < end; y++) {
      const j = order[y];
      if (j === i) continue;
      const literal = precedes(j, i, direction);
      if (literal >= 0 ? value[literal] !== 1 : literal !== GIVEN) continue;
      if (bound[base + j] >= time) {
        time = bound[base + j];
        first = y;
        size = 0;
      }
      time += duration[j];
      size++;
    }
    if (time <= bound[x]) return true;
    reserveNote(trail, PredecessorNote.set + size);
    const { notes, noteSize: note } = trail;
    let at = note + PredecessorNote.set;
    let work = 0;
    for (let y = first; y < end; y++) {
      const j = order[y];
      if (j === i) continue;
      const literal = precedes(j, i, direction);
      if (literal >= 0 ? value[literal] !== 1 : literal !== GIVEN) continue;
      notes[at++] = j;
      work += duration[j];
    }
    notes[note + PredecessorNote.work] = work;
    notes[note + PredecessorNote.size] = size;
    trail.noteSize = at;
    return lift(x, time, Reason.predecessors, note);
  };

  /** Records the set of operations that come at or after an index in the order and have tails of at least `tail`. */
  const noteSet = (
    direction: number,
    place: number,
    end: number,
    tail: number,
    outsider: number,
    limit: number,
  ): number => {
    const order = sorted[direction];
    const there = (1 - direction) * operations;
    reserveNote(trail, EdgeNote.set + end - place);
    const { notes, noteSize: note } = trail;
    let at = note + EdgeNote.set;
    let work = outsider >= 0 ? duration[outsider] : 0;
    for (let y = place; y < end; y++) {
      const j = order[y];
      if (j === outsider || bound[there + j] < tail) continue;
      notes[at++] = j;
      work += duration[j];
    }
    let head = bound[direction * operations + order[place]];
    if (outsider >= 0) head = Math.min(head, bound[direction * operations + outsider]);
    notes[note + EdgeNote.direction] = direction;
    notes[note + EdgeNote.head] = head;
    notes[note + EdgeNote.tail] = tail;
    notes[note + EdgeNote.surplus] = head + work + tail - limit - 1;
    notes[note + EdgeNote.outsider] = outsider;
    notes[note + EdgeNote.size] = at - note - EdgeNote.set;
    trail.noteSize = at;
    return note;
  };

  /** The outsider comes after the whole set. */
  const settle = (
    direction: number,
    place: number,
    end: number,
    tail: number,
    outsider: number,
    limit: number,
  ): boolean => {
    const order = sorted[direction];
    const there = (1 - direction) * operations;
    let note = -1;
    for (let y = place; y < end; y++) {
      const j = order[y];
      if (j === outsider || bound[there + j] < tail) continue;
      const literal = precedes(j, outsider, direction);
      if (literal === GIVEN || (literal >= 0 && value[literal] === 1)) continue;
      if (note < 0) note = noteSet(direction, place, end, tail, outsider, limit);
      // The conclusion contradicts the order of the job: the set itself is the contradiction, not a literal.
      if (literal < 0) return fail(Reason.edges, note, -1);
      if (!imply(literal, Reason.edges, note)) return false;
    }
    return true;
  };

  /**
   * Edge-finding (Carlier and Pinson 1994, doi:10.1016/0377-2217(94)90379-4) in the O(n²) form of Baptiste, Le Pape and
   * Nuijten 2001, doi:10.1007/978-1-4615-1479-4: an outsider that cannot precede the last operation of a set comes
   * after the whole set.
   */
  const findEdges = (k: number, direction: number, limit: number): boolean => {
    const order = sort(k, direction);
    const here = direction * operations;
    const there = operations - here;
    const first = offset[k];
    const end = offset[k + 1];
    for (let z = first; z < end; z++) {
      const tail = bound[there + members[z]];
      const due = limit - tail;
      let work = 0;
      let latest = 0;
      let longest = 0;
      for (let y = end - 1; y >= first; y--) {
        const i = order[y];
        if (bound[there + i] >= tail) {
          work += duration[i];
          if (bound[here + i] + work > latest) {
            latest = bound[here + i] + work;
            if (latest > due) {
              return fail(Reason.edges, noteSet(direction, y, end, tail, -1, limit), -1);
            }
          }
        } else if (duration[i] > longest) longest = duration[i];
        latestSet[i] = work;
      }
      if (latest + longest <= due) continue;
      let earlier = 0;
      let place = first;
      for (let y = first; y < end; y++) {
        const i = order[y];
        const left = latestSet[i];
        if (bound[there + i] >= tail) {
          if (bound[here + i] + left > earlier) {
            earlier = bound[here + i] + left;
            place = y;
          }
        } else if (earlier > 0 && earlier + duration[i] > due) {
          if (!settle(direction, place, end, tail, i, limit)) return false;
        } else if (left > 0 && bound[here + i] + left + duration[i] > due) {
          if (!settle(direction, y, end, tail, i, limit)) return false;
        }
      }
    }
    return true;
  };

  return {
    touchOperation: touchedOperations.push,
    touchMachine: touchedMachines.push,
    visitOperations: () => {
      while (touchedOperations.size() > 0) {
        const x = touchedOperations.shift();
        if (duration[x % operations] > 0 && !visitOperation(x)) return false;
      }
      return true;
    },
    visitMachine: (limit) => {
      if (touchedMachines.size() === 0) return true;
      const k = touchedMachines.shift();
      return findEdges(k, 0, limit) && findEdges(k, 1, limit);
    },
    idle: () => touchedOperations.size() + touchedMachines.size() === 0,
    clear: () => {
      touchedOperations.clear();
      touchedMachines.clear();
    },
  };
}
