// Tabu search over the operations of one critical path at a time.
import { hasDowntimes } from '../../kernel/calendar';
import { random, randomBelow } from '../../kernel/random';
import { allocateMoves, clearMoves, considerMoves, hasMove, makeBestMove } from './best-move';
import { estimateMoves } from './estimate';
import { costOf, goals } from './goals';
import { end, latestOf, loadOrder, mode, order } from './graph';
import { openLanes } from './lane-tails';
import { findPath, path, pathLength } from './path';
import { operations } from './shop';
import { clearSwaps, considerSwaps, hasSwap, makeBestSwap } from './swap';
import { clearTabu } from './tabu-list';
import { moveByTrial } from './trial-moves';

/** The best solution since the search was started: its order, and its modes. */
export let bestOrder = new StaticArray<i32>(0);
export let bestMode = new StaticArray<i32>(0);
let best: f64 = 0;
/** The cost of the current solution. */
let current: f64 = 0;
/** Whether moves are tried, because more counts than the makespan, or machines have downtimes. */
let triesMoves: bool = false;
let iteration: i32 = 0;
let improvedAt: i32 = 0;
/** The tenure of a move is drawn from this many iterations … */
let shortestTenure: i32 = 10;
/** … up to this many more. */
let tenureSpread: i32 = 4;

/** How many operations of a path are looked at exactly. */
let looks: i32 = 3;
const MOST_LOOKS: i32 = 16;
/** The operations to look at, … */
let candidate = new StaticArray<i32>(0);
/** … and their estimates, with a random number behind to break ties. */
let estimate = new StaticArray<u64>(0);

export function allocateSearch(n: i32): void {
  candidate = new StaticArray<i32>(MOST_LOOKS);
  estimate = new StaticArray<u64>(MOST_LOOKS);
  bestOrder = new StaticArray<i32>(n);
  bestMode = new StaticArray<i32>(n);
  allocateMoves(n);
}

/** Sets the tenure: from `shortest`, up to `spread` more. */
export function configure(shortest: i32, spread: i32): void {
  shortestTenure = shortest;
  tenureSpread = spread;
}

/** Sets how many operations of a path are looked at exactly, 16 at most. */
export function configureLooks(most: i32): void {
  looks = min(most, MOST_LOOKS);
}

/** Starts a search from the solution in `order` and `mode`. */
export function start(): void {
  loadOrder();
  clearTabu();
  iteration = 0;
  improvedAt = 0;
  triesMoves = goals > 0 || hasDowntimes();
  if (triesMoves) openLanes();
  current = currentCost();
  keepBest();
}

/** The cost of the best solution. */
export function bestCost(): f64 {
  return best;
}

/** Iterations since the start. */
export function iterations(): i32 {
  return iteration;
}

/**
 * Continues for at most `steps` iterations; fewer if the target is met, `cutoff` iterations brought no improvement, or
 * the critical path allows no move. Returns whether the search may continue.
 */
export function search(steps: i32, cutoff: i32, target: f64): bool {
  for (const stop = iteration + steps; iteration < stop; ) {
    if (best <= target || iteration - improvedAt >= cutoff) return false;
    iteration++;
    if (!move()) return false;
    current = currentCost();
    if (current < best) keepBest();
  }
  return best > target && iteration - improvedAt < cutoff;
}

function currentCost(): f64 {
  return goals > 0 ? costOf(end) : <f64>latestOf(end);
}

function move(): bool {
  if (triesMoves) return moveByTrial(current, best, iteration, drawTenure());
  clearMoves(<i32>best, iteration);
  findPath();
  const tenure = drawTenure();
  // An exchange that shortens the paths of both machines comes first.
  clearSwaps(latestOf(end));
  for (let i = 0; i < pathLength; i++) considerSwaps(path[i], iteration);
  if (hasSwap()) {
    makeBestSwap(iteration, tenure);
    return true;
  }
  considerPath();
  return makeBestMove(tenure);
}

function drawTenure(): i32 {
  return shortestTenure + randomBelow(tenureSpread + 1);
}

/** Considers the moves of the operations of the path that promise most, and all of them if that yields no move. */
function considerPath(): void {
  let count = 0;
  if (pathLength > looks) {
    for (let i = 0; i < pathLength; i++) {
      const limit = count < looks ? i32.MAX_VALUE : <i32>(estimate[looks - 1] >> 32) + 1;
      const value = estimateMoves(path[i], limit, <i32>best, iteration);
      if (value === i32.MAX_VALUE) continue;
      count = insertCandidate(path[i], ((<u64>value) << 32) | <u64>random(), count);
    }
  }
  for (let i = 0; i < count; i++) considerMoves(candidate[i]);
  if (hasMove()) return;
  for (let i = 0; i < pathLength; i++) considerMoves(path[i]);
}

/** Inserts an operation among the candidates, the least estimate first; returns their number. */
function insertCandidate(op: i32, value: u64, count: i32): i32 {
  if (count === looks && value >= estimate[looks - 1]) return count;
  let at = count < looks ? count : looks - 1;
  for (; at > 0 && estimate[at - 1] > value; at--) {
    estimate[at] = estimate[at - 1];
    candidate[at] = candidate[at - 1];
  }
  estimate[at] = value;
  candidate[at] = op;
  return min(looks, count + 1);
}

function keepBest(): void {
  best = current;
  improvedAt = iteration;
  memory.copy(changetype<usize>(bestOrder), changetype<usize>(order), operations << 2);
  memory.copy(changetype<usize>(bestMode), changetype<usize>(mode), operations << 2);
}
