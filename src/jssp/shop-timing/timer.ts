import type { Instance } from '../instance.js';
import { placeFixed } from './fixed.js';
import { addLateness, createLateness, type LatenessPrices } from './lateness.js';
import { placeNext, probeTimes, takeBack } from './placing.js';
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
   * @param limit if an operation ends, together with its {@link ShopTimer.tail}, later than this, the list is given up;
   *   after {@link ShopTimer.priceLateness}, if the cost of what is late exceeds it
   * @returns 0 if the schedule is feasible; otherwise the sum of times by which frozen starts are missed, or Infinity if
   *   the list has no schedule at all, none was found, or it was given up
   */
  time(order: Int32Array, mode: Int32Array, limit?: number): number;
  /** Limits are those of the cost of late operations and jobs from now on; the list is emptied. */
  priceLateness(prices: LatenessPrices): void;
  /** Whether the list that was timed last was given up because of very many delays: it may have a schedule. */
  readonly gaveUp: boolean;
  /** N entries, 0 at first: the least time from the end of each operation to the end of the schedule, for limits. */
  readonly tail: Int32Array;
  /** The latest end in the list that was timed last. */
  readonly makespan: number;
  /** Empties the list, to make another one with {@link ShopTimer.append}. */
  clear(): void;
  /**
   * Finds the times that an operation would have behind the list in a mode: `start` and the setup of the
   * operation are those until the next call.
   *
   * @returns its end; Infinity if it has no place
   */
  probe(op: number, mode: number): number;
  /**
   * Puts an operation behind the list.
   *
   * @returns false if it has no place, or operations that it would have to delay have none
   */
  append(op: number, mode: number): boolean;
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
    time: (order, mode, limit = Number.POSITIVE_INFINITY) => timeOrder(state, order, mode, limit),
    tail: state.tail,
    priceLateness: (prices) => {
      clearList(state);
      state.lateness = createLateness(prices);
    },
    get makespan() {
      return state.latest[state.placed];
    },
    get gaveUp() {
      return state.gaveUp;
    },
    clear: () => clearList(state),
    probe: (op, mode) => {
      if (table.frozen[op] < 0) state.mode[op] = mode;
      return probeTimes(state, op);
    },
    append: (op, mode) => {
      const { placed } = state;
      state.list[placed] = op;
      if (table.frozen[op] < 0) state.mode[op] = mode;
      return placeUpTo(state, state.list, placed + 1, Number.POSITIVE_INFINITY);
    },
  };
}

function timeOrder(state: TimerState, order: Int32Array, mode: Int32Array, limit: number): number {
  const { list } = state;
  const { operations, frozen } = state.table;
  let same = 0;
  if (state.raises === 0) {
    while (
      same < state.placed &&
      list[same] === order[same] &&
      (state.mode[list[same]] === mode[list[same]] || frozen[list[same]] >= 0)
    ) {
      same++;
    }
  }
  if (same === 0) clearList(state);
  while (state.placed > same) takeBack(state);
  for (let i = same; i < operations; i++) {
    const op = order[i];
    if (frozen[op] < 0) state.mode[op] = mode[op];
  }
  if (!placeUpTo(state, order, operations, limit)) return Number.POSITIVE_INFINITY;
  return state.missed[operations];
}

function clearList(state: TimerState): void {
  while (state.placed > 0) takeBack(state);
  if (state.raises > 0) state.least.fill(0);
  state.raises = 0;
}

/** Places the operations of an order behind those placed already, up to a number; false if one has no place. */
function placeUpTo(state: TimerState, order: Int32Array, count: number, limit: number): boolean {
  const { table, place, end, tail, lateness } = state;
  const { jobOf } = table.instance;
  state.gaveUp = false;
  const most = state.raises + MOST_RAISES + RAISES_EACH * table.operations;
  while (state.placed < count) {
    const op = order[state.placed];
    if (table.hasMaxLags) place[op] = state.placed;
    if (!placeNext(state, op)) return false;
    const delayed = state.raised;
    if (delayed < 0) {
      const value =
        lateness === null
          ? end[op] + tail[op]
          : addLateness(lateness, state.placed - 1, op, jobOf[op], end[op], tail[op]);
      if (value > limit) return false;
      continue;
    }
    state.raised = -1;
    state.gaveUp = ++state.raises > most;
    if (state.gaveUp) return false;
    while (state.placed > place[delayed]) takeBack(state);
  }
  return true;
}
