import { estimateAfter, estimateBefore } from './estimate';
import {
  duration,
  end,
  frozenEnd,
  jobPredecessor,
  jobSuccessor,
  last,
  loadOrder,
  machine,
  machinePredecessor,
  makespan,
  moveAfter,
  moveBefore,
  operations,
  order,
  position,
  release,
  rest,
} from './graph';
import { random, randomBelow } from './random';
import { clearTabu, forbidAfter, forbidBefore, isTabuAfter, isTabuBefore } from './tabu';

/** The best order since the search was started. */
export let bestOrder = new StaticArray<i32>(0);
let best: i32 = 0;
let current: i32 = 0;
let iteration: i32 = 0;
let improvedAt: i32 = 0;

/** The tenure of a move is drawn from this many iterations … */
let shortestTenure: i32 = 10;
/** … to this many more. */
let tenureSpread: i32 = 4;
let neighbourhood: i32 = 6;

/** A critical path, from `pathStart` to the end of the array. */
let path = new StaticArray<i32>(0);
let pathStart: i32 = 0;
/** Whether the path begins with an operation that waits for nothing, not even its release. */
let startsAtZero: bool = true;

/** Forbidden moves of the current iteration, in pairs: the operation that moves, and its goal. */
let forbidden = new StaticArray<i32>(0);
let forbiddenCount: i32 = 0;

/** The best move of the current iteration: `mover` goes to the other side of `goal`. */
let mover: i32 = 0;
let goal: i32 = 0;
let estimate: i32 = 0;
let ties: i32 = 0;

export function allocateSearch(n: i32): void {
  bestOrder = new StaticArray<i32>(n);
  path = new StaticArray<i32>(n);
  forbidden = new StaticArray<i32>(8 * n);
}

/** Sets the neighbourhood (5, 6 or 7) and the tenure: from `shortest`, up to `spread` more. */
export function configure(hood: i32, shortest: i32, spread: i32): void {
  neighbourhood = hood;
  shortestTenure = shortest;
  tenureSpread = spread;
}

/** Starts a search from the machine orders in `order`. */
export function start(): void {
  loadOrder();
  clearTabu();
  iteration = 0;
  improvedAt = 0;
  current = makespan();
  keepBest();
}

/** The makespan of `bestOrder`. */
export function bestMakespan(): i32 {
  return best;
}

/** Iterations since the start. */
export function iterations(): i32 {
  return iteration;
}

/**
 * Goes on for at most `steps` iterations; less if the target is met, `cutoff` iterations brought
 * nothing, or the critical path leaves no move. Returns whether the search may go on.
 */
export function search(steps: i32, cutoff: i32, target: i32): bool {
  for (const stop = iteration + steps; iteration < stop; ) {
    if (best <= target || iteration - improvedAt >= cutoff) return false;
    iteration++;
    findCriticalPath();
    if (!chooseMove()) return false;
    makeMove();
    current = makespan();
    if (current < best) keepBest();
  }
  return best > target && iteration - improvedAt < cutoff;
}

function keepBest(): void {
  best = current;
  improvedAt = iteration;
  memory.copy(changetype<usize>(bestOrder), changetype<usize>(order), operations << 2);
}

/** Follows binding predecessors back from an operation that ends last; ties are drawn. */
function findCriticalPath(): void {
  let choices = 0;
  let op = operations;
  for (let j = 0; j < last.length; j++) {
    const one = last[j];
    if (end[one] === current && randomBelow(++choices) === 0) op = one;
  }
  pathStart = operations;
  while (op < operations) {
    path[--pathStart] = op;
    const a = jobPredecessor[op];
    const b = machinePredecessor[op];
    const viaJob = end[a];
    const viaMachine = end[b];
    const ready = max(viaJob, viaMachine);
    if (ready === 0 || ready < release[op]) {
      startsAtZero = release[op] === 0;
      break;
    }
    if (viaJob === viaMachine) op = (random() & 1) === 0 ? a : b;
    else op = viaJob > viaMachine ? a : b;
  }
}

