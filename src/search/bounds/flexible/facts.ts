import type { Trail } from '../learning/trail.js';
import type { ShopModel } from './shop-model.js';

/** The rules by which events of the learning prover for shops follow, and the meaning of their reference `ref`. */
export const ShopReason = {
  decision: 0,
  /** A clause; ref: its index. */
  clause: 1,
  /** An edge of a job; ref: the edge. */
  job: 2,
  /** Another operation on the machine comes before (heads) or after (tails); ref: its mode. */
  precedence: 3,
  /** The opposite order of two operations on one machine exceeds the makespan. */
  selection: 4,
  /** Sets of operations of a machine; ref: a note. */
  edges: 5,
  /** A set of predecessors; ref: a note. */
  predecessors: 6,
  /** Two orders imply a third; ref: the operation between them. */
  transitivity: 7,
  /** The window of a mode is too narrow; ref: the mode. */
  fit: 8,
  /** Another mode of the operation is used; ref: its literal. */
  exclusive: 9,
  /** All other modes of the operation are excluded; ref: the operation. */
  only: 10,
  /** Two modes that cannot both be used on their machine; ref: the other one, which is used. */
  clash: 11,
  /** No schedule with all choices meets the makespan: the leaf of a search. */
  leaf: 12,
  /** The cheapest modes that are left cost more than their machines have time for; ref: the budget. */
  load: 13,
  /** Sets of operations of a machine with their setups; ref: a note. */
  families: 14,
} as const;

/** The ways in which rules draw conclusions. */
export interface ShopConclusions {
  /** Makes a literal true if it is open; returns false on a contradiction. */
  imply(literal: number, kind: number, ref: number): boolean;
  /** Raises a bound if the value is larger; returns false on a contradiction. */
  lift(x: number, time: number, kind: number, ref: number): boolean;
  /** Reports a contradiction. */
  fail(kind: number, ref: number, literal: number): false;
}

/** Modes of a shop at a node, as a trail has them. */
export interface ShopFacts {
  /** The bound of a mode: the larger one of its own slot and that of its operation; direction 0 for heads, 1 for tails. */
  boundOf(direction: number, mode: number): number;
  /** 1 if a mode is used, −1 if it is excluded, 0 if that is open. */
  useOf(mode: number): number;
}

/** Creates the view of a trail. */
export function createShopFacts(
  { slots, operation, slot, use }: ShopModel,
  trail: Trail,
): ShopFacts {
  const { bound, value } = trail;
  return {
    boundOf: (direction, mode) => {
      const base = direction * slots;
      const any = bound[base + operation[mode]];
      const own = bound[base + slot[mode]];
      return own > any ? own : any;
    },
    useOf: (mode) => (use[mode] < 0 ? 1 : value[use[mode]]),
  };
}

/** The facts that an explanation asks for. */
export interface ShopWants {
  /** A true literal. */
  literal(literal: number): void;
  /** A bound of at least a value. */
  bound(x: number, least: number): void;
}
