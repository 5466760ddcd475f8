// Tabu search over one critical path at a time (Nowicki and Smutnicki 1996; Zhang et al. 2008,
// doi:10.1016/j.cor.2007.12.021).

import { allocateMoves, clearMoves, closePath, hasMove, makeBestMove, openPath } from './best-move';
import { hasDowntimes } from './calendar';
import { frozenEnd, machinePredecessor, machineSuccessor, operations, order } from './graph';
import { startJobTails } from './job-tails';
import { moveAfter, moveAgainAfter, takeBackAfter } from './moves';
import { evaluateN5 } from './neighbourhoods/n5';
import { evaluateN6 } from './neighbourhoods/n6';
import { evaluateN7 } from './neighbourhoods/n7';
import { configureObjective, currentCost, needsTrials } from './objective';
import { findPath, path, pathStart, staysAtEnd, staysAtStart } from './path';
import { randomBelow } from './random';
import { readJobs } from './shortlist';
import {
  countChanges,
  mostPaths,
  movable,
  noteAfter,
  penalty,
  penaltyAfter,
  plannedRank,
  repairs,
} from './stability';
import { clearTabu } from './tabu-list';
import {
  configureRests,
  expectFewChanges,
  loadOrder,
  moveHorizon,
  saveEnds,
  saveTriedEnds,
  settleTimes,
} from './times';
import { clearTrials, trials } from './trial';
import {
  copyWindow,
  enterWindow,
  isWindowed,
  leaveWindow,
  windowCost,
  windowFloor,
} from './window';

/** The best order since the search was started. */
export let bestOrder = new StaticArray<i32>(0);
let best: f64 = 0;
/** The objective of the current solution, without the costs of repairs. */
let current: f64 = 0;
let iteration: i32 = 0;
/** Moves that a repair has evaluated. */
let evaluated: i32 = 0;
let improvedAt: i32 = 0;
/** The number of iterations that a new window adds to make all entries of forbidden arcs expire. */
let forgotten: i32 = 0;
/** Whether the window has found another acceptable order, and the largest acceptable cost. */
let hasChanged: bool = false;
let accepted: f64 = 0;
/** The cost of the order that the window would leave. */
let kept: f64 = 0;

/** The tenure of a move is drawn from this many iterations … */
let shortestTenure: i32 = 10;
/** … up to this many more. */
let tenureSpread: i32 = 4;
let neighbourhood: i32 = 6;
/** The limit of trials in one call of `search`; the iteration that exceeds it is still completed. */
let mostTrials: i32 = i32.MAX_VALUE;

/** The number of other moves whose evaluation takes as long as a trial. */
const TRIAL: i32 = 4;

export function allocateSearch(n: i32): void {
  bestOrder = new StaticArray<i32>(n);
  allocateMoves(n);
}

/**
 * Sets the neighbourhood (5, 6 or 7), the tenure (from `shortest`, up to `spread` more), and
 * whether the objective is weighted tardiness instead of the makespan.
 */
export function configure(hood: i32, shortest: i32, spread: i32, tardiness: bool): void {
  neighbourhood = hood;
  shortestTenure = shortest;
  tenureSpread = spread;
  configureObjective(tardiness);
}

/** Limits the time of a call of `search` if moves are tried: one iteration may make thousands of trials. */
export function limitTrials(most: i32): void {
  mostTrials = most;
}

/** Starts a search from the machine orders in `order`. */
export function start(): void {
  configureRests(!needsTrials());
  expectFewChanges(false);
  loadOrder();
  clearTabu();
  iteration = 0;
  forgotten = 0;
  improvedAt = 0;
  evaluated = 0;
  current = currentCost();
  if (needsTrials()) {
    readJobs();
    startJobTails();
  }
  if (repairs) countChanges();
  keepBest();
}

/** The cost of `bestOrder`. */
export function bestCost(): f64 {
  return best;
}

/** Iterations since the start. */
export function iterations(): i32 {
  return iteration;
}

/** Moves that a repair has evaluated since the start. */
export function evaluations(): i32 {
  return evaluated;
}

/**
 * Continues for at most `steps` iterations; fewer if the target is met, `cutoff` iterations brought no improvement, the
 * critical path allows no move, or the trials of one call are used up. Returns whether the search may continue. The
 * division into calls does not affect the results.
 */
export function search(steps: i32, cutoff: i32, target: f64): bool {
  clearTrials();
  const least = isWindowed ? max(target, <f64>windowFloor) : target;
  for (const stop = iteration + steps; iteration < stop && trials < mostTrials; ) {
    if (best <= least || iteration - improvedAt >= cutoff) return false;
    iteration++;
    if (!move()) return false;
    current = isWindowed ? <f64>windowCost() : currentCost();
    if (current + penalty() < best) keepBest();
    else if (isWindowed && current <= accepted) keepWindow();
  }
  return best > least && iteration - improvedAt < cutoff;
}

/**
 * Continues the search from the best order, and restricts moves to its positions from `from` to `to` − 1 until {@link
 * closeWindow}. Supports only the makespan, without downtimes and repairs. Returns whether an improvement is possible:
 * the makespan cannot be shorter than the longest path that avoids the window.
 *
 * @param most the largest acceptable cost: if no solution is better than the best, the last one that costs at most this
 *   replaces it
 */
