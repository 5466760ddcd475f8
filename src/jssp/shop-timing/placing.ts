import { endOfWork, latestBegin } from '../calendar.js';
import { MAX_TIME } from '../instance.js';
import { earliestBegin, earliestBeginFor } from './machine-work.js';
import { setupBetween } from './shop-table.js';
import { hasRoomForSetup, startAfterShortage, takeRoom, takeRoomOfSetup } from './take-room.js';
import type { TimerState } from './timer-state.js';

/**
 * Gives the next operation of the list its times and its place, or sets `raised` if others must start later first.
 *
 * @returns false if it has no place
 */
export function placeNext(state: TimerState, op: number): boolean {
  const { table, placed, list, latest, missed, end } = state;
  let miss = 0;
  if (table.frozen[op] < 0) {
    if (!findTimes(state, op)) return false;
    if (raiseForLags(state, op)) {
      end[op] = 0;
      return true;
    }
    miss = missOf(state, op);
    occupy(state, op);
  }
  list[placed] = op;
  latest[placed + 1] = Math.max(latest[placed], end[op]);
  missed[placed + 1] = missed[placed] + miss;
  state.placed = placed + 1;
  return true;
}

/** The end that an operation would have behind the list; Infinity if it has no place. */
export function probeTimes(state: TimerState, op: number): number {
  if (state.table.frozen[op] >= 0) return state.end[op];
  const found = findTimes(state, op);
  const end = found ? state.end[op] : Number.POSITIVE_INFINITY;
  state.end[op] = 0;
  return end;
}

/** Takes the last operation of the list back. */
export function takeBack(state: TimerState): void {
  const { table, list, end, last, lastBefore, before, follower, mode, lateness } = state;
  const op = list[--state.placed];
  if (lateness !== null) {
    lateness.late[table.instance.jobOf[op]] = lateness.before[state.placed];
  }
  if (table.frozen[op] >= 0) return;
  if (table.modeDuration[mode[op]] > 0) {
    takeRoom(state, op, -1);
    last[table.modeMachine[mode[op]]] = lastBefore[op];
    const behind = follower[op];
    if (behind >= 0) {
      moveSetup(state, behind, state.followerFrom[op], state.followerTo[op]);
      before[behind] = before[op];
    }
  }
  end[op] = 0;
}

/** The time at which the job is at the machine of an operation and may be worked on there. */
function arrivalOf({ table, mode, end }: TimerState, op: number): number {
  const { edgeOffset, edgeFrom, minLag, modeMachine, machines, transport } = table;
  const machine = modeMachine[mode[op]];
  let arrival = 0;
  for (let edge = edgeOffset[op]; edge < edgeOffset[op + 1]; edge++) {
    const from = edgeFrom[edge];
    let time = end[from] + minLag[edge];
    if (transport !== null) time += transport[modeMachine[mode[from]] * machines + machine];
    if (time > arrival) arrival = time;
  }
  return arrival;
}

/** Finds the earliest times of an operation behind those on its machine. */
function findTimes(state: TimerState, op: number): boolean {
  const { table, mode, start, end, setupFrom, setupTo, least } = state;
  const work = table.modeDuration[mode[op]];
  const arrival = arrivalOf(state, op);
  let ready = Math.max(arrival, least[op], table.release[op]);
  if (table.hasMaxLags) ready = Math.max(ready, leastBeforeFrozen(state, op));
  if (work === 0) {
    start[op] = ready;
    end[op] = ready;
    setupFrom[op] = ready;
    setupTo[op] = ready;
    return ready <= MAX_TIME;
  }
  return findGap(state, op, ready, arrival);
}

