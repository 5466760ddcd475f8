import {
  allocateCalendar,
  downtimeFrom,
  downtimeOffset,
  downtimeResumable,
  downtimeTo,
} from './calendar';
import { allocateCalendarEstimate } from './calendar-estimate';
import { allocateEarliness, plannedStart } from './earliness';
import { allocateEstimate } from './estimate';
import {
  allocateGraph,
  duration,
  frozenEnd,
  jobPredecessor,
  jobSuccessor,
  last,
  machine,
  machinePredecessor,
  machineSuccessor,
  order,
  release,
} from './graph';
import { allocateJobTails } from './job-tails';
import { allocateMoves } from './moves';
import { allocateObjective, watched, watchedDue, watchedWeight } from './objective';
import { allocatePath } from './path';
import { allocateShortlist } from './shortlist';
import { allocateStability, movable, plannedRank } from './stability';
import { allocateTabu, column, row } from './tabu-list';
import { allocateSearch, bestOrder } from './tabu-search';
import {
  allocateTimes,
  end,
  farHorizon as farHorizonNow,
  farRest,
  horizon as horizonNow,
  rest,
} from './times';
import { allocateWindow } from './window';

export { configureTrials } from './best-move';
export { estimateAfterByCalendar, estimateBeforeByCalendar } from './calendar-estimate';
export { configureEarliness } from './earliness';
export { estimateAfter, estimateBefore } from './estimate';
export { moveAfter, moveBefore } from './moves';
export { breakTies } from './objective';
export { seedRandom } from './random';
export { changes, configureRepair } from './stability';
export {
  beginSwaps,
  bestCost,
  closeWindow,
  configure,
  evaluations,
  iterations,
  limitTrials,
  openWindow,
  search,
  settle,
  start,
  swapBack,
} from './tabu-search';
export { loadOrder, makespan } from './times';

/** Allocates memory for an instance, in place of the previous one. */
export function allocate(
  n: i32,
  jobs: i32,
  machines: i32,
  tabuSize: i32,
  downtimes: i32,
  watchedCount: i32,
): void {
  // All arrays are allocated below.
  heap.reset();
  allocateGraph(n, jobs, machines);
  allocateTimes(n);
  allocateMoves(n);
  allocateCalendar(machines, downtimes);
  allocateEstimate(n);
  allocateCalendarEstimate(n);
  allocateTabu(n, tabuSize);
  allocateObjective(watchedCount);
  allocateSearch(n);
  allocatePath(n);
  allocateWindow(n, machines);
  allocateStability(n);
  allocateShortlist(n);
  allocateJobTails(n, jobs, watchedCount);
  allocateEarliness(n);
}

/** The reference time of rests with downtimes, … */
export function horizon(): i32 {
  return horizonNow;
}

/** … and the second, later one. */
export function farHorizon(): i32 {
  return farHorizonNow;
}

/** The address of an array, by its index in the list of `../kernel.ts`. */
export function addressOf(array: i32): usize {
  const addresses: StaticArray<usize> = [
    changetype<usize>(duration),
    changetype<usize>(release),
    changetype<usize>(frozenEnd),
    changetype<usize>(machine),
    changetype<usize>(jobPredecessor),
    changetype<usize>(jobSuccessor),
    changetype<usize>(machinePredecessor),
    changetype<usize>(machineSuccessor),
    changetype<usize>(last),
    changetype<usize>(downtimeOffset),
    changetype<usize>(downtimeFrom),
    changetype<usize>(downtimeTo),
    changetype<usize>(downtimeResumable),
    changetype<usize>(row),
    changetype<usize>(column),
    changetype<usize>(watched),
    changetype<usize>(watchedDue),
    changetype<usize>(watchedWeight),
    changetype<usize>(order),
    changetype<usize>(bestOrder),
    changetype<usize>(end),
    changetype<usize>(rest),
    changetype<usize>(farRest),
    changetype<usize>(movable),
    changetype<usize>(plannedRank),
    changetype<usize>(plannedStart),
  ];
  return addresses[array];
}