export function openWindow(from: i32, to: i32, most: f64): bool {
  enterWindow(from, to);
  forgotten += shortestTenure + tenureSpread + 1;
  improvedAt = iteration;
  hasChanged = false;
  kept = best;
  accepted = max(best, most);
  return best > <f64>windowFloor;
}

/** Returns to the best order, or to the order that replaces it; times are exact only after {@link settle}. */
export function closeWindow(): void {
  leaveWindow(bestOrder, hasChanged);
  best = current = kept;
}

/** Makes all times exact after windows; needed before anything but another window or {@link start}. */
export function settle(): void {
  settleTimes(operations, 0);
}

/** The position where the swaps of neighbours continue, and whether one was made since they last began at the front. */
let swapAt: i32 = 0;
let hasSwapped: bool = false;

/** Returns to the best solution, where {@link swapBack} begins. */
export function beginSwaps(): void {
  // Tails are not needed before the next start.
  configureRests(false);
  expectFewChanges(true);
  memory.copy(changetype<usize>(order), changetype<usize>(bestOrder), operations << 2);
  loadOrder();
  countChanges();
  current = currentCost();
  swapAt = 0;
  hasSwapped = false;
}

/**
 * Swaps neighbours on a machine that are in reverse of the planned order, if that does not raise the objective or does
 * not raise the total cost, with at most `most` trials. The result becomes the best solution unless it costs more.
 * Returns whether more swaps may be possible.
 */
export function swapBack(most: i32): bool {
  let trials = 0;
  let goesOn = true;
  while (goesOn && trials < most) {
    if (swapAt >= operations) {
      goesOn = hasSwapped;
      swapAt = 0;
      hasSwapped = false;
      continue;
    }
    const a = order[swapAt++];
    const b = machineSuccessor[a];
    if (!movable[a] || !movable[b] || plannedRank[b] < 0) continue;
    if (plannedRank[a] <= plannedRank[b]) continue;
    trials++;
    if (swap(a, b)) hasSwapped = true;
  }
  evaluated += trials;
  if (current + penalty() <= best) keepBest();
  return goesOn;
}

/**
 * Swaps a and its successor b on the machine unless that raises both the objective and the total cost with that of
 * places.
 */
function swap(a: i32, b: i32): bool {
  const places = penaltyAfter(a, b);
  saveEnds();
  if (!moveAfter(a, b)) return false;
  const value = currentCost();
  const isWorse = value > current && value + places > current + penalty();
  if (!isWorse) saveTriedEnds();
  takeBackAfter(a, b);
  if (isWorse) return false;
  noteAfter(a, b);
  moveAgainAfter(a, b);
  current = value;
  return true;
}

function keepBest(): void {
  best = current + penalty();
  improvedAt = iteration;
  if (isWindowed) {
    accepted = best;
    keepWindow();
    return;
  }
  memory.copy(changetype<usize>(bestOrder), changetype<usize>(order), operations << 2);
  // Forbidden moves are accepted if everything then ends by this horizon.
  if (!needsTrials()) moveHorizon(<i32>current - 1);
}

function keepWindow(): void {
  hasChanged = true;
  kept = current;
  copyWindow(bestOrder, order);
}

/**
 * Makes the best move, a forbidden one only if there is no other; returns false if there is no move. If a path yields
 * no move, a repair examines other paths, because each path covers only one operation that ends too late.
 */
function move(): bool {
  clearMoves(current, best, iteration + forgotten);
  for (let paths = repairs ? mostPaths : 1; paths > 0 && !hasMove(); paths--) {
    findPath(current);
    // Nothing ends too late: only changed places cost something.
    if (pathStart === operations) continue;
    openPath(path[pathStart], path[operations - 1]);
    evaluateBlocks();
    evaluated += TRIAL * closePath();
  }
  return makeBestMove(shortestTenure + randomBelow(tenureSpread + 1));
}

/** Evaluates the moves of every block of the critical path. */
function evaluateBlocks(): void {
  // Moves that cannot shorten the whole path may still help a late job, or help with downtimes.
  const wholePath = !needsTrials() && !hasDowntimes();
  for (let i = pathStart; i < operations; ) {
    let stop = i + 1;
    while (stop < operations && machinePredecessor[path[stop]] === path[stop - 1]) stop++;
    // Started operations stay in place.
    let first = i;
    while (first < stop && frozenEnd[path[first]] > 0) first++;
    const isFirst = wholePath && first === pathStart && staysAtStart;
    const isLast = wholePath && stop === operations && staysAtEnd;
    if (repairs) evaluateRuns(first, stop, isFirst, isLast);
    else if (stop - first >= 2) evaluate(first, stop - 1, isFirst, isLast);
    i = stop;
  }
}

/** Splits a block into maximal runs of operations that may change their place. */
function evaluateRuns(first: i32, stop: i32, isFirst: bool, isLast: bool): void {
  for (let i = first; i < stop; ) {
    let end = i;
    while (end < stop && movable[path[end]]) end++;
    if (end - i >= 2) {
      evaluate(i, end - 1, isFirst && i === first, isLast && end === stop);
      evaluated += end - i === 2 ? 1 : 2 * (end - i - 1);
    }
    i = end + 1;
  }
}

function evaluate(first: i32, final: i32, isFirst: bool, isLast: bool): void {
  if (neighbourhood === 5) evaluateN5(path, first, final, isFirst, isLast);
  else if (neighbourhood === 6) evaluateN6(path, first, final, isFirst, isLast);
  else evaluateN7(path, first, final, isFirst, isLast);
}
