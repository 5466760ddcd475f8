import { endOfWork, latestBegin } from '../calendar.js';
import { setupBetween } from './shop-table.js';
import { takeRoom } from './take-room.js';
import type { TimerState } from './timer-state.js';

/** Gives frozen operations their times and setups. What they violate among themselves is not looked at. */
export function placeFixed(state: TimerState): void {
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
