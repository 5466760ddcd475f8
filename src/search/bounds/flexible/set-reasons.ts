import type { Trail } from '../learning/trail.js';
import type { ShopWants } from './facts.js';
import { BeforeNote, SetNote } from './set-rules.js';
import type { ShopModel } from './shop-model.js';

/** Creates the explanations of rules for sets of operations of a place. */
export function createSetReasons(
  { slots, operation, duration, modeOf, use, setup, literalOf, machines }: ShopModel,
  trail: Trail,
  rules: { readonly limit: number },
  wantMode: (direction: number, mode: number, least: number) => void,
  wants: ShopWants,
) {
  const wantUse = (mode: number): void => {
    if (use[mode] >= 0) wants.literal(use[mode]);
  };

  /** The setup of a mode on a place: resources know none. */
  const setupOn = (place: number, mode: number): number => (place < machines ? setup[mode] : 0);

  /** Explains a set with its outsider, and that the work of the set ends no earlier than `least`. */
  const wantSet = (note: number, least: number): void => {
    const { notes } = trail;
    const direction = notes[note + SetNote.direction];
    const place = notes[note + SetNote.place];
    const outsider = notes[note + SetNote.outsider];
    const lead = (mode: number, there: boolean): number =>
      (direction === 0) !== there ? setupOn(place, mode) : 0;
    const tail = notes[note + SetNote.tail];
    let work = notes[note + SetNote.work];
    let head = notes[note + SetNote.head];
    if (outsider >= 0) {
      work += duration[outsider] + setupOn(place, outsider);
      head = Math.min(head, notes[note + SetNote.outsiderHead]);
    }
    head -= head + work + tail - rules.limit - 1;
    const high = Math.max(head, least - notes[note + SetNote.work]);
    const end = note + SetNote.set + notes[note + SetNote.size];
    for (let at = note + SetNote.set; at < end; at++) {
      const mode = notes[at];
      wantUse(mode);
      wantMode(direction, mode, high + lead(mode, false));
      wantMode(1 - direction, mode, tail + lead(mode, true));
    }
    if (outsider < 0) return;
    wantMode(direction, outsider, head + lead(outsider, false));
  };

  /** An outsider that cannot be used belongs to the set, and has its tail, too. */
  const wantOverload = (note: number): void => {
    const { notes } = trail;
    const direction = notes[note + SetNote.direction];
    const outsider = notes[note + SetNote.outsider];
    wantSet(note, -(2 ** 30));
    const lead = direction === 1 ? setupOn(notes[note + SetNote.place], outsider) : 0;
    wantMode(1 - direction, outsider, notes[note + SetNote.tail] + lead);
  };

  /** Explains the head (or tail) of an outsider that comes after the whole set. */
  const wantAfterSet = (x: number, least: number, note: number): void => {
    const direction = x < slots ? 0 : 1;
    const outsider = modeOf[x - direction * slots];
    const lead = direction === 0 ? setupOn(trail.notes[note + SetNote.place], outsider) : 0;
    wantSet(note, least - lead);
  };

  const wantPredecessors = (x: number, least: number, note: number): void => {
    const { notes } = trail;
    const direction = x < slots ? 0 : 1;
    const target = modeOf[x - direction * slots];
    const place = notes[note + BeforeNote.place];
    const lead = direction === 0 ? setupOn(place, target) : 0;
    const head = least - lead - notes[note + BeforeNote.work];
    const end = note + BeforeNote.set + notes[note + BeforeNote.size];
    for (let at = note + BeforeNote.set; at < end; at++) {
      const mode = notes[at];
      const a = operation[mode];
      const b = operation[target];
      const literal = direction === 0 ? literalOf(a, b) : literalOf(b, a);
      if (literal >= 0) wants.literal(literal);
      wantUse(mode);
      wantMode(direction, mode, head + (direction === 0 ? setupOn(place, mode) : 0));
    }
  };

  return { wantSet, wantOverload, wantAfterSet, wantPredecessors };
}
