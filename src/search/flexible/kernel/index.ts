import {
  allocateCalendar,
  downtimeFrom,
  downtimeOffset,
  downtimeResumable,
  downtimeTo,
} from '../../kernel/calendar';
import { allocateGoalTails } from './goal-tails';
import { allocateGoals, goalDeadline, goalDue, goalOffset, goalOp, goalWeight } from './goals';
import { allocateGraph, end, mode, order } from './graph';
import { allocateBehind, allocateLanes } from './lane-tails';
import { allocateLatePath } from './late-path';
import { allocatePath } from './path';
import {
  allocateShop,
  family,
  fixed,
  fixedEnd,
  jobPredecessor,
  jobSuccessor,
  last,
  machines,
  modeDuration,
  modeMachine,
  modeOffset,
  operations,
  pred,
  predLag,
  predOffset,
  release,
  setupBase,
  setupTable,
  succ,
  succLag,
  succOffset,
  transport,
  waitsForJob,
} from './shop';
import { allocateSwaps } from './swap';
import { allocateTabu } from './tabu-list';
import { allocateSearch, bestMode, bestOrder } from './tabu-search';
import { allocateTrials } from './trial-moves';

export { seedRandom } from '../../kernel/random';
export { configureGoals } from './goals';
export { layOutSequences } from './graph';
export { configureShop } from './shop';
export { layOutSwaps } from './swap';
export { bestCost, configure, configureLooks, iterations, search, start } from './tabu-search';
export { configureTries } from './trial-moves';

/** Allocates memory for a shop, in place of the previous one. */
export function allocate(
  n: i32,
  m: i32,
  modes: i32,
  edges: i32,
  sinks: i32,
  families: i32,
  matrices: i32,
  transports: bool,
): void {
  // All arrays are allocated below.
  heap.reset();
  allocateShop(n, m, modes, edges, sinks, families, matrices, transports);
  allocateGraph(n, m, modes);
  allocateTabu(n, modes);
  allocatePath(n);
  allocateSearch(n);
  allocateSwaps(n, m);
  // These have their own call.
  allocateTerms(0, 0, 0);
}

/** Allocates memory for what counts besides the makespan, and for downtimes, after the shop. */
export function allocateTerms(goals: i32, goalOps: i32, downtimes: i32): void {
  allocateGoals(goals, goalOps);
  allocateCalendar(machines, downtimes);
  const size = goals + downtimes > 0 ? operations : 0;
  allocateGoalTails(size);
  allocateLanes(size, last.length, goals);
  allocateBehind();
  allocateLatePath(size);
  allocateTrials(size);
}

/** The address of an array, by its index in the list of `../kernel.ts`. */
export function addressOf(array: i32): usize {
  const addresses: StaticArray<usize> = [
    changetype<usize>(modeOffset),
    changetype<usize>(modeMachine),
    changetype<usize>(modeDuration),
    changetype<usize>(predOffset),
    changetype<usize>(pred),
    changetype<usize>(predLag),
    changetype<usize>(succOffset),
    changetype<usize>(succ),
    changetype<usize>(succLag),
    changetype<usize>(jobPredecessor),
    changetype<usize>(jobSuccessor),
    changetype<usize>(last),
    changetype<usize>(release),
    changetype<usize>(fixed),
    changetype<usize>(family),
    changetype<usize>(setupBase),
    changetype<usize>(setupTable),
    changetype<usize>(waitsForJob),
    changetype<usize>(transport),
    changetype<usize>(order),
    changetype<usize>(mode),
    changetype<usize>(bestOrder),
    changetype<usize>(bestMode),
    changetype<usize>(end),
    changetype<usize>(fixedEnd),
    changetype<usize>(goalOffset),
    changetype<usize>(goalOp),
    changetype<usize>(goalDue),
    changetype<usize>(goalWeight),
    changetype<usize>(goalDeadline),
    changetype<usize>(downtimeOffset),
    changetype<usize>(downtimeFrom),
    changetype<usize>(downtimeTo),
    changetype<usize>(downtimeResumable),
  ];
  return addresses[array];
}
