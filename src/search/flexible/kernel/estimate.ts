// Estimates of moves from the current heads and tails, without the passes over all operations that exact values take.
//
// They choose the operations whose moves are worth an exact look. What follows the operation, and what precedes it, is
// estimated as it is now; on its own machine it is estimated without the operation's duration.
import { randomBelow } from '../../kernel/random';
import {
  duration,
  end,
  fixedLength,
  machine,
  mode,
  place,
  rest,
  sequence,
  sequenceLength,
  sequenceOffset,
} from './graph';
import { arrivalAt, behindFrom, startAfter } from './passes';
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
import { isTabuMode, isTabuPlace } from './tabu-list';

/** The least estimate of the operation under consideration so far; only lower ones count. */
let least: i32 = 0;

/**
 * The estimated longest path through an operation after its best move that is not forbidden; the greatest integer if no
 * move is below a limit.
 */
export function estimateMoves(v: i32, limit: i32, best: i32, now: i32): i32 {
  if (fixed[v] || duration[v] === 0) return i32.MAX_VALUE;
  let done = 0;
  for (let e = predOffset[v]; e < predOffset[v + 1]; e++) done = max(done, end[pred[e]]);
  let behind = 0;
  for (let e = succOffset[v]; e < succOffset[v + 1]; e++) behind = max(behind, rest[succ[e]]);
  least = limit;
  for (let i = modeOffset[v]; i < modeOffset[v + 1]; i++) {
    // No place in this mode makes the path shorter than that.
    const shortest = done + modeDuration[i] + behind;
    if (shortest >= least) continue;
    const isTabu = i !== mode[v] && isTabuMode(v, i, now);
    if (!isTabu || shortest < best) estimateMode(v, i, done, behind, isTabu, best, now);
  }
  return least < limit ? least : i32.MAX_VALUE;
}

function estimateMode(
  v: i32,
  chosen: i32,
  done: i32,
  behind: i32,
  isTabu: bool,
  best: i32,
  now: i32,
): void {
  const k = modeMachine[chosen];
  const p = modeDuration[chosen];
  const base = sequenceOffset[k];
  const isOwn = k === machine[v];
  const isSame = chosen === mode[v];
  const own = isOwn ? place[v] : i32.MAX_VALUE;
  const length = sequenceLength[k] - <i32>isOwn;
  const a = firstThatEndsAfter(end, done, base, own, fixedLength[k], length);
  const b = firstWithRestUpTo(rest, behind, base, own, fixedLength[k], length);
  let from = min(a, b);
  let to = max(a, b);
  const arrival = isSimple ? done : arrivalAt(v, k, end);
  const tail = isSimple ? behind : behindFrom(v, k, rest);
  if (!hasSetups && a >= b) from = to = from + randomBelow(to - from + 1);
  for (let at = from; at <= to; at++) {
    if (at === own && isSame) continue;
    const x = at > 0 ? sequence[base + at - 1 + <i32>(at - 1 >= own)] : operations;
    const y = at < length ? sequence[base + at + <i32>(at >= own)] : operations;
    const ready = end[x] - (at > own ? duration[v] : 0);
    let following = rest[y] - (at < own && isOwn ? duration[v] : 0);
    let head = max(arrival, ready);
    if (hasSetups) {
      head = startAfter(k, arrival, ready, setupBetween(k, x, v));
      following += setupBetween(k, v, y);
    }
    const value = head + p + max(tail, following);
    if (value >= least) continue;
    if (value >= best && (isTabu || (isSame && isTabuPlace(v, at, now)))) continue;
    least = value;
  }
}
