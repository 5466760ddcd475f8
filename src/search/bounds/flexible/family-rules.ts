import { reserveNote, type Trail } from '../learning/trail.js';
import { createNumberQueue } from '../propagation.js';
import { type ShopConclusions, type ShopFacts, ShopReason } from './facts.js';
import { BEFORE, type ShopModel } from './shop-model.js';

/**
 * A note of a set of used modes on a machine with their setups: the direction, the tail that all of them have at least,
 * the mode of an outsider (−1 if none), the work of all with the least setups between them, the size of the set, and its
 * modes.
 */
export const FamilyNote = { direction: 0, tail: 1, outsider: 2, work: 3, size: 4, set: 5 };

/** Rules for operations of a machine and the setups between their families. */
export interface FamilyRules {
  /** A mode has changed. */
  touch(mode: number): void;
  touchAll(): void;
  /** Compares all sets of a changed machine with their time. */
  visit(limit: number): boolean;
  /** True if there are no changes. */
  idle(): boolean;
  clear(): void;
}

/**
 * Creates the rules of {@link FamilyRules}: sets of operations that do not fit, and operations that can only be the last
 * or the first of a set (edge-finding with setups; Vilím and Barták 2002, doi:10.1007/3-540-46135-3_49).
 */
export function createFamilyRules(
  model: ShopModel,
  trail: Trail,
  facts: ShopFacts,
  { imply, fail }: ShopConclusions,
): FamilyRules {
  const { machines, members, machine, operation, duration, literalOf, paths } = model;
  const { value } = trail;
  const touched = createNumberQueue(machines);

  const noteSet = (
    direction: number,
    tail: number,
    outsider: number,
    work: number,
    set: readonly number[],
  ): number => {
    reserveNote(trail, FamilyNote.set + set.length);
    const { notes, noteSize: note } = trail;
    notes[note + FamilyNote.direction] = direction;
    notes[note + FamilyNote.tail] = tail;
    notes[note + FamilyNote.outsider] = outsider;
    notes[note + FamilyNote.work] = work;
    notes[note + FamilyNote.size] = set.length;
    notes.set(set, note + FamilyNote.set);
    trail.noteSize = note + FamilyNote.set + set.length;
    return note;
  };

  /** The outsider comes after the whole set in a direction of time. */
  const settle = (
    direction: number,
    tail: number,
    outsider: number,
    work: number,
    set: readonly number[],
  ): boolean => {
    let note = -1;
    for (const mode of set) {
      const [a, b] = direction === 0 ? [mode, outsider] : [outsider, mode];
      const literal = literalOf(operation[a], operation[b]);
      if (literal === BEFORE || (literal >= 0 && value[literal] === 1)) continue;
      if (note < 0) note = noteSet(direction, tail, outsider, work, set);
      if (literal < 0) return fail(ShopReason.families, note, -1);
      if (!imply(literal, ShopReason.families, note)) return false;
    }
    return true;
  };

  /** Compares the sets of modes with tails of at least `tail`, and each with one of the others. */
  const compare = (
    k: number,
    direction: number,
    tail: number,
    byHead: readonly number[],
    limit: number,
  ): boolean => {
    if (paths === null) return true;
    const { bit, least } = paths;
    const set: number[] = [];
    let sum = 0;
    let families = 0;
    for (const mode of byHead) {
      if (facts.boundOf(1 - direction, mode) < tail) continue;
      set.push(mode);
      sum += duration[mode];
      families |= bit[operation[mode]];
      const head = facts.boundOf(direction, mode);
      const work = sum + least(k, families);
      if (head + work + tail > limit) {
        return fail(ShopReason.families, noteSet(direction, tail, -1, work, set), -1);
      }
      for (const other of byHead) {
        if (facts.boundOf(1 - direction, other) >= tail) continue;
        const first = Math.min(head, facts.boundOf(direction, other));
        const all = sum + duration[other] + least(k, families | bit[operation[other]]);
        if (first + all + tail <= limit) continue;
        if (!settle(direction, tail, other, all, set)) return false;
      }
    }
    return true;
  };

  const visitMachine = (k: number, direction: number, limit: number): boolean => {
    const used = [...members[k]].filter((mode) => facts.useOf(mode) === 1);
    const byHead = used.sort((a, b) => facts.boundOf(direction, b) - facts.boundOf(direction, a));
    const tails = new Set(used.map((mode) => facts.boundOf(1 - direction, mode)));
    for (const tail of tails) if (!compare(k, direction, tail, byHead, limit)) return false;
    return true;
  };

  return {
    touch: (mode) => {
      if (paths !== null) touched.push(machine[mode]);
    },
    touchAll: () => {
      if (paths !== null) for (let k = 0; k < machines; k++) touched.push(k);
    },
    visit: (limit) => {
      if (touched.size() === 0) return true;
      const k = touched.shift();
      return visitMachine(k, 0, limit) && visitMachine(k, 1, limit);
    },
    idle: () => touched.size() === 0,
    clear: () => touched.clear(),
  };
}
