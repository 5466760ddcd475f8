// Tails to the end of every goal and of the schedule, one lane each, four lanes at a time; and estimates of the cost of a
// move from them (Mati, Dauzère-Pérès and Lahlou 2011, doi:10.1016/j.ejor.2011.01.007). A goal whose critical path leads
// through the moved operation is estimated by the longest path through its new place, or past its old one; any other
// goal ends no earlier than before. With downtimes, the time of an operation begins at the latest start that keeps its
// end.
import { BROKEN } from '../../costs';
import { hasDowntimes, latestStartOf } from '../../kernel/calendar';
import { roomFor } from '../../kernel/room';
import { APART, wayTo } from './goal-tails';
import {
  countsTardiness,
  doneAt,
  goalDeadline,
  goalDue,
  goalOffset,
  goalOp,
  goals,
  goalWeight,
  NEVER,
} from './goals';
import { duration, end, latestOf, machine, machineSuccessor, order } from './graph';
import { last, operations, setupBetween, succ, succOffset } from './shop';

/** The limit of lanes, … */
const MOST_LANES: i32 = 128;
/** … and of entries of all tails: beyond them, computing the tails takes too long. */
const MOST_ENTRIES: i32 = 1 << 20;

/** Lanes in use, a multiple of four: one for each goal, and then that of the whole schedule; 0 if there are too many. */
export let lanes: i32 = 0;
let rowBytes: usize = 0;
/** Rows of lanes: one for each operation, the dummy, and after each last operation. */
let tails = new StaticArray<i32>(0);
/** The row after a last operation; −1 for others. */
let rowAfter = new StaticArray<i32>(0);
/** The end, due date, weight and deadline of each lane. */
let laneEnd = new StaticArray<i32>(0);
let laneDue = new StaticArray<i32>(0);
let laneWeight = new StaticArray<i32>(0);
let laneDeadline = new StaticArray<i32>(0);
let hasDeadlines: bool = false;

export function allocateLanes(n: i32, sinks: i32, count: i32): void {
  const needed = (count + 1 + 3) & ~3;
  const rows = n + 1 + sinks;
  lanes = n > 0 && needed <= MOST_LANES && rows * needed <= MOST_ENTRIES ? needed : 0;
  rowBytes = (<usize>lanes) << 2;
  tails = roomFor(rows * lanes);
  rowAfter = new StaticArray<i32>(n);
  laneEnd = new StaticArray<i32>(lanes);
  laneDue = new StaticArray<i32>(lanes);
  laneWeight = new StaticArray<i32>(lanes);
  laneDeadline = new StaticArray<i32>(lanes);
}

function rowOf(index: i32): usize {
  return changetype<usize>(tails) + <usize>index * rowBytes;
}

/** Reads the goals, before the first tails. */
export function openLanes(): void {
  hasDeadlines = false;
  for (let op = 0; op < operations; op++) rowAfter[op] = -1;
  for (let i = operations * lanes; i < tails.length; i++) tails[i] = APART;
  for (let i = 0; i < last.length; i++) {
    const row = operations + 1 + i;
    rowAfter[last[i]] = row;
    tails[row * lanes + goals] = 0;
  }
  for (let lane = 0; lane < lanes; lane++) {
    const isGoal = lane < goals;
    laneDue[lane] = isGoal ? goalDue[lane] : NEVER;
    laneWeight[lane] = isGoal ? goalWeight[lane] : 0;
    laneDeadline[lane] = isGoal ? goalDeadline[lane] : NEVER;
    laneEnd[lane] = 0;
    if (!isGoal) continue;
    if (goalDeadline[lane] < NEVER) hasDeadlines = true;
    for (let i = goalOffset[lane]; i < goalOffset[lane + 1]; i++) {
      tails[rowAfter[goalOp[i]] * lanes + lane] = 0;
    }
  }
}

/** Computes the tails of the current schedule. */
export function passLanes(): void {
  for (let goal = 0; goal < goals; goal++) laneEnd[goal] = doneAt(goal, end);
  laneEnd[goals] = latestOf(end);
  for (let i = operations - 1; i >= 0; i--) {
    const op = order[i];
    const into = rowOf(op);
    const after = machineSuccessor[op];
    const time = end[op] - latestStart(op);
    const way = time + setupBetween(machine[op], op, after);
    addRow(into, rowOf(after), way);
    if (rowAfter[op] >= 0) maxRow(into, rowOf(rowAfter[op]), time);
    for (let e = succOffset[op], stop = succOffset[op + 1]; e < stop; e++) {
      maxRow(into, rowOf(succ[e]), time + wayTo(succ[e], e, machine[op]));
    }
  }
}

