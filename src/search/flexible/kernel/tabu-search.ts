// Tabu search over the operations of one critical path at a time.
import { random, randomBelow } from '../../kernel/random';
import { allocateMoves, clearMoves, considerMoves, hasMove, makeBestMove } from './best-move';
import { estimateMoves } from './estimate';
import { end, latestOf, loadOrder, mode, order } from './graph';
import { findPath, path, pathLength } from './path';
import { operations } from './shop';
import { clearTabu } from './tabu-list';

/** The best solution since the search was started: its order, and its modes. */
export let bestOrder = new StaticArray<i32>(0);
export let bestMode = new StaticArray<i32>(0);
let best: i32 = 0;
let iteration: i32 = 0;
let improvedAt: i32 = 0;
/** The tenure of a move is drawn from this many iterations … */
let shortestTenure: i32 = 10;
/** … up to this many more. */
let tenureSpread: i32 = 4;

/** How many operations of a path are looked at exactly. */
let looks: i32 = 3;
/** Estimates by place in the path, with a random number behind to break ties. */
let estimate = new StaticArray<u64>(0);

export function allocateSearch(n: i32): void {
  estimate = new StaticArray<u64>(n);
  bestOrder = new StaticArray<i32>(n);
  bestMode = new StaticArray<i32>(n);
  allocateMoves(n);
}

/** Sets the tenure: from `shortest`, up to `spread` more. */
export function configure(shortest: i32, spread: i32): void {
  shortestTenure = shortest;
  tenureSpread = spread;
}

/** Sets how many operations of a path are looked at exactly. */
export function configureLooks(most: i32): void {
  looks = most;
}

/** Starts a search from the solution in `order` and `mode`. */
export function start(): void {
  loadOrder();
  clearTabu();
  iteration = 0;
  improvedAt = 0;
  keepBest(latestOf(end));
}

/** The cost of the best solution. */
export function bestCost(): f64 {
  return <f64>best;
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
    if (<f64>best <= target || iteration - improvedAt >= cutoff) return false;
    iteration++;
    if (!move()) return false;
    const current = latestOf(end);
    if (current < best) keepBest(current);
  }
  return <f64>best > target && iteration - improvedAt < cutoff;
}

function move(): bool {
  clearMoves(best, iteration);
  findPath();
  considerPath();
  return makeBestMove(shortestTenure + randomBelow(tenureSpread + 1));
}

/** Considers the moves of the operations of the path that promise most, and of the others until a move is found. */
function considerPath(): void {
  if (pathLength <= looks) {
    for (let i = 0; i < pathLength; i++) considerMoves(path[i]);
    return;
  }
  for (let i = 0; i < pathLength; i++) {
    estimate[i] = ((<u64>estimateMoves(path[i], best, iteration)) << 32) | <u64>random();
  }
  for (let looked = 0; looked < pathLength && (looked < looks || !hasMove()); looked++) {
    let least = looked;
    for (let i = looked + 1; i < pathLength; i++) if (estimate[i] < estimate[least]) least = i;
    const op = path[least];
    estimate[least] = estimate[looked];
    path[least] = path[looked];
    considerMoves(op);
  }
}

function keepBest(cost: i32): void {
  best = cost;
  improvedAt = iteration;
  memory.copy(changetype<usize>(bestOrder), changetype<usize>(order), operations << 2);
  memory.copy(changetype<usize>(bestMode), changetype<usize>(mode), operations << 2);
}
