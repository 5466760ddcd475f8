// The moves of one iteration, and the best of them; ties are broken at random (`consider`). A move takes an operation
// of a critical block to the other side of another operation of the block.
import { BROKEN } from '../costs';
import { hasDowntimes } from './calendar';
import {
  estimateAfterByCalendar,
  estimateBeforeByCalendar,
  mayCloseCycleAfterByCalendar,
  mayCloseCycleBeforeByCalendar,
} from './calendar-estimate';
import { earlyPrice } from './earliness';
import {
  estimateAfter,
  estimateAfterUpTo,
  estimateBefore,
  estimateBeforeUpTo,
  leastAfter,
  leastBefore,
  mayCloseCycleAfter,
  mayCloseCycleAfterByHeads,
  mayCloseCycleBefore,
} from './estimate';
import { position } from './graph';
import {
  costAfter,
  costBefore,
  forgetTails,
  hasJobTails,
  openTails,
  passesOfWork,
} from './job-tails';
import { moveAfter, moveBefore } from './moves';
import { isTied, needsTrials } from './objective';
import { randomBelow } from './random';
import { roomFor } from './room';
import {
  delayAfter,
  delayBefore,
  goals,
  length,
  movers,
  openList,
  openShortlist,
  rankToBeat,
  shortlist,
  weightOf,
} from './shortlist';
import { noteAfter, noteBefore, penaltyAfter, penaltyBefore, repairs } from './stability';
import { forbidAfter, forbidBefore, isTabuAfter, isTabuBefore } from './tabu-list';
import { countTrials, tryAfter, tryBefore } from './trial';

/** The best move: `mover` goes to the other side of `goal`; −1 if there is none. */
let mover: i32 = -1;
let goal: i32 = -1;
/** The expected cost of the best move, and the number of moves with this cost. */
let expected: f64 = 0;
/** The expected cost as an integer, if it is one. */
export let mostExpected: i32 = 0;
let ties: i32 = 0;

/** The cost of the best solution, with which every move is compared, and the current iteration. */
let best: f64 = 0;
let now: i32 = 0;
/** Whether more than the simple estimate of the makespan determines a move. */
export let isInvolved: bool = false;
/** Whether moves are tried exactly, because estimates do not cover their cost. */
let triesOut: bool = false;
let byCalendar: bool = false;
/** All moves are tried. */
const EVERY: i32 = -1;
/** Whether moves are ranked by their costs from estimates for all jobs. */
let estimates: bool = false;
/** The number of moves, ranked by estimates, that are tried; 0 if the estimates decide. */
let mostTried: i32 = EVERY;
/** Whether only the moves on the shortlist are tried, and the weight of the late operation. */
let shortlists: bool = false;
let lateness: f64 = 1;
/** The limit of moves on the shortlists of an iteration. */
const MAX_LISTED = 256;
/** Forbidden moves, in pairs: the operation that moves, and its goal. */
let forbidden = new StaticArray<i32>(0);
let forbiddenCount: i32 = 0;

export function allocateMoves(n: i32): void {
  forbidden = roomFor(8 * n + 2 * MAX_LISTED);
}

/**
 * Sets how many moves of an iteration, the most promising ones, are tried if estimates of the makespan do not suffice;
 * 0 to trust the estimates for all jobs, −1 for every move.
 */
export function configureTrials(most: i32): void {
  mostTried = most;
}

/** Clears all moves. */
export function clearMoves(current: f64, bestCost: f64, iteration: i32): void {
  expected = f64.MAX_VALUE;
  mostExpected = i32.MAX_VALUE;
  mover = -1;
  forbiddenCount = 0;
  best = bestCost;
  now = iteration;
  triesOut = needsTrials();
  byCalendar = hasDowntimes();
  isInvolved = triesOut || byCalendar || repairs;
  const mayRank = triesOut && earlyPrice === 0;
  // Estimates ignore downtimes, so moves that keep a limit might never be on the shortlist.
  const misjudges = byCalendar && current >= BROKEN;
  const isPlain = mayRank && mostTried !== EVERY && !isTied(current) && !misjudges;
  estimates = isPlain && hasJobTails();
  shortlists = (repairs ? mayRank : isPlain) && !estimates;
}

/**
 * Opens another critical path for moves.
 *
 * @param first the operation at its beginning
 * @param late the operation that ends too late, at the end of the path
 */
export function openPath(first: i32, late: i32): void {
  if (estimates) {
    openTails(first);
    openList(mostTried);
  }
  if (!shortlists) return;
  lateness = weightOf(late);
  openShortlist(late);
}

/** Whether there is any move, forbidden or not. */
export function hasMove(): bool {
  return mover >= 0 || forbiddenCount > 0;
}

/** Closes the path, and returns how many moves were tried for it, or could have been in the same time. */
export function closePath(): i32 {
  const passes = estimates ? passesOfWork() : 0;
  countTrials(passes);
  if (!estimates && !shortlists) return 0;
  considerShortlist();
  return length + passes;
}

/**
 * Considers moving u right after v, which comes later in its block. If the rest of v exceeds that of the job successor
 * of u, no path leads from that successor to v, and the move closes no cycle.
 */
export function considerAfter(u: i32, v: i32): void {
  if (isInvolved) {
    considerInvolvedAfter(u, v);
    return;
  }
  if (mayCloseCycleAfter(u, v)) return;
  if (<f64>leastAfter(u, v) > expected) return;
  considerEstimatedAfter(u, v);
}

/** Considers a move that closes no cycle, where the estimate of the makespan alone decides. */
export function considerEstimatedAfter(u: i32, v: i32): void {
  consider(u, v, <f64>estimateAfterUpTo(u, v, mostExpected), true);
}

