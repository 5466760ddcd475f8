// The most promising moves of an iteration, if estimates do not cover the cost of a move: every move would have to be
// tried, which is too slow, so only a few are. They are ranked by the estimated end of the operation that ends too
// late, and by the minimum delay of the jobs of postponed operations. The estimate uses heads, and the longest paths to
// that operation, which take one pass over its predecessors. The trial determines the exact cost.
import {
  duration,
  jobSuccessor,
  machinePredecessor,
  machineSuccessor,
  operations,
  order,
  position,
} from './graph';
import { watched, watchedDue, watchedWeight } from './objective';
import { end, rest } from './times';

/** The default size of the list: trials of more moves are rarely worth their time. */
const LONGEST = 6;
/** The capacity. */
const ROOM = 16;
let longest: i32 = LONGEST;

/** Moves by their rank, the best first: the operation that moves, and the last one that it passes. */
export let movers = new StaticArray<i32>(0);
export let goals = new StaticArray<i32>(0);
export let length: i32 = 0;
let ranks = new StaticArray<f64>(0);

/** The total duration of the operations after an operation in its job, its last operation, … */
let left = new StaticArray<i32>(0);
let lastOf = new StaticArray<i32>(0);
/** … and for the last one, if it is watched, its due time and weight; otherwise 0. */
let dueOf = new StaticArray<i32>(0);
let costOf = new StaticArray<i32>(0);

export function allocateShortlist(n: i32): void {
  movers = new StaticArray<i32>(ROOM);
  goals = new StaticArray<i32>(ROOM);
  ranks = new StaticArray<f64>(ROOM);
  left = new StaticArray<i32>(n + 1);
  lastOf = new StaticArray<i32>(n + 1);
  dueOf = new StaticArray<i32>(n + 1);
  costOf = new StaticArray<i32>(n + 1);
}

/** Records the remaining work after each operation in its job. */
export function readJobs(): void {
  for (let i = operations - 1; i >= 0; i--) {
    const op = order[i];
    const next = jobSuccessor[op];
    lastOf[op] = next === operations ? op : lastOf[next];
    left[op] = next === operations ? 0 : left[next] + duration[next];
    costOf[op] = 0;
  }
  for (let i = 0; i < watched.length; i++) {
    dueOf[watched[i]] = watchedDue[i];
    costOf[watched[i]] = abs(watchedWeight[i]);
  }
}

/** The minimum cost of the job of an operation if it ends `by` time units later. */
function lateJobCost(op: i32, by: i32): f64 {
  const last = lastOf[op];
  const weight = costOf[last];
  if (weight === 0) return 0;
  const onTime = max(end[last], dueOf[last]);
  const late: i32 = max(0, end[op] + by + left[op] - onTime);
  return <f64>late * <f64>weight;
}

/** The cost of postponing u until v, which follows it on its machine, is done. */
export function delayAfter(u: i32, v: i32): f64 {
  return lateJobCost(u, end[v] - end[u]);
}

/** The cost of postponing the operations from u on until v, which follows them on their machine, is done. */
export function delayBefore(v: i32, u: i32): f64 {
  let sum: f64 = 0;
  let op = v;
  do {
    op = machinePredecessor[op];
    sum += lateJobCost(op, duration[v]);
  } while (op !== u);
  return sum;
}

/** The weight of a unit of time by which an operation ends too late; 1 for unwatched ones. */
export function weightOf(op: i32): f64 {
  const weight: i32 = max(1, costOf[op]);
  return <f64>weight;
}

/** The length if no path exists: less than the length of every path. */
const UNREACHABLE: i32 = -(1 << 29);

/**
 * Empties the list, and sets rests to the longest paths to the end of an operation, instead of to the end of the
 * schedule. That is safe: when moves are tried, no other code uses rests.
 */
export function openShortlist(late: i32): void {
  openList(LONGEST);
  rest[operations] = UNREACHABLE;
  const last = position[late];
  for (let i = operations - 1; i > last; i--) rest[order[i]] = UNREACHABLE;
  rest[late] = duration[late];
  for (let i = last - 1; i >= 0; i--) {
    const op = order[i];
    const behind = max(rest[jobSuccessor[op]], rest[machineSuccessor[op]]);
    rest[op] = behind < 0 ? UNREACHABLE : behind + duration[op];
  }
}

/** Empties the list and sets its size, 16 at most. */
export function openList(most: i32): void {
  length = 0;
  longest = min(most, ROOM);
}

/** A move must rank below this to be kept. */
export function rankToBeat(): f64 {
  return length === longest ? ranks[longest - 1] : f64.MAX_VALUE;
}

/** Adds a move if it is among the best; among equal ones the earlier is kept. */
export function shortlist(mover: i32, goal: i32, rank: f64): void {
  if (rank >= rankToBeat()) return;
  if (length < longest) length++;
  let place = length - 1;
  for (; place > 0 && ranks[place - 1] > rank; place--) {
    ranks[place] = ranks[place - 1];
    movers[place] = movers[place - 1];
    goals[place] = goals[place - 1];
  }
  ranks[place] = rank;
  movers[place] = mover;
  goals[place] = goal;
}
