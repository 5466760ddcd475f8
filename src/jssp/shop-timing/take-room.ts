import { endOfWork, latestBegin } from '../calendar.js';
import { MAX_TIME } from '../instance.js';
import { SETUP_PHASE } from '../shop-parts.js';
import { earliestBegin, someUptime } from './machine-work.js';
import { FOREVER } from './room.js';
import type { TimerState } from './timer-state.js';

/** Takes the resources of an operation and its setup at the times they have; with the sign −1 it gives them back. */
export function takeRoom(state: TimerState, op: number, sign: 1 | -1): void {
  const { room, table, mode, start, end } = state;
  if (room === null || table.resources === null) return;
  const { needOffset, needResource, needAmount, needPhase } = table.resources;
  const machine = table.modeMachine[mode[op]];
  for (let need = needOffset[mode[op]]; need < needOffset[mode[op] + 1]; need++) {
    if (needPhase[need] === SETUP_PHASE) continue;
    const resource = needResource[need];
    const amount = sign * needAmount[need];
    if (table.calendar === null) room.take(resource, start[op], end[op], amount);
    else {
      someUptime(table.calendar, machine, start[op], end[op], (from, to) => {
        room.take(resource, from, to, amount);
        return false;
      });
    }
  }
  takeRoomOfSetup(state, op, sign);
}

/** The same for its setup alone. */
export function takeRoomOfSetup(state: TimerState, op: number, sign: 1 | -1): void {
  const { room, table, mode, setupFrom, setupTo } = state;
  if (room === null || table.resources === null || setupFrom[op] === setupTo[op]) return;
  const { needOffset, needResource, needAmount, needPhase } = table.resources;
  const machine = table.modeMachine[mode[op]];
  for (let need = needOffset[mode[op]]; need < needOffset[mode[op] + 1]; need++) {
    if (needPhase[need] !== SETUP_PHASE) continue;
    if (table.calendar === null) {
      room.take(needResource[need], setupFrom[op], setupTo[op], sign * needAmount[need]);
      continue;
    }
    someUptime(table.calendar, machine, setupFrom[op], setupTo[op], (from, to) => {
      room.take(needResource[need], from, to, sign * needAmount[need]);
      return false;
    });
  }
}

/** The next start to try because resources are short with this one; −1 if they suffice. */
export function startAfterShortage(
  state: TimerState,
  op: number,
  setup: number,
  start: number,
): number {
  const { room, table, mode } = state;
  if (room === null || table.resources === null) return -1;
  const { calendar, modeMachine, modeDuration, resources } = table;
  const machine = modeMachine[mode[op]];
  const work = modeDuration[mode[op]];
  const { needOffset, needPhase } = resources;
  for (let need = needOffset[mode[op]]; need < needOffset[mode[op] + 1]; need++) {
    const isSetup = needPhase[need] === SETUP_PHASE;
    if (isSetup && setup === 0) continue;
    const length = isSetup ? setup : work;
    const from = isSetup ? latestBegin(calendar, machine, setup, start) : start;
    const free = freeAfter(state, machine, from, endOfWork(calendar, machine, length, from), need);
    if (free < 0) continue;
    if (free === FOREVER) return MAX_TIME + 1;
    if (!isSetup) return earliestBegin(calendar, machine, work, free);
    const begin = earliestBegin(calendar, machine, setup, free);
    return earliestBegin(calendar, machine, work, endOfWork(calendar, machine, setup, begin));
  }
  return -1;
}

/** The end of the first shortage of a needed resource while a machine is up in [from, to); −1 for none. */
function freeAfter(
  { room, table }: TimerState,
  machine: number,
  from: number,
  to: number,
  need: number,
): number {
  if (room === null || table.resources === null) return -1;
  const resource = table.resources.needResource[need];
  const amount = table.resources.needAmount[need];
  if (table.calendar === null) return room.shortage(resource, from, to, amount);
  let free = -1;
  someUptime(table.calendar, machine, from, to, (upFrom, upTo) => {
    free = room.shortage(resource, upFrom, upTo, amount);
    return free >= 0;
  });
  return free;
}

/** Whether the resources that an operation needs for its setup are free in a time; its own setup does not count. */
export function hasRoomForSetup(state: TimerState, op: number, from: number, to: number): boolean {
  const { resources, modeMachine } = state.table;
  if (resources === null) return true;
  const { needOffset, needPhase } = resources;
  const mode = state.mode[op];
  takeRoomOfSetup(state, op, -1);
  let suffices = true;
  for (let need = needOffset[mode]; need < needOffset[mode + 1] && suffices; need++) {
    if (needPhase[need] !== SETUP_PHASE) continue;
    suffices = freeAfter(state, modeMachine[mode], from, to, need) < 0;
  }
  takeRoomOfSetup(state, op, 1);
  return suffices;
}
