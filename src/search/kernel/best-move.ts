// The moves that are looked at in one iteration, and the best of them; ties are broken at random
// (`consider`). A move takes an operation of a critical block to the other side of another one of
// the same block.
import { hasDowntimes } from './calendar';
import {
  estimateAfterByCalendar,
  estimateBeforeByCalendar,
  mayCloseCycleAfterByCalendar,
  mayCloseCycleBeforeByCalendar,
} from './calendar-estimate';
import { earlyPrice } from './earliness';
import { estimateAfter, estimateAfterUpTo, estimateBefore, estimateBeforeUpTo } from './estimate';
import {
  duration,
  end,
  jobPredecessor,
  jobSuccessor,
  machinePredecessor,
  machineSuccessor,
  moveAfter,
  moveBefore,
  position,
  release,
  rest,
  saveEnds,
  takeBackAfter,
  takeBackBefore,
} from './graph';
import { costUpTo, needsTrials } from './objective';
import { randomBelow } from './random';
import { roomFor } from './room';
import {
  delayAfter,
  delayBefore,
  goals,
  length,
  movers,
  openShortlist,
  shortlist,
  weightOf,
} from './shortlist';
import { noteAfter, noteBefore, penaltyAfter, penaltyBefore, repairs } from './stability';
import { forbidAfter, forbidBefore, isTabuAfter, isTabuBefore } from './tabu-list';

/** The best move: `mover` goes to the other side of `goal`; −1 if there is none. */
let mover: i32 = -1;
let goal: i32 = -1;
/** The expected cost of the best move, and how many moves of this cost were seen. */
let expected: f64 = 0;
/** The same as a whole number, where it is one. */
export let mostExpected: i32 = 0;
let ties: i32 = 0;

/** The cost of the best solution, which every move is compared with, and the iteration. */
let best: f64 = 0;
let now: i32 = 0;
/** Whether there is more to a move than the simple estimate of the makespan after it. */
export let isInvolved: bool = false;
/** Whether moves are tried out, because estimates do not know what they cost. */
let triesOut: bool = false;
let byCalendar: bool = false;
/** Whether only the moves on the shortlist are tried out, and the weight of what ends too late. */
let shortlists: bool = false;
let lateness: f64 = 1;
/** Moves that were tried out since `clearTrials`. */
export let trials: i32 = 0;

/** Moves on the shortlists of an iteration, at most. */
const MOST_LISTED = 256;
/** Forbidden moves, in pairs: the operation that moves, and its goal. */
let forbidden = new StaticArray<i32>(0);
let forbiddenCount: i32 = 0;

export function allocateMoves(n: i32): void {
  forbidden = roomFor(8 * n + 2 * MOST_LISTED);
}

/** Begins to count anew what is tried out. */
export function clearTrials(): void {
  trials = 0;
}

/** Forgets all moves. */
export function clearMoves(bestCost: f64, iteration: i32): void {
  expected = f64.MAX_VALUE;
  mostExpected = i32.MAX_VALUE;
  mover = -1;
  forbiddenCount = 0;
  best = bestCost;
  now = iteration;
  triesOut = needsTrials();
  byCalendar = hasDowntimes();
  isInvolved = triesOut || byCalendar || repairs;
  shortlists = repairs && triesOut && earlyPrice === 0;
}

/**
 * Begins to look at the moves of another critical path.
 *
 * @param late the operation that ends too late, at the end of the path
 */
export function openPath(late: i32): void {
  if (!shortlists) return;
  lateness = weightOf(late);
  openShortlist(late);
}

/** Whether there is any move, be it a forbidden one. */
export function hasMove(): bool {
  return mover >= 0 || forbiddenCount > 0;
}

/** Ends it, and returns how many moves were tried out for it. */
export function closePath(): i32 {
  if (!shortlists) return 0;
  considerShortlist();
  return length;
}

/**
 * Looks at moving u right after v, which comes later in its block. No path leads from the job
 * successor of u to v, which would close a cycle, if v has more to come than that has behind it.
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

/** Looks at a move that closes no cycle, where the estimate of the makespan is all there is to it. */
export function considerEstimatedAfter(u: i32, v: i32): void {
  consider(u, v, <f64>estimateAfterUpTo(u, v, mostExpected), true);
}

