// Tabu search over the operations of one critical path at a time.
import { randomBelow } from '../../kernel/random';
import { allocateMoves, clearMoves, considerMoves, makeBestMove } from './best-move';
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

export function allocateSearch(n: i32): void {
  bestOrder = new StaticArray<i32>(n);
  bestMode = new StaticArray<i32>(n);
  allocateMoves(n);
}

/** Sets the tenure: from `shortest`, up to `spread` more. */
export function configure(shortest: i32, spread: i32): void {
  shortestTenure = shortest;
  tenureSpread = spread;
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
  for (let i = 0; i < pathLength; i++) considerMoves(path[i]);
  return makeBestMove(shortestTenure + randomBelow(tenureSpread + 1));
}

function keepBest(cost: i32): void {
  best = cost;
  improvedAt = iteration;
  memory.copy(changetype<usize>(bestOrder), changetype<usize>(order), operations << 2);
  memory.copy(changetype<usize>(bestMode), changetype<usize>(mode), operations << 2);
}
