import { reserveNote, type Trail } from '../learning/trail.js';
import { createNumberQueue } from '../propagation.js';
import { type ShopConclusions, type ShopFacts, ShopReason } from './facts.js';
import { BEFORE, type ShopModel } from './shop-model.js';

/**
 * A note of a set of used modes on a place: the place, the direction, the head and the tail that all of them have at
 * least, the mode of an outsider (−1 if none) and its head, the work of the set, its size, and its modes. Work includes
 * the least setups, and heads are those of the setups.
 */
export const SetNote = {
  place: 0,
  direction: 1,
  head: 2,
  tail: 3,
  outsider: 4,
  outsiderHead: 5,
  work: 6,
  size: 7,
  set: 8,
};
/** A note of a set of predecessors: the place, their work, how many they are, their modes. */
export const BeforeNote = { place: 0, work: 1, size: 2, set: 3 };

/** Rules for sets of operations of a place: a machine, or a resource, which knows no setups. */
export interface SetRules {
  touchMode(direction: number, mode: number): void;
  /** The places of a mode have changed. */
  touchPlaces(mode: number): void;
  touchAll(): void;
  /** Heads and tails after sets of predecessors. */
  visitModes(): boolean;
  /** Edge-finding on one changed place. */
  visitPlace(limit: number): boolean;
  /** True if there are no changes. */
  idle(): boolean;
  clear(): void;
}