/**
 * Considers moving v right before u, which comes earlier in its block. If the job predecessor of v starts before u
 * ends, no path leads from u to that predecessor, and the move closes no cycle.
 */
export function considerBefore(v: i32, u: i32): void {
  if (isInvolved) {
    considerInvolvedBefore(v, u);
    return;
  }
  if (mayCloseCycleBefore(v, u)) return;
  if (<f64>leastBefore(v, u) > expected) return;
  considerEstimatedBefore(v, u);
}

/** The same as {@link considerEstimatedAfter}, for moving v right before u. */
export function considerEstimatedBefore(v: i32, u: i32): void {
  consider(v, u, <f64>estimateBeforeUpTo(v, u, mostExpected), false);
}

function considerInvolvedAfter(u: i32, v: i32): void {
  if (estimates) {
    if (mayCloseCycleAfterByHeads(u, v)) return;
    const places = repairs ? penaltyAfter(u, v) : 0;
    rank(u, v, costAfter(u, v, (mostTried > 0 ? rankToBeat() : expected) - places) + places, true);
    return;
  }
  let value: f64;
  if (shortlists) {
    shortlist(u, v, <f64>estimateAfter(u, v) * lateness + delayAfter(u, v) + penaltyAfter(u, v));
    return;
  }
  if (triesOut) value = tryAfter(u, v, expected);
  else if (byCalendar) {
    if (mayCloseCycleAfterByCalendar(u, v)) return;
    value = <f64>estimateAfterByCalendar(u, v);
  } else {
    if (mayCloseCycleAfter(u, v)) return;
    value = <f64>estimateAfter(u, v);
  }
  if (repairs && value < f64.MAX_VALUE) value += penaltyAfter(u, v);
  consider(u, v, value, true);
}

function considerInvolvedBefore(v: i32, u: i32): void {
  if (estimates) {
    if (mayCloseCycleBefore(v, u)) return;
    const places = repairs ? penaltyBefore(v, u) : 0;
    rank(
      v,
      u,
      costBefore(v, u, (mostTried > 0 ? rankToBeat() : expected) - places) + places,
      false,
    );
    return;
  }
  let value: f64;
  if (shortlists) {
    shortlist(v, u, <f64>estimateBefore(v, u) * lateness + delayBefore(v, u) + penaltyBefore(v, u));
    return;
  }
  if (triesOut) value = tryBefore(v, u, expected);
  else if (byCalendar) {
    if (mayCloseCycleBeforeByCalendar(v, u)) return;
    value = <f64>estimateBeforeByCalendar(v, u);
  } else {
    if (mayCloseCycleBefore(v, u)) return;
    value = <f64>estimateBefore(v, u);
  }
  if (repairs && value < f64.MAX_VALUE) value += penaltyBefore(v, u);
  consider(v, u, value, false);
}

/** Considers a move by its estimate, or lists it for a trial if it is among the most promising. */
function rank(moving: i32, other: i32, value: f64, isForward: bool): void {
  if (mostTried === 0) {
    consider(moving, other, value, isForward);
    return;
  }
  if (value >= rankToBeat()) return;
  if (value >= best && isTabu(moving, other, isForward)) noteForbidden(moving, other);
  else shortlist(moving, other, value);
}

function isTabu(moving: i32, other: i32, isForward: bool): bool {
  return isForward ? isTabuAfter(moving, other, now) : isTabuBefore(moving, other, now);
}

function noteForbidden(moving: i32, other: i32): void {
  forbidden[forbiddenCount++] = moving;
  forbidden[forbiddenCount++] = other;
}

/**
 * Selects a move if it is the best so far and not forbidden, or forbidden but better than the best solution. Equally
 * good moves are selected with the same probability.
 */
function consider(moving: i32, other: i32, value: f64, isForward: bool): void {
  if (value > expected || value === f64.MAX_VALUE) return;
  if (value >= best && isTabu(moving, other, isForward)) {
    noteForbidden(moving, other);
    return;
  }
  if (value < expected) ties = 0;
  if (randomBelow(++ties) !== 0) return;
  expected = value;
  if (!isInvolved) mostExpected = <i32>value;
  mover = moving;
  goal = other;
}

/** Tries the moves on the shortlist. */
function considerShortlist(): void {
  for (let i = 0; i < length; i++) {
    const moving = movers[i];
    const other = goals[i];
    const isForward = position[moving] < position[other];
    let value = isForward ? tryAfter(moving, other, expected) : tryBefore(moving, other, expected);
    if (repairs && value < f64.MAX_VALUE) {
      value += isForward ? penaltyAfter(moving, other) : penaltyBefore(moving, other);
    }
    consider(moving, other, value, isForward);
  }
}

/**
 * Makes the best move and forbids the arcs that it removes for `tenure` iterations. If all moves are forbidden, it
 * makes one at random. Returns false if there is no move.
 */
export function makeBestMove(tenure: i32): bool {
  if (mover < 0) {
    if (forbiddenCount === 0) return false;
    const drawn = 2 * randomBelow(forbiddenCount >> 1);
    mover = forbidden[drawn];
    goal = forbidden[drawn + 1];
  }
  forgetTails(max(position[mover], position[goal]));
  if (position[mover] < position[goal]) {
    forbidAfter(mover, goal, now + tenure);
    if (repairs) noteAfter(mover, goal);
    moveAfter(mover, goal);
  } else {
    forbidBefore(mover, goal, now + tenure);
    if (repairs) noteBefore(mover, goal);
    moveBefore(mover, goal);
  }
  return true;
}
