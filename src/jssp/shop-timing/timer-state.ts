import type { Lateness } from './lateness.js';
import { createRoom, type Room } from './room.js';
import type { ShopTable } from './shop-table.js';

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
  readonly tail: Int32Array;
  /** The cost of late jobs, if a limit is one of it; otherwise limits are ends. */
  lateness: Lateness | null;
  placed: number;
  raises: number;
  /** Whether placing ended because of too many raises. */
  gaveUp: boolean;
  /** The earliest operation in the list that must start later than it does; −1 if none. */
  raised: number;
}

/** The state of a timer that has timed nothing yet; frozen operations are not in their places. */
export function createTimerState(table: ShopTable): TimerState {
  const { operations, machines, resources } = table;
  const numbers = () => new Int32Array(operations);
  return {
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
    tail: numbers(),
    lateness: null,
    placed: 0,
    raises: 0,
    raised: -1,
    gaveUp: false,
  };
}
