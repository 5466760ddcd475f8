// Trials of moves: made, timed exactly and undone.
import { machinePredecessor, machineSuccessor } from './graph';
import { moveAfter, moveBefore, takeBackAfter, takeBackBefore } from './moves';
import { costUpTo } from './objective';
import { saveEnds } from './times';

/** Trials since `clearTrials`. */
export let trials: i32 = 0;

/** Resets the count of trials. */
export function clearTrials(): void {
  trials = 0;
}

/** Counts work that takes as long as this number of trials. */
export function countTrials(more: i32): void {
  trials += more;
}

/**
 * The cost after moving u right after v. If the move closes a cycle, the result is the largest number; if the cost
 * exceeds `most`, it may be any lower bound above `most`.
 */
export function tryAfter(u: i32, v: i32, most: f64): f64 {
  const following = machineSuccessor[u];
  trials++;
  saveEnds();
  if (!moveAfter(u, v)) return f64.MAX_VALUE;
  const value = costUpTo(most);
  takeBackAfter(u, following);
  return value;
}

/**
 * The cost after moving v right before u. If the move closes a cycle, the result is the largest number; if the cost
 * exceeds `most`, it may be any lower bound above `most`.
 */
export function tryBefore(v: i32, u: i32, most: f64): f64 {
  const preceding = machinePredecessor[v];
  trials++;
  saveEnds();
  if (!moveBefore(v, u)) return f64.MAX_VALUE;
  const value = costUpTo(most);
  takeBackBefore(v, preceding);
  return value;
}
