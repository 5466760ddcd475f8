import { assign, type Trail } from '../learning/trail.js';
import { type ShopConclusions, type ShopFacts, ShopReason } from './facts.js';
import { BEFORE, type ShopModel } from './shop-model.js';

/** Rules for two operations on one place. */
export interface PairRules {
  /** A bound of a mode rose, or the mode is used: compares it with all others of its places. */
  followMode(direction: number, mode: number): boolean;
  /** One operation starts before another. */
  followOrder(literal: number, touch: (direction: number, mode: number) => void): boolean;
}

/**
 * Creates the rules of pairs: settled orders, immediate selection (Carlier and Pinson 1989,
 * doi:10.1287/mnsc.35.2.164), also for modes that may yet be used (Schutt, Feydy and Stuckey 2013,
 * doi:10.1007/978-3-642-38171-3_14), and orders implied by two others.
 */
export function createPairRules(
  model: ShopModel,
  trail: Trail,
  facts: ShopFacts,
  { imply, lift }: ShopConclusions,
  limitNow: () => number,
): PairRules {
  const { slots, operation, duration, slot, use, members, literalOf, gap, meets } = model;
  const { from, to, modeVariables, modeOffset, placeOffset, placesOf } = model;
  const { value } = trail;

  /** 1 if `one` comes before `other` (in a direction of time), −1 if after it, 0 if that is open. */
  const orderOf = (literal: number): number => {
    if (literal >= 0) return value[literal];
    return literal === BEFORE ? 1 : -1;
  };

  const gapOf = (direction: number, one: number, other: number): number =>
    direction === 0 ? gap(one, other) : gap(other, one);

  /** Whether `one` before `other` exceeds the makespan, in a direction of time. */
  const exceeds = (direction: number, one: number, other: number): boolean =>
    facts.boundOf(direction, one) +
      duration[one] +
      gapOf(direction, one, other) +
      duration[other] +
      facts.boundOf(1 - direction, other) >
    limitNow();

  /** `one` cannot come before `other`; at least one of them is used, the other one perhaps. */
  const excludeOrder = (
    direction: number,
    one: number,
    other: number,
    literal: number,
  ): boolean => {
    const isUsed = facts.useOf(one) === 1;
    const isOtherUsed = facts.useOf(other) === 1;
    if (isUsed && isOtherUsed) {
      assign(trail, literal ^ 1, ShopReason.selection, 0);
      return true;
    }
    if (exceeds(direction, other, one)) {
      const optional = isUsed ? other : one;
      return imply(use[optional] ^ 1, ShopReason.clash, isUsed ? one : other);
    }
    if (isOtherUsed) {
      const time = facts.boundOf(direction, other) + duration[other] + gapOf(direction, other, one);
      return lift(direction * slots + slot[one], time, ShopReason.precedence, other);
    }
    const time = facts.boundOf(1 - direction, one) + duration[one] + gapOf(direction, other, one);
    return lift((1 - direction) * slots + slot[other], time, ShopReason.precedence, one);
  };

  const followMode: PairRules['followMode'] = (direction, mode) => {
    for (let x = placeOffset[mode]; x < placeOffset[mode + 1]; x++) {
      if (!followOn(members[placesOf[x]], direction, mode)) return false;
    }
    return true;
  };

  const followOn = (those: Int32Array, direction: number, mode: number): boolean => {
    const op = operation[mode];
    const isUsed = facts.useOf(mode) === 1;
    for (const other of those) {
      const second = operation[other];
      if (second === op) continue;
      const state = facts.useOf(other);
      if (state === -1 || (!isUsed && state === 0)) continue;
      // A mode that has been excluded in the meantime.
      if (facts.useOf(mode) === -1) return true;
      const literal = direction === 0 ? literalOf(op, second) : literalOf(second, op);
      const order = orderOf(literal);
      if (order === 1) {
        if (!isUsed) continue;
        const time =
          facts.boundOf(direction, mode) + duration[mode] + gapOf(direction, mode, other);
        const x = direction * slots + slot[other];
        if (!lift(x, time, ShopReason.precedence, mode)) return false;
      } else if (order === 0 && exceeds(direction, mode, other)) {
        if (!excludeOrder(direction, mode, other, literal)) return false;
      } else if (order === -1 && !isUsed) {
        // The other one, which is used, comes first.
        const time =
          facts.boundOf(direction, other) + duration[other] + gapOf(direction, other, mode);
        const x = direction * slots + slot[mode];
        if (!lift(x, time, ShopReason.precedence, other)) return false;
      }
    }
    return true;
  };

  const usedMode = (op: number): number => {
    for (let mode = modeOffset[op]; mode < modeOffset[op + 1]; mode++) {
      if (facts.useOf(mode) === 1) return mode;
    }
    return -1;
  };

  /** The modes of an operation that may be used and occupy a place of another mode. */
  const modesBeside = (op: number, one: number, visit: (mode: number) => boolean): boolean => {
    for (let mode = modeOffset[op]; mode < modeOffset[op + 1]; mode++) {
      if (facts.useOf(mode) === -1 || !meets(one, mode)) continue;
      if (!visit(mode)) return false;
    }
    return true;
  };

  /** Orders that follow from this one and those with a third operation on the place. */
  const joinOrders = (a: number, b: number, k: number): boolean => {
    for (const mode of members[k]) {
      const c = operation[mode];
      if (c === a || c === b || facts.useOf(mode) !== 1) continue;
      const aFirst = literalOf(a, c);
      const bFirst = literalOf(b, c);
      if (aFirst < 0 || bFirst < 0) continue;
      if (value[bFirst] === 1) {
        if (value[aFirst] !== 1 && !imply(aFirst, ShopReason.transitivity, b)) return false;
      } else if (value[aFirst] === -1 && value[bFirst] === 0) {
        if (!imply(bFirst ^ 1, ShopReason.transitivity, a)) return false;
      }
    }
    return true;
  };

  const followOrder: PairRules['followOrder'] = (literal, touch) => {
    const a = from[literal - 2 * modeVariables];
    const b = to[literal - 2 * modeVariables];
    const first = usedMode(a);
    const second = usedMode(b);
    if (first >= 0) {
      const early = facts.boundOf(0, first) + duration[first];
      const follows = (mode: number) => {
        if (facts.useOf(mode) === 1) touch(0, mode);
        return lift(slot[mode], early + gap(first, mode), ShopReason.precedence, first);
      };
      if (!modesBeside(b, first, follows)) return false;
    }
    if (second >= 0) {
      const late = facts.boundOf(1, second) + duration[second];
      const precedes = (mode: number) => {
        if (facts.useOf(mode) === 1) touch(1, mode);
        return lift(slots + slot[mode], late + gap(mode, second), ShopReason.precedence, second);
      };
      if (!modesBeside(a, second, precedes)) return false;
    }
    if (first < 0 || second < 0) return true;
    for (let x = placeOffset[first]; x < placeOffset[first + 1]; x++) {
      for (let y = placeOffset[second]; y < placeOffset[second + 1]; y++) {
        if (placesOf[x] === placesOf[y] && !joinOrders(a, b, placesOf[x])) return false;
      }
    }
    return true;
  };
  return { followMode, followOrder };
}
