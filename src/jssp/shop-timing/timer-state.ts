import { endOfWork, latestBegin } from '../calendar.js';
import { createRoom, type Room } from './room.js';
import { type ShopTable, setupBetween } from './shop-table.js';
import { takeRoom } from './take-room.js';

/** The state of a timer; the operations `list[0 … placed − 1]` have their times. */
export interface TimerState {
  readonly table: ShopTable;
  readonly room: Room | null;
  readonly mode: Int32Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly setupFrom: Int32Array;
  readonly setupTo: Int32Array;
  readonly before: Int32Array;
  /** The earliest start by maximum lags. */
  readonly least: Int32Array;
  /** The last operation of each machine in the list, −1 for none, … */
  readonly last: Int32Array;
  /** … and for each operation the one that was it before. */
  readonly lastBefore: Int32Array;
  readonly list: Int32Array;
  readonly place: Int32Array;
  /** The latest end of the first operations of the list, and the sum by which they miss frozen starts: N+1 entries. */
  readonly latest: Float64Array;
  readonly missed: Float64Array;
  /** The frozen operation right behind each one on its machine whose setup it changed, and that setup before. */
  readonly follower: Int32Array;
  readonly followerFrom: Int32Array;
  readonly followerTo: Int32Array;
  placed: number;
  raises: number;
  /** The earliest operation in the list that must start later than it does; −1 if none. */
  raised: number;
}

/** The state of a timer that has timed nothing yet; frozen operations are in their places. */
export function createTimerState(table: ShopTable): TimerState {
  const { operations, machines, resources } = table;
  const numbers = () => new Int32Array(operations);
  const state: TimerState = {
    table,
    room: resources === null ? null : createRoom(resources),
    mode: table.chosen.slice(),
    start: numbers(),
    end: numbers(),
    setupFrom: numbers(),
    setupTo: numbers(),
    before: numbers().fill(-1),
    least: numbers(),
    last: new Int32Array(machines).fill(-1),
    lastBefore: numbers(),
    list: numbers(),
    place: numbers(),
    latest: new Float64Array(operations + 1),
    missed: new Float64Array(operations + 1),
    follower: numbers().fill(-1),
    followerFrom: numbers(),
    followerTo: numbers(),
    placed: 0,
    raises: 0,
    raised: -1,
  };
  placeFixed(state);
  return state;
}

/** Gives frozen operations their times and setups. What they violate among themselves is not looked at. */
function placeFixed(state: TimerState): void {
  const { table, start, end, setupFrom, setupTo, before, mode } = state;
  const { operations, frozen, calendar, setups, machines, fixed, fixedOffset } = table;
  for (let op = 0; op < operations; op++) {
    if (frozen[op] < 0) continue;
    const machine = table.modeMachine[mode[op]];
    start[op] = frozen[op];
    end[op] = endOfWork(calendar, machine, table.modeDuration[mode[op]], start[op]);
    setupFrom[op] = start[op];
    setupTo[op] = start[op];
  }
  for (let k = 0; k < machines; k++) {
    for (let i = fixedOffset[k]; i < fixedOffset[k + 1]; i++) {
      const op = fixed[i];
      before[op] = i > fixedOffset[k] ? fixed[i - 1] : -1;
      const length = setupBetween(setups, k, before[op], op);
      if (length > 0) {
        setupFrom[op] = latestBegin(calendar, k, length, start[op]);
        setupTo[op] = endOfWork(calendar, k, length, setupFrom[op]);
      }
      takeRoom(state, op, 1);
    }
  }
}
