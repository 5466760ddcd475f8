// The moves of an iteration that promise most, where estimates cannot tell what a move costs: each would
// have to be tried out, so only a few are. They are ranked by when the operation that ends too late would be
// done, from heads and from the longest paths to it, which take one pass over what comes before it, and by
// how much later the jobs of what is put off are done at least. The rest is seen when a move is tried out.
import {
  duration,
  end,
  jobSuccessor,
  machinePredecessor,
  machineSuccessor,
  operations,
  order,
  position,
  rest,
} from './graph';
import { watched, watchedDue, watchedWeight } from './objective';

/** Moves that are kept, at most: more are rarely worth the time of trying them out. */
const LONGEST = 6;
/** Room for as many. */
const ROOM = 16;
let longest: i32 = LONGEST;

/** Moves by their rank, the best first: the operation that moves, and the one that it passes last. */
export let movers = new StaticArray<i32>(0);
export let goals = new StaticArray<i32>(0);
export let length: i32 = 0;
let ranks = new StaticArray<f64>(0);

/** Durations of what comes after an operation in its job, its last operation, … */
let left = new StaticArray<i32>(0);
let lastOf = new StaticArray<i32>(0);
/** … and of that, if it is watched, the time by which it should be done, and the weight; else 0. */
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

/** Takes note of what operations have to come after them in their jobs. */
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

/** The cost of the job of an operation that ends so much later, at least. */
function lateJobCost(op: i32, by: i32): f64 {
  const last = lastOf[op];
  const weight = costOf[last];
  if (weight === 0) return 0;
  const onTime = max(end[last], dueOf[last]);
  const late: i32 = max(0, end[op] + by + left[op] - onTime);
  return <f64>late * <f64>weight;
}

/** The cost of putting u off until v, which follows it on its machine, is done. */
export function delayAfter(u: i32, v: i32): f64 {
  return lateJobCost(u, end[v] - end[u]);
}

/** The cost of putting all from u on off for v, which follows them on their machine. */
export function delayBefore(v: i32, u: i32): f64 {
  let sum: f64 = 0;
  let op = v;
  do {
    op = machinePredecessor[op];
    sum += lateJobCost(op, duration[v]);
  } while (op !== u);
  return sum;
}

/** The weight of a unit of time by which an operation ends too late; 1 for what is not watched. */
export function weightOf(op: i32): f64 {
  const weight: i32 = max(1, costOf[op]);
  return <f64>weight;
}

/** No path leads there: less than every length of a path. */
const UNREACHABLE: i32 = -(1 << 29);

/**
 * Empties the list, and lets rests be the longest paths to the end of an operation, instead of to the
 * end of all: nobody else asks for rests where moves are tried out.
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

/** Empties the list, which is to keep so many moves, 16 at most. */
export function openList(most: i32): void {
  length = 0;
  longest = min(most, ROOM);
}

/** The rank that a move has to stay below. */
export function rankToBeat(): f64 {
  return length === longest ? ranks[longest - 1] : f64.MAX_VALUE;
}

/** Keeps a move if it is among the best; of equal ones those that came first. */
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