/** Creates the rules of {@link SetRules}. Modes that may yet be used are lifted or excluded by sets of used ones. */
export function createSetRules(
  model: ShopModel,
  trail: Trail,
  facts: ShopFacts,
  { imply, lift, fail }: ShopConclusions,
): SetRules {
  const { modes, machines, places, operation, duration, setup, slot, slots, use } = model;
  const { members, literalOf, placeOffset, placesOf } = model;
  const { value } = trail;
  const touchedModes = createNumberQueue(2 * modes);
  const touchedPlaces = createNumberQueue(places);
  const orders = [0, 1].map(() => members.map((those) => those.slice()));
  const largest = members.reduce((most, { length }) => Math.max(most, length), 0);
  const key = new Int32Array(modes);
  const far = new Int32Array(modes);
  const withSetup = Int32Array.from(duration, (d, mode) => (d === 0 ? 0 : d + setup[mode]));
  const noSetup = new Int32Array(modes);
  const after = new Int32Array(largest);
  const latestAt = new Int32Array(largest);
  // Those of the place at hand.
  let count = 0;
  let lead: Int32Array = setup;
  let work: Int32Array = withSetup;

  /** Heads (tails in direction 1) of the time that includes setups. */
  const headOf = (direction: number, mode: number): number =>
    facts.boundOf(direction, mode) - (direction === 0 ? lead[mode] : 0);

  /** The modes of a place that may be used, by head. */
  const sort = (k: number, direction: number): Int32Array => {
    lead = k < machines ? setup : noSetup;
    work = k < machines ? withSetup : duration;
    const order = orders[direction][k];
    let open = 0;
    for (let x = 0; x < order.length; x++) {
      const mode = order[x];
      if (facts.useOf(mode) === -1) {
        key[mode] = 2 ** 30;
      } else {
        key[mode] = headOf(direction, mode);
        far[mode] = headOf(1 - direction, mode);
        open++;
      }
    }
    for (let x = 1; x < order.length; x++) {
      const mode = order[x];
      let y = x - 1;
      for (; y >= 0 && key[order[y]] > key[mode]; y--) order[y + 1] = order[y];
      order[y + 1] = mode;
    }
    count = open;
    return order;
  };

  const isBefore = (direction: number, one: number, other: number): boolean => {
    const a = operation[one];
    const b = operation[other];
    const literal = direction === 0 ? literalOf(a, b) : literalOf(b, a);
    return literal >= 0 ? value[literal] === 1 : literal === BEFORE;
  };

  /** An operation waits for the whole set of its predecessors. */
  const visitMode = (k: number, direction: number, i: number): boolean => {
    const order = sort(k, direction);
    let time = -(2 ** 30);
    let first = 0;
    let size = 0;
    for (let y = 0; y < count; y++) {
      const j = order[y];
      if (j === i || facts.useOf(j) !== 1 || !isBefore(direction, j, i)) continue;
      if (key[j] >= time) {
        time = key[j];
        first = y;
        size = 0;
      }
      time += work[j];
      size++;
    }
    time += direction === 0 ? lead[i] : 0;
    if (size === 0 || time <= facts.boundOf(direction, i)) return true;
    reserveNote(trail, BeforeNote.set + size);
    const { notes, noteSize: note } = trail;
    let at = note + BeforeNote.set;
    let sum = 0;
    for (let y = first; y < count; y++) {
      const j = order[y];
      if (j === i || facts.useOf(j) !== 1 || !isBefore(direction, j, i)) continue;
      notes[at++] = j;
      sum += work[j];
    }
    notes[note + BeforeNote.place] = k;
    notes[note + BeforeNote.work] = sum;
    notes[note + BeforeNote.size] = size;
    trail.noteSize = at;
    return lift(direction * slots + slot[i], time, ShopReason.predecessors, note);
  };

  /** Records the used modes at or after a place in the order whose tails are at least `tail`. */
  const noteSet = (k: number, direction: number, place: number, tail: number, outsider: number) => {
    const order = orders[direction][k];
    reserveNote(trail, SetNote.set + count);
    const { notes, noteSize: note } = trail;
    let at = note + SetNote.set;
    let sum = 0;
    let head = 2 ** 30;
    for (let y = place; y < count; y++) {
      const j = order[y];
      if (j === outsider || facts.useOf(j) !== 1 || far[j] < tail) continue;
      head = Math.min(head, key[j]);
      notes[at++] = j;
      sum += work[j];
    }
    notes[note + SetNote.place] = k;
    notes[note + SetNote.direction] = direction;
    notes[note + SetNote.head] = head;
    notes[note + SetNote.tail] = tail;
    notes[note + SetNote.outsider] = outsider;
    notes[note + SetNote.outsiderHead] = outsider < 0 ? head : key[outsider];
    notes[note + SetNote.work] = sum;
    notes[note + SetNote.size] = at - note - SetNote.set;
    trail.noteSize = at;
    return note;
  };

  /** An operation that comes after the whole set of those at or after a place with tails of at least `tail`. */
  const settle = (
    k: number,
    direction: number,
    place: number,
    tail: number,
    outsider: number,
    latest: number,
  ): boolean => {
    const order = orders[direction][k];
    if (facts.useOf(outsider) !== 1) {
      const before = direction === 0 ? lead[outsider] : 0;
      if (latest + before <= facts.boundOf(direction, outsider)) return true;
      const note = noteSet(k, direction, place, tail, outsider);
      const { notes } = trail;
      const time = notes[note + SetNote.head] + notes[note + SetNote.work] + before;
      return lift(direction * slots + slot[outsider], time, ShopReason.edges, note);
    }
    let note = -1;
    for (let y = place; y < count; y++) {
      const j = order[y];
      if (j === outsider || facts.useOf(j) !== 1 || far[j] < tail) continue;
      if (isBefore(direction, j, outsider)) continue;
      if (note < 0) note = noteSet(k, direction, place, tail, outsider);
      const a = operation[j];
      const b = operation[outsider];
      const literal = direction === 0 ? literalOf(a, b) : literalOf(b, a);
      // The conclusion contradicts the order of the job: the set itself is the contradiction.
      if (literal < 0) return fail(ShopReason.edges, note, -1);
      if (!imply(literal, ShopReason.edges, note)) return false;
    }
    return true;
  };

  /**
   * Compares the used modes whose tails are at least `tail` with all others that may be used: edge-finding (Carlier and
   * Pinson 1994, doi:10.1016/0377-2217(94)90379-4) in the O(n²) form of Baptiste, Le Pape and Nuijten 2001,
   * doi:10.1007/978-1-4615-1479-4, with optional operations (Vilím, Barták and Čepek 2005,
   * doi:10.1007/s10601-005-2814-0).
   */
  const compare = (k: number, direction: number, tail: number, limit: number): boolean => {
    const order = orders[direction][k];
    const due = limit - tail;
    let sum = 0;
    let latest = 0;
    let longest = 0;
    for (let y = count - 1; y >= 0; y--) {
      const i = order[y];
      if (facts.useOf(i) === 1 && far[i] >= tail) {
        sum += work[i];
        latest = Math.max(latest, key[i] + sum);
        if (latest > due) {
          return fail(ShopReason.edges, noteSet(k, direction, y, tail, -1), -1);
        }
      } else longest = Math.max(longest, work[i]);
      after[y] = sum;
      latestAt[y] = latest;
    }
    if (latest + longest <= due) return true;
    let earlier = 0;
    let place = 0;
    for (let y = 0; y < count; y++) {
      const i = order[y];
      const left = after[y];
      const state = facts.useOf(i);
      if (state === 1 && far[i] >= tail) {
        if (key[i] + left > earlier) {
          earlier = key[i] + left;
          place = y;
        }
        continue;
      }
      let from = -1;
      if (earlier > 0 && earlier + work[i] > due) from = place;
      else if (left > 0 && key[i] + left + work[i] > due) from = y;
      if (from < 0 || state === -1) continue;
      if (state === 0 && far[i] >= tail) {
        const note = noteSet(k, direction, from, tail, i);
        if (!imply(use[i] ^ 1, ShopReason.edges, note)) return false;
      } else {
        const time = from === place && earlier > 0 ? earlier : latestAt[y];
        if (!settle(k, direction, from, tail, i, time)) return false;
      }
    }
    return true;
  };

  const findEdges = (k: number, direction: number, limit: number): boolean => {
    const order = sort(k, direction);
    const open = count;
    let last = -1;
    for (let z = 0; z < open; z++) {
      const mode = order[z];
      if (facts.useOf(mode) !== 1 || far[mode] === last) continue;
      last = far[mode];
      if (!compare(k, direction, last, limit)) return false;
    }
    return true;
  };

  return {
    touchMode: (direction, mode) => touchedModes.push(direction * modes + mode),
    touchPlaces: (mode) => {
      for (let x = placeOffset[mode]; x < placeOffset[mode + 1]; x++) {
        touchedPlaces.push(placesOf[x]);
      }
    },
    touchAll: () => {
      for (let k = 0; k < places; k++) touchedPlaces.push(k);
    },
    visitModes: () => {
      while (touchedModes.size() > 0) {
        const x = touchedModes.shift();
        const direction = x < modes ? 0 : 1;
        const mode = x - direction * modes;
        if (facts.useOf(mode) !== 1) continue;
        for (let y = placeOffset[mode]; y < placeOffset[mode + 1]; y++) {
          if (!visitMode(placesOf[y], direction, mode)) return false;
        }
      }
      return true;
    },
    visitPlace: (limit) => {
      if (touchedPlaces.size() === 0) return true;
      const k = touchedPlaces.shift();
      return findEdges(k, 0, limit) && findEdges(k, 1, limit);
    },
    idle: () => touchedModes.size() + touchedPlaces.size() === 0,
    clear: () => {
      touchedModes.clear();
      touchedPlaces.clear();
    },
  };
}