/** Looks at the neighbourhood of every block of the critical path; false if there is no move. */
function chooseMove(): bool {
  estimate = i32.MAX_VALUE;
  mover = -1;
  forbiddenCount = 0;
  for (let i = pathStart; i < operations; ) {
    let stop = i + 1;
    const k = machine[path[i]];
    while (
      stop < operations &&
      machine[path[stop]] === k &&
      machinePredecessor[path[stop]] === path[stop - 1]
    ) {
      stop++;
    }
    // What has started already stays where it is.
    let first = i;
    while (first < stop && frozenEnd[path[first]] > 0) first++;
    const isFirst = first === pathStart && startsAtZero;
    if (stop - first >= 2) considerBlock(first, stop - 1, isFirst, stop === operations);
    i = stop;
  }
  if (mover >= 0) return true;
  if (forbiddenCount === 0) return false;
  // Everything is forbidden: one of them all the same.
  const drawn = 2 * randomBelow(forbiddenCount >> 1);
  mover = forbidden[drawn];
  goal = forbidden[drawn + 1];
  return true;
}

/**
 * The moves of a block. N5 (Nowicki and Smutnicki 1996, doi:10.1287/mnsc.42.6.797) swaps its first
 * two and its last two operations. N6 (Balas and Vazacopoulos 1998) moves every operation to its
 * front and to its end. N7 (Zhang et al. 2007, doi:10.1016/j.cor.2005.12.002) moves its first and
 * its last operation inside as well. Nothing is won at the front of the first block and at the end
 * of the last one.
 */
function considerBlock(first: i32, final: i32, isFirst: bool, isLast: bool): void {
  const u = path[first];
  const v = path[final];
  if (final - first === 1) {
    consider(u, v);
    return;
  }
  if (neighbourhood === 5) {
    if (!isFirst) consider(u, path[first + 1]);
    if (!isLast) consider(path[final - 1], v);
    return;
  }
  if (!isLast) for (let i = first; i < final; i++) considerAfter(path[i], v);
  if (!isFirst) for (let i = first + 1; i <= final; i++) considerBefore(path[i], u);
  if (neighbourhood >= 7) {
    for (let i = first + 1; i < final; i++) considerAfter(u, path[i]);
    for (let i = final - 1; i > first; i--) considerBefore(v, path[i]);
  }
}

/** No path leads from the job successor of u to v, if v has more to come than that has behind it. */
function considerAfter(u: i32, v: i32): void {
  const next = jobSuccessor[u];
  if (rest[v] > rest[next] - duration[next]) consider(u, v);
}

/** No path leads from u to the job predecessor of v, if that starts before u ends. */
function considerBefore(v: i32, u: i32): void {
  const before = jobPredecessor[v];
  if (end[u] > end[before] - duration[before]) consider(v, u);
}

/** Takes a move if it is the best so far and not forbidden, or forbidden but better than all. */
function consider(moving: i32, other: i32): void {
  const isForward = position[moving] < position[other];
  const value = isForward ? estimateAfter(moving, other) : estimateBefore(moving, other);
  if (value > estimate) return;
  if (value >= best) {
    const isTabu = isForward
      ? isTabuAfter(moving, other, iteration)
      : isTabuBefore(moving, other, iteration);
    if (isTabu) {
      forbidden[forbiddenCount++] = moving;
      forbidden[forbiddenCount++] = other;
      return;
    }
  }
  if (value < estimate) ties = 0;
  if (randomBelow(++ties) !== 0) return;
  estimate = value;
  mover = moving;
  goal = other;
}

/** Makes the chosen move and forbids the arcs that it takes away. */
function makeMove(): void {
  const time = iteration + shortestTenure + randomBelow(tenureSpread + 1);
  if (position[mover] < position[goal]) {
    forbidAfter(mover, goal, time);
    moveAfter(mover, goal);
  } else {
    forbidBefore(mover, goal, time);
    moveBefore(mover, goal);
  }
}
