import type { Instance } from '../../../jssp/instance.js';
import { createSchedule } from '../../../jssp/schedule.js';
import { isPlain } from '../../../jssp/shop-parts.js';
import { withModes } from '../../../jssp/shop-timing/lists.js';
import { createShopTimer } from '../../../jssp/shop-timing/timer.js';
import type { Trail } from '../learning/trail.js';
import { createShopFacts } from './facts.js';
import type { ShopModel } from './shop-model.js';

/** The schedules at the leaves of a search, where all modes and orders are settled. */
export interface Leaf {
  /** N entries each: the last schedule, with modes as the instance numbers them. */
  readonly starts: Int32Array;
  readonly chosen: Int32Array;
  readonly makespan: number;
  /** Whether the last schedule was given up before it was clear that it exceeds the limit. */
  readonly gaveUp: boolean;
  /** Whether the order of a pair matters: both operations occupy one place. */
  matters(literal: number): boolean;
  /** Times the schedule of the current modes and orders; false if it exceeds the limit or a deadline. */
  take(limit: number): boolean;
}

/** Creates the leaves of a search. */
export function createLeaf(instance: Instance, model: ShopModel, trail: Trail): Leaf {
  const { operations, modeOffset, given, from, to, modeVariables, meets } = model;
  const facts = createShopFacts(model, trail);
  const starts = new Int32Array(operations);
  const chosen = new Int32Array(operations);
  const isExact = isPlain(instance) && instance.calendar === null;
  const timer = isExact ? null : createShopTimer(instance);

  const usedMode = (op: number): number => {
    for (let mode = modeOffset[op]; mode < modeOffset[op + 1]; mode++) {
      if (facts.useOf(mode) === 1) return mode;
    }
    return -1;
  };

  const isWithin = (limit: number): boolean => {
    const { end, makespan } = createSchedule(withModes(instance, chosen), starts);
    const { deadline, jobOf } = instance;
    leaf.makespan = makespan;
    if (makespan > limit) return false;
    if (deadline === null) return true;
    return end.every((time, op) => deadline[jobOf[op]] < 0 || time <= deadline[jobOf[op]]);
  };

  const leaf = {
    starts,
    chosen,
    makespan: Infinity,
    get gaveUp() {
      return timer?.gaveUp ?? false;
    },
    matters: (literal: number): boolean => {
      const a = usedMode(from[literal - 2 * modeVariables]);
      const b = usedMode(to[literal - 2 * modeVariables]);
      return a >= 0 && b >= 0 && meets(a, b);
    },
    take: (limit: number): boolean => {
      for (let op = 0; op < operations; op++) {
        const mode = usedMode(op);
        starts[op] = facts.boundOf(0, mode);
        chosen[op] = given[mode];
      }
      if (timer !== null) {
        const order = Int32Array.from(starts.keys()).sort((a, b) => starts[a] - starts[b] || a - b);
        if (timer.time(order, chosen, limit) !== 0) return false;
        starts.set(timer.start);
      }
      return isWithin(limit);
    },
  };
  return leaf;
}