/** Finds its place among the frozen operations of the machine, behind the last free one. */
function findGap(state: TimerState, op: number, ready: number, arrival: number): boolean {
  const { table, mode, start, end, setupFrom, setupTo, before, follower } = state;
  const { calendar, fixed, fixedOffset } = table;
  const machine = table.modeMachine[mode[op]];
  const work = table.modeDuration[mode[op]];
  const stop = fixedOffset[machine + 1];
  const last = state.last[machine];
  let previous = last;
  let next = stop;
  if (stop > fixedOffset[machine]) {
    next = firstFixed(state, machine, Math.max(ready + work, last < 0 ? 0 : end[last]));
    const passed = next > fixedOffset[machine] ? fixed[next - 1] : -1;
    if (passed >= 0 && (last < 0 || start[passed] > start[last])) previous = passed;
  }
  for (;;) {
    const setup = setupBetween(table.setups, machine, previous, op);
    const from = earliestFit(state, op, previous, setup, ready, arrival);
    if (from > MAX_TIME) return false;
    const to = endOfWork(calendar, machine, work, from);
    const behind = next < stop ? fixed[next] : -1;
    if (behind < 0 || (to <= start[behind] && fitsBefore(state, op, machine, to, behind))) {
      start[op] = from;
      end[op] = to;
      setupFrom[op] = setup === 0 ? from : latestBegin(calendar, machine, setup, from);
      setupTo[op] = setup === 0 ? from : endOfWork(calendar, machine, setup, setupFrom[op]);
      before[op] = previous;
      follower[op] = behind;
      return true;
    }
    previous = behind;
    next++;
  }
}