/**
 * Looks at moving v right before u, which comes earlier in its block. No path leads from u to the
 * job predecessor of v, which would close a cycle, if that starts before u ends.
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

/** The same for moving v right before u. */
export function considerEstimatedBefore(v: i32, u: i32): void {
  consider(v, u, <f64>estimateBeforeUpTo(v, u, mostExpected), false);
}

function mayCloseCycleAfter(u: i32, v: i32): bool {
  const next = jobSuccessor[u];
  return next === v || rest[v] <= rest[next] - duration[next];
}

function mayCloseCycleBefore(v: i32, u: i32): bool {
  const before = jobPredecessor[v];
  return before === u || end[u] <= end[before] - duration[before];
}

function considerInvolvedAfter(u: i32, v: i32): void {
  let value: f64;
  if (shortlists) {
    shortlist(u, v, <f64>estimateAfter(u, v) * lateness + delayAfter(u, v) + penaltyAfter(u, v));
    return;
  }
  if (triesOut) value = tryAfter(u, v);
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
  let value: f64;
  if (shortlists) {
    shortlist(v, u, <f64>estimateBefore(v, u) * lateness + delayBefore(v, u) + penaltyBefore(v, u));
    return;
  }
  if (triesOut) value = tryBefore(v, u);
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

/** A lower bound on the estimate: u waits for all of its block up to v, which follow each other. */
function leastAfter(u: i32, v: i32): i32 {
  const head = end[machinePredecessor[u]] + end[v] - end[u];
  return head + duration[u] + max(rest[jobSuccessor[u]], rest[machineSuccessor[v]]);
}

/** A lower bound on the estimate: behind v comes all of its block from u on. */
function leastBefore(v: i32, u: i32): i32 {
  const head = max(max(end[jobPredecessor[v]], end[machinePredecessor[u]]), release[v]);
  return head + (end[v] - end[u]) + duration[u] + rest[machineSuccessor[v]];
}

/** The cost after moving u right after v; the largest number there is if that closes a cycle. */
function tryAfter(u: i32, v: i32): f64 {
  const following = machineSuccessor[u];
  trials++;
  saveEnds();
  if (!moveAfter(u, v)) return f64.MAX_VALUE;
  const value = costUpTo(expected);
  takeBackAfter(u, following);
  return value;
}

/** The cost after moving v right before u; the largest number there is if that closes a cycle. */
function tryBefore(v: i32, u: i32): f64 {
  const preceding = machinePredecessor[v];
  trials++;
  saveEnds();
  if (!moveBefore(v, u)) return f64.MAX_VALUE;
  const value = costUpTo(expected);
  takeBackBefore(v, preceding);
  return value;
}

/**
 * Takes a move if it is the best so far and not forbidden, or forbidden but better than all. Of
 * equally good ones each is taken with the same probability.
 */
function consider(moving: i32, other: i32, value: f64, isForward: bool): void {
  if (value > expected || value === f64.MAX_VALUE) return;
  if (value >= best) {
    const isTabu = isForward ? isTabuAfter(moving, other, now) : isTabuBefore(moving, other, now);
    if (isTabu) {
      forbidden[forbiddenCount++] = moving;
      forbidden[forbiddenCount++] = other;
      return;
    }
  }
  if (value < expected) ties = 0;
  if (randomBelow(++ties) !== 0) return;
  expected = value;
  if (!isInvolved) mostExpected = <i32>value;
  mover = moving;
  goal = other;
}

/** Tries out the moves on the shortlist. */
function considerShortlist(): void {
  for (let i = 0; i < length; i++) {
    const moving = movers[i];
    const other = goals[i];
    const isForward = position[moving] < position[other];
    let value = isForward ? tryAfter(moving, other) : tryBefore(moving, other);
    if (value < f64.MAX_VALUE) {
      value += isForward ? penaltyAfter(moving, other) : penaltyBefore(moving, other);
    }
    consider(moving, other, value, isForward);
  }
}

/**
 * Makes the best move and forbids the arcs that it takes away for so many iterations. Of forbidden
 * moves only, one at random. False if there is none.
 */
export function makeBestMove(tenure: i32): bool {
  if (mover < 0) {
    if (forbiddenCount === 0) return false;
    const drawn = 2 * randomBelow(forbiddenCount >> 1);
    mover = forbidden[drawn];
    goal = forbidden[drawn + 1];
  }
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
