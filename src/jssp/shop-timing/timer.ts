import type { Instance } from '../instance.js';
import { placeFixed } from './fixed.js';
import { placeNext, takeBack } from './placing.js';
import { layOutShop, type ShopTable } from './shop-table.js';
import { createTimerState, type TimerState } from './timer-state.js';

/**
 * Times lists of operations exactly, with everything that a shop may have; deadlines and due dates are left to the
 * caller. Times that are common to a list and the one before it are not computed again.
 */
export interface ShopTimer {
  readonly table: ShopTable;
  /** N entries each: the times of the list that was timed last. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** N entries: the begin and end of the setup before each operation; both equal if it has none. */
  readonly setupFrom: Int32Array;
  readonly setupTo: Int32Array;
  /** N entries: the operation before each one on its machine, −1 for none. */
  readonly before: Int32Array;
  /**
   * Times a list: each operation, in its order, starts as early as the operations before it in the list allow, behind
   * those on its machine, except that frozen ones have their places already. Operations that follow one another too
   * late delay the ones before them.
   *
   * @param order N operations, each after its predecessors
   * @param mode N entries: the mode of each operation; frozen ones keep their chosen mode whatever it says
   * @returns 0 if the schedule is feasible; otherwise the sum of times by which frozen starts are missed, or Infinity if
   *   the list has no schedule at all, or none was found
   */
  time(order: Int32Array, mode: Int32Array): number;
  /** The latest end in the list that was timed last. */
  readonly makespan: number;
}

/** Raises of earliest starts per list: this, and … */
const MOST_RAISES = 1000;
/** … this for each operation. A list without a schedule raises them for ever. */
const RAISES_EACH = 30;

/** Creates a timer for the lists of an instance. */
export function createShopTimer(instance: Instance): ShopTimer {
  const state = createTimerState(layOutShop(instance));
  placeFixed(state);
  const { table } = state;
  return {
    table,
    start: state.start,
    end: state.end,
    setupFrom: state.setupFrom,
    setupTo: state.setupTo,
    before: state.before,
    time: (order, mode) => timeOrder(state, order, mode),
    get makespan() {
      return state.latest[state.placed];
    },
  };
}

function timeOrder(state: TimerState, order: Int32Array, mode: Int32Array): number {
  const { table, list, place } = state;
  const { operations, frozen, hasMaxLags } = table;
  let same = 0;
  if (state.raises > 0) state.least.fill(0);
  else {
    while (
      same < state.placed &&
      list[same] === order[same] &&
      (state.mode[list[same]] === mode[list[same]] || frozen[list[same]] >= 0)
    ) {
      same++;
    }
  }
  while (state.placed > same) takeBack(state);
  state.raises = 0;
  const most = MOST_RAISES + RAISES_EACH * operations;
  while (state.placed < operations) {
    const op = order[state.placed];
    if (frozen[op] < 0) state.mode[op] = mode[op];
    if (hasMaxLags) place[op] = state.placed;
    if (!placeNext(state, op)) return Number.POSITIVE_INFINITY;
    const delayed = state.raised;
    if (delayed < 0) continue;
    state.raised = -1;
    if (++state.raises > most) return Number.POSITIVE_INFINITY;
    while (state.placed > place[delayed]) takeBack(state);
  }
  return state.missed[operations];
}
