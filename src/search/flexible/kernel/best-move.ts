// The best reinsertion of an operation of the critical path: on any machine, in any mode.
//
// Without the operation v, heads and tails of all others are computed exactly. If v is then inserted between neighbours
// x and y, the longest path through v follows from the end of x, the tail of y and the neighbours in its job, and the
// makespan is the longer of that path and the makespan without v. Of all places on a machine those are examined that
// close no cycle for certain: behind everything that cannot follow v and before everything that cannot precede it. The
// best place is among them (Mastrolilli and Gambardella 2000, doi:10.1002/(SICI)1099-1425(200001/02)3:1<3::AID-JOS32>3.0.CO;2-Y).
// With setups the path is an estimate, because the neighbours' setups change, too.
import { randomBelow } from '../../kernel/random';
import {
  duration,
  end,
  fixedLength,
  latestOf,
  machine,
  mode,
  place,
  position,
  reinsert,
  relink,
  rest,
  sequence,
  sequenceLength,
  sequenceOffset,
  timeAgain,
  unlink,
} from './graph';
import { arrivalAt, behindFrom, passEnds, passRests, startAfter } from './passes';
import { firstThatEndsAfter, firstWithRestUpTo } from './places';
import {
  fixed,
  hasSetups,
  isSimple,
  modeDuration,
  modeMachine,
  modeOffset,
  operations,
  pred,
  predOffset,
  setupBetween,
  succ,
  succOffset,
} from './shop';
import { forbidMode, forbidPlace, isTabuMode, isTabuPlace } from './tabu-list';

/** Ends and rests without the operation under consideration, and the makespan then. */
let ends = new StaticArray<i32>(0);
let rests = new StaticArray<i32>(0);
let without: i32 = 0;

let mover: i32 = -1;
let chosenMode: i32 = 0;
let chosenPlace: i32 = 0;
let expected: i32 = i32.MAX_VALUE;
let through: i32 = i32.MAX_VALUE;
let ties: i32 = 0;
let forbidden: i32 = 0;
let forbiddenMover: i32 = 0;
let forbiddenMode: i32 = 0;
let forbiddenPlace: i32 = 0;
let best: i32 = 0;
let now: i32 = 0;

export function allocateMoves(n: i32): void {
  ends = new StaticArray<i32>(n + 1);
  rests = new StaticArray<i32>(n + 1);
}

/** Clears all moves. */
export function clearMoves(bestSoFar: i32, iteration: i32): void {
  mover = -1;
  expected = i32.MAX_VALUE;
  through = i32.MAX_VALUE;
  ties = 0;
  forbidden = 0;
  best = bestSoFar;
  now = iteration;
}

/** Whether a move has been found that is not forbidden. */
export function hasMove(): bool {
  return mover >= 0;
}

/** Considers all moves of an operation. */
export function considerMoves(v: i32): void {
  if (fixed[v] || duration[v] === 0) return;
  const size = (operations + 1) << 2;
  const own = duration[v];
  unlink(v);
  duration[v] = 0;
  memory.copy(changetype<usize>(ends), changetype<usize>(end), size);
  passEnds(ends, position[v]);
  without = latestOf(ends);
  if (without <= expected) {
    memory.copy(changetype<usize>(rests), changetype<usize>(rest), size);
    passRests(rests, hasSetups ? operations - 1 : position[v]);
    for (let i = modeOffset[v]; i < modeOffset[v + 1]; i++) considerMode(v, i);
  }
  duration[v] = own;
  relink(v);
}

/** Considers a mode of an operation, in all promising places. */
function considerMode(v: i32, chosen: i32): void {
  const k = modeMachine[chosen];
  const p = modeDuration[chosen];
  const base = sequenceOffset[k];
  const isOwn = k === machine[v];
  const own = isOwn ? place[v] : i32.MAX_VALUE;
  const length = sequenceLength[k] - <i32>isOwn;
  let done = 0;
  for (let e = predOffset[v]; e < predOffset[v + 1]; e++) done = max(done, ends[pred[e]]);
  let behind = 0;
  for (let e = succOffset[v]; e < succOffset[v + 1]; e++) behind = max(behind, rests[succ[e]]);
  const shortest = done + p + behind;
  if (shortest > expected) return;
  // The operations before this place cannot follow v, …
  const a = firstThatEndsAfter(ends, done, base, own, fixedLength[k], length);
  // … and those from this one on cannot precede it.
  const b = firstWithRestUpTo(rests, behind, base, own, fixedLength[k], length);
  let from = min(a, b);
  let to = max(a, b);
  const arrival = isSimple ? done : arrivalAt(v, k, ends);
  const tail = isSimple ? behind : behindFrom(v, k, rests);
  if (!hasSetups && a >= b) from = to = from + randomBelow(to - from + 1);
  for (let at = from; at <= to; at++) {
    if (at === own && chosen === mode[v]) continue;
    const x = at > 0 ? sequence[base + at - 1 + <i32>(at - 1 >= own)] : operations;
    const y = at < length ? sequence[base + at + <i32>(at >= own)] : operations;
    let head = max(arrival, ends[x]);
    let following = rests[y];
    if (hasSetups) {
      head = startAfter(k, arrival, ends[x], setupBetween(k, x, v));
      following += setupBetween(k, v, y);
    }
    consider(v, chosen, at, head + p + max(tail, following), isOwn);
  }
}

/** Selects a move if it is the best so far and not forbidden, or forbidden but better than the best solution. */
function consider(v: i32, chosen: i32, at: i32, longest: i32, isOwn: bool): void {
  const value = max(longest, without);
  if (value > expected) return;
  if (value === expected && longest > through) return;
  if (value >= best) {
    const isTabu =
      isOwn && chosen === mode[v] ? isTabuPlace(v, at, now) : isTabuMode(v, chosen, now);
    if (isTabu) {
      if (randomBelow(++forbidden) === 0) {
        forbiddenMover = v;
        forbiddenMode = chosen;
        forbiddenPlace = at;
      }
      return;
    }
  }
  if (value < expected || longest < through) ties = 0;
  if (randomBelow(++ties) !== 0) return;
  expected = value;
  through = longest;
  mover = v;
  chosenMode = chosen;
  chosenPlace = at;
}

/**
 * Makes the best move and forbids to undo it. If all moves are forbidden, it makes one at random. Returns false if there
 * is no move.
 */
export function makeBestMove(tenure: i32): bool {
  if (mover < 0) {
    if (forbidden === 0) return false;
    mover = forbiddenMover;
    chosenMode = forbiddenMode;
    chosenPlace = forbiddenPlace;
  }
  if (chosenMode === mode[mover]) forbidPlace(mover, chosenPlace, now + tenure);
  else forbidMode(mover, mode[mover], now, tenure);
  reinsert(mover, chosenMode, chosenPlace);
  timeAgain();
  return true;
}