/** The latest start with which an operation ends when it does. */
export function latestStart(op: i32): i32 {
  return hasDowntimes()
    ? latestStartOf(duration[op], machine[op], end[op])
    : end[op] - duration[op];
}

function addRow(into: usize, from: usize, way: i32): void {
  const more = i32x4.splat(way);
  for (let c: usize = 0; c < rowBytes; c += 16) {
    v128.store(into + c, i32x4.add(v128.load(from + c), more));
  }
}

function maxRow(into: usize, from: usize, way: i32): void {
  const more = i32x4.splat(way);
  for (let c: usize = 0; c < rowBytes; c += 16) {
    const path = i32x4.add(v128.load(from + c), more);
    v128.store(into + c, i32x4.max_s(v128.load(into + c), path));
  }
}

/** The ends of all goals by way of the successors of an operation, … */
let behind = new StaticArray<i32>(0);

export function allocateBehind(): void {
  behind = new StaticArray<i32>(lanes);
}

/** … for an operation that ends at 0 on machine k. */
export function passBehind(v: i32, k: i32): void {
  const into = changetype<usize>(behind);
  addRow(into, rowOf(rowAfter[v] >= 0 ? rowAfter[v] : operations), 0);
  for (let e = succOffset[v], stop = succOffset[v + 1]; e < stop; e++) {
    maxRow(into, rowOf(succ[e]), wayTo(succ[e], e, k));
  }
}

/** The estimated end of one goal after a move, as {@link costOfMove} has it. */
export function endOfGoal(lane: i32, finish: i32, y: i32, reached: i32, next: i32, past: i32): i32 {
  const via = max(behind[lane] + finish, tails[y * lanes + lane] + reached);
  return max(via, tails[next * lanes + lane] + past);
}

/**
 * The estimated cost of a move of v, whose successors {@link passBehind} has looked at.
 *
 * @param finish the end of v there, and `reached` the time after it when the operation y behind it may start
 * @param past the time when the operation `next`, which followed it before, may start without it
 */
export function costOfMove(v: i32, finish: i32, y: i32, reached: i32, next: i32, past: i32): f64 {
  const viaJob = changetype<usize>(behind);
  const viaMachine = rowOf(y);
  const without = rowOf(next);
  const own = rowOf(v);
  const start = i32x4.splat(latestStart(v));
  const zero = i32x4.splat(0);
  let tardiness: i64 = 0;
  let excess: i64 = 0;
  let makespan: i32 = 0;
  for (let c: usize = 0; c < rowBytes; c += 16) {
    let ends = i32x4.add(v128.load(viaJob + c), i32x4.splat(finish));
    ends = i32x4.max_s(ends, i32x4.add(v128.load(viaMachine + c), i32x4.splat(reached)));
    ends = i32x4.max_s(ends, i32x4.add(v128.load(without + c), i32x4.splat(past)));
    const before = v128.load(changetype<usize>(laneEnd) + c);
    const isCritical = i32x4.eq(i32x4.add(v128.load(own + c), start), before);
    ends = i32x4.max_s(ends, v128.andnot(before, isCritical));
    if (hasDeadlines) {
      const over = i32x4.sub(ends, v128.load(changetype<usize>(laneDeadline) + c));
      excess += sumOf(i32x4.max_s(over, zero), i32x4.splat(1));
    }
    const late = i32x4.sub(ends, v128.load(changetype<usize>(laneDue) + c));
    const weights = v128.load(changetype<usize>(laneWeight) + c);
    tardiness += sumOf(i32x4.max_s(late, zero), weights);
    if (c === <usize>((goals >> 2) << 4)) makespan = laneAt(ends, goals & 3);
  }
  if (excess > 0) return BROKEN * <f64>excess;
  return countsTardiness ? <f64>tardiness : <f64>makespan;
}

/** The sum of products of four lanes. */
function sumOf(a: v128, b: v128): i64 {
  const two = i64x2.add(i64x2.extmul_low_i32x4_s(a, b), i64x2.extmul_high_i32x4_s(a, b));
  return i64x2.extract_lane(two, 0) + i64x2.extract_lane(two, 1);
}

function laneAt(four: v128, at: i32): i32 {
  if (at === 0) return i32x4.extract_lane(four, 0);
  if (at === 1) return i32x4.extract_lane(four, 1);
  return at === 2 ? i32x4.extract_lane(four, 2) : i32x4.extract_lane(four, 3);
}