/** The first frozen operation of a machine that starts at a time or later. */
function firstFixed({ table, start }: TimerState, machine: number, time: number): number {
  let low = table.fixedOffset[machine];
  let high = table.fixedOffset[machine + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start[table.fixed[middle]] >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The earliest start behind an operation of the machine (−1 for none) with a setup of this length. */
function earliestFit(
  state: TimerState,
  op: number,
  previous: number,
  setup: number,
  ready: number,
  arrival: number,
): number {
  const { table, mode, end } = state;
  const { calendar } = table;
  const machine = table.modeMachine[mode[op]];
  let floor = previous < 0 ? 0 : end[previous];
  if (setup > 0) {
    if (table.setups?.anticipatory[machine] === 0) {
      floor = Math.max(floor, arrival, table.release[op]);
    }
    floor = endOfWork(calendar, machine, setup, earliestBegin(calendar, machine, setup, floor));
  }
  const work = table.modeDuration[mode[op]];
  let start = earliestBegin(calendar, machine, work, Math.max(ready, floor));
  while (start <= MAX_TIME) {
    const later = startAfterShortage(state, op, setup, start);
    if (later < 0) return start;
    start = later;
  }
  return start;
}

/** Whether the frozen operation behind an operation that ends at `end` can still be set up in time. */
function fitsBefore(
  state: TimerState,
  op: number,
  machine: number,
  end: number,
  behind: number,
): boolean {
  const { table, start, setupFrom, setupTo } = state;
  const setup = setupBetween(table.setups, machine, op, behind);
  if (setup === 0) return true;
  const from = latestBegin(table.calendar, machine, setup, start[behind]);
  if (from < end) return false;
  if (table.setups?.anticipatory[machine] === 0) {
    if (from < Math.max(table.release[behind], arrivalOf(state, behind))) return false;
  }
  const to = endOfWork(table.calendar, machine, setup, from);
  if (from === setupFrom[behind] && to === setupTo[behind]) return true;
  return hasRoomForSetup(state, behind, from, to);
}

/** Occupies the machine and the resources at the times that were found. */
function occupy(state: TimerState, op: number): void {
  const { table, mode, start, before, last, lastBefore, follower } = state;
  if (table.modeDuration[mode[op]] === 0) return;
  const machine = table.modeMachine[mode[op]];
  lastBefore[op] = last[machine];
  last[machine] = op;
  takeRoom(state, op, 1);
  const behind = follower[op];
  if (behind < 0) return;
  state.followerFrom[op] = state.setupFrom[behind];
  state.followerTo[op] = state.setupTo[behind];
  before[behind] = op;
  const setup = setupBetween(table.setups, machine, op, behind);
  const from =
    setup === 0 ? start[behind] : latestBegin(table.calendar, machine, setup, start[behind]);
  moveSetup(state, behind, from, endOfWork(table.calendar, machine, setup, from));
}

function moveSetup(state: TimerState, op: number, from: number, to: number): void {
  if (state.setupFrom[op] === from && state.setupTo[op] === to) return;
  takeRoomOfSetup(state, op, -1);
  state.setupFrom[op] = from;
  state.setupTo[op] = to;
  takeRoomOfSetup(state, op, 1);
}

/** The earliest start of an operation by the maximum lags to frozen ones. */
function leastBeforeFrozen(state: TimerState, op: number): number {
  const { table, start } = state;
  const { nextOffset, nextEdge, edgeTo, maxLag, frozen } = table;
  let least = 0;
  for (let i = nextOffset[op]; i < nextOffset[op + 1]; i++) {
    const edge = nextEdge[i];
    const to = edgeTo[edge];
    if (frozen[to] < 0 || maxLag[edge] < 0) continue;
    least = Math.max(
      least,
      startFor(state, op, start[to] - maxLag[edge] - transportOf(state, op, to)),
    );
  }
  return least;
}

/** The earliest start with which an operation is done at a time or later. */
function startFor({ table, mode }: TimerState, op: number, by: number): number {
  const machine = table.modeMachine[mode[op]];
  return earliestBeginFor(table.calendar, machine, table.modeDuration[mode[op]], by);
}

function transportOf({ table, mode }: TimerState, from: number, to: number): number {
  const { transport, modeMachine, machines } = table;
  if (transport === null) return 0;
  return transport[modeMachine[mode[from]] * machines + modeMachine[mode[to]]];
}

/** Raises the starts of predecessors whose maximum lags an operation exceeds; returns whether there are any. */
function raiseForLags(state: TimerState, op: number): boolean {
  const { table, start, end, least, place } = state;
  if (!table.hasMaxLags) return false;
  const { edgeOffset, edgeFrom, maxLag, frozen } = table;
  for (let edge = edgeOffset[op]; edge < edgeOffset[op + 1]; edge++) {
    const from = edgeFrom[edge];
    if (maxLag[edge] < 0 || frozen[from] >= 0) continue;
    const by = start[op] - maxLag[edge] - transportOf(state, from, op);
    if (end[from] >= by) continue;
    least[from] = startFor(state, from, by);
    if (state.raised < 0 || place[from] < place[state.raised]) state.raised = from;
  }
  return state.raised >= 0;
}

/** The time by which an operation comes too late for frozen ones, or too late after them. */
function missOf(state: TimerState, op: number): number {
  const { table, mode, start, end, setupFrom } = state;
  if (table.instance.frozen === null) return 0;
  const { edgeOffset, edgeFrom, edgeTo, minLag, maxLag, nextOffset, nextEdge, frozen } = table;
  let miss = 0;
  for (let i = nextOffset[op]; i < nextOffset[op + 1]; i++) {
    const edge = nextEdge[i];
    const to = edgeTo[edge];
    if (frozen[to] < 0) continue;
    const waits = table.setups?.anticipatory[table.modeMachine[mode[to]]] === 0;
    const by = waits ? setupFrom[to] : start[to];
    miss += Math.max(0, end[op] + transportOf(state, op, to) + minLag[edge] - by);
  }
  if (!table.hasMaxLags) return miss;
  for (let edge = edgeOffset[op]; edge < edgeOffset[op + 1]; edge++) {
    const from = edgeFrom[edge];
    if (maxLag[edge] < 0 || frozen[from] < 0) continue;
    const most = end[from] + maxLag[edge] + transportOf(state, from, op);
    miss += Math.max(0, start[op] - most);
  }
  return miss;
}
