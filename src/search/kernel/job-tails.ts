// Estimates of the cost of a move if the completions of several goals count, from heads, and from tails to the end of
// every goal (Mati, Dauzère-Pérès and Lahlou 2011, doi:10.1016/j.ejor.2011.01.007, for regular criteria). Tails have a
// lane per goal; four lanes are computed at a time, or eight of 16 bits if times are short.
//
// A goal whose critical path leads through the moved stretch is estimated by the longest path through the stretch after
// the move; one whose critical path avoids it ends no earlier than before. With downtimes, the time of an operation
// begins at the latest start that keeps its end, and downtimes that a delay would meet later are ignored.
import { completionOf, hasDowntimes, latestStartOf } from './calendar';
import {
  addCost,
  allocateGoals,
  clearCost,
  costSoFar,
  goalEnd,
  laneOf,
  lanes,
  readGoalEnds,
  readGoals,
  shortGoalEnd,
} from './goals';
import {
  duration,
  jobPredecessor,
  jobSuccessor,
  machine,
  machinePredecessor,
  machineSuccessor,
  operations,
  order,
  position,
  release,
} from './graph';
import { roomFor } from './room';
import { end, makespan } from './times';

/** The limit of entries of all tails. */
const MAX_ENTRIES: i32 = 1 << 20;
/**
 * Lanes have 16 bits if the makespan is initially below this limit, and until it exceeds one and a half times this
 * limit. A lane can hold twice the limit; larger ends after a move are clamped to that.
 */
const SHORT: i32 = 1 << 14;

/** Whether lanes have 16 bits, and the bytes of a row of lanes. */
let isShort: bool = false;
let rowBytes: usize = 0;
/**
 * A row of lanes for every operation, the dummy, and after every goal: the longest path from the start of an operation
 * to the end of each goal.
 */
let tails = new StaticArray<i32>(0);
/** The row of tails after an operation in its job. */
let nextInJob = new StaticArray<i32>(0);
/** Tails are current from this position of the order on. */
let validFrom: i32 = 0;

/** The moved stretch, last operation first: its end, its time from start to end, and the row after it. */
let stretchEnd = new StaticArray<i32>(0);
let stretchTime = new StaticArray<i32>(0);
let stretchRow = new StaticArray<usize>(0);
/** Vector steps of tails and estimates since the last {@link passesOfWork}. */
let steps: i32 = 0;

export function allocateJobTails(n: i32, jobs: i32, watchedCount: i32): void {
  const mayFit = (n + 1) * (jobs + watchedCount) <= MAX_ENTRIES;
  const room = allocateGoals(n, jobs, mayFit ? watchedCount : 0);
  const size = room === 0 ? 0 : n + 1;
  tails = roomFor((size + room) * room);
  nextInJob = roomFor(size);
  stretchEnd = roomFor(size);
  stretchTime = roomFor(size);
  stretchRow = new StaticArray<usize>(size);
}

/** Records the goals and the loaded order. */
export function startJobTails(): void {
  readGoals();
  steps = 0;
  validFrom = operations;
  if (lanes === 0) return;
  openLanes(makespan() < SHORT);
  for (let op = 0; op < operations; op++) {
    nextInJob[op] = laneOf[op] < 0 ? jobSuccessor[op] : operations + 1 + laneOf[op];
  }
}

/** Selects lanes of 16 or 32 bits, and clears the tails. */
function openLanes(areShort: bool): void {
  isShort = areShort;
  rowBytes = (<usize>lanes) << (isShort ? 1 : 2);
  validFrom = operations;
  if (isShort) clearRow<i16>();
  else clearRow<i32>();
}

/** No path continues from the dummy, so its tails are below those of every path. */
function clearRow<T>(): void {
  const none = sizeof<T>() === 2 ? <T>i16.MIN_VALUE : <T>i32.MIN_VALUE;
  for (let at: usize = 0; at < rowBytes; at += sizeof<T>()) {
    store<T>(rowOf(operations) + at, none);
  }
}

/** Whether there are goals, but not too many. */
export function hasJobTails(): bool {
  return lanes > 0;
}

/** Records that a move changes the order up to a position. */
export function forgetTails(upTo: i32): void {
  validFrom = max(validFrom, upTo + 1);
}

/** Updates ends of goals, and tails of everything from an operation on. */
export function openTails(first: i32): void {
  if (isShort && makespan() >= SHORT + (SHORT >> 1)) openLanes(false);
  readGoalEnds();
  const from = position[first];
  // By calendar, tails depend on ends.
  const byCalendar = hasDowntimes();
  const stop = byCalendar ? operations : validFrom;
  steps += max(0, stop - from) * (lanes >> 3);
  for (let i = stop - 1; i >= from; i--) {
    const op = order[i];
    if (laneOf[op] >= 0) endRow(op);
    const a = rowOf(nextInJob[op]);
    const b = rowOf(machineSuccessor[op]);
    const time = byCalendar ? timeOf(op) : duration[op];
    if (isShort) passTails<i16>(a, b, rowOf(op), time);
    else passTails<i32>(a, b, rowOf(op), time);
  }
  validFrom = min(validFrom, from);
}

/** Computes the tails of an operation from the rows after it. */
function passTails<T>(a: usize, b: usize, to: usize, time: i32): void {
  const times = v128.splat<T>(<T>time);
  for (let c: usize = 0; c < rowBytes; c += 16) {
    v128.store(to + c, plus<T>(v128.max<T>(v128.load(a + c), v128.load(b + c)), times));
  }
}

/** Sums, saturated in lanes of 16 bits. */
function plus<T>(a: v128, b: v128): v128 {
  return sizeof<T>() === 2 ? i16x8.add_sat_s(a, b) : i32x4.add(a, b);
}

/** The row after a goal in its job, and its own end. */
function endRow(op: i32): void {
  const to = rowOf(nextInJob[op]);
  memory.copy(to, rowOf(jobSuccessor[op]), rowBytes);
  if (isShort) store<i16>(to + ((<usize>laneOf[op]) << 1), 0);
  else store<i32>(to + ((<usize>laneOf[op]) << 2), 0);
}

/** The time from the latest start that keeps the end of an operation, to that end. */
function timeOf(op: i32): i32 {
  return end[op] - latestStartOf(duration[op], machine[op], end[op]);
}

function rowOf(row: i32): usize {
  return changetype<usize>(tails) + <usize>row * rowBytes;
}

/** The estimate for moving u right after v. If it exceeds `most`, the result may be any lower bound above `most`. */
export function costAfter(u: i32, v: i32, most: f64): f64 {
  const length = lengthOf(u, v);
  let ready = end[machinePredecessor[u]];
  let op = u;
  for (let i = length - 1; i > 0; i--) {
    op = machineSuccessor[op];
    ready = note(i, op, ready);
  }
  note(0, u, ready);
  return costOfStretch(length, u, v, most);
}

/** The estimate for moving v right before u. If it exceeds `most`, the result may be any lower bound above `most`. */
export function costBefore(v: i32, u: i32, most: f64): f64 {
  const length = lengthOf(u, v);
  let ready = note(length - 1, v, end[machinePredecessor[u]]);
  let op = u;
  for (let i = length - 2; i >= 0; i--) {
    ready = note(i, op, ready);
    op = machineSuccessor[op];
  }
  return costOfStretch(length, u, v, most);
}

function lengthOf(u: i32, v: i32): i32 {
  let length = 1;
  for (let op = u; op !== v; op = machineSuccessor[op]) length++;
  return length;
}

/** Records an operation of the stretch whose machine is free at `ready`, and returns its end. */
function note(place: i32, op: i32, ready: i32): i32 {
  const start = max(max(end[jobPredecessor[op]], ready), release[op]);
  const time = duration[op];
  const done = hasDowntimes() ? completionOf(time, machine[op], start) : start + time;
  stretchEnd[place] = isShort ? min(done, <i32>i16.MAX_VALUE) : done;
  stretchTime[place] = time;
  stretchRow[place] = rowOf(nextInJob[op]);
  return done;
}

/** The cost with the recorded order of the stretch from u to v. */
function costOfStretch(length: i32, u: i32, v: i32, most: f64): f64 {
  clearCost();
  for (let lane = 0; lane < lanes && costSoFar() <= most; ) {
    steps += length;
    if (isShort) {
      const ends = endsOf<i16>(lane, length, u, v);
      addCost(lane, i32x4.extend_low_i16x8_s(ends));
      addCost(lane + 4, i32x4.extend_high_i16x8_s(ends));
      lane += 8;
    } else {
      addCost(lane, endsOf<i32>(lane, length, u, v));
      lane += 4;
    }
  }
  return costSoFar();
}

/** The ends of the goals of the next lanes. */
function endsOf<T>(lane: i32, length: i32, u: i32, v: i32): v128 {
  const c = <usize>lane * sizeof<T>();
  let behind = v128.load(rowOf(machineSuccessor[v]) + c);
  let ends = v128.load(rowOf(operations) + c);
  for (let i = 0; i < length; i++) {
    const path = v128.max<T>(v128.load(stretchRow[i] + c), behind);
    ends = v128.max<T>(ends, plus<T>(path, v128.splat<T>(<T>stretchEnd[i])));
    behind = plus<T>(path, v128.splat<T>(<T>stretchTime[i]));
  }
  const known = isShort ? changetype<usize>(shortGoalEnd) : changetype<usize>(goalEnd);
  const before = v128.load(known + c);
  const isCritical = v128.eq<T>(through<T>(u, v, c), before);
  return v128.max<T>(ends, v128.andnot(before, isCritical));
}

/** The longest paths through the stretch before the move. */
function through<T>(u: i32, v: i32, c: usize): v128 {
  // A block has no idle time, so paths through any of its operations are no longer than those from its first operation.
  if (!hasDowntimes()) return startAt<T>(u, end[u] - duration[u], c);
  let longest = v128.load(rowOf(operations) + c);
  const following = machineSuccessor[v];
  for (let op = u; op !== following; op = machineSuccessor[op]) {
    longest = v128.max<T>(longest, startAt<T>(op, end[op] - timeOf(op), c));
  }
  return longest;
}

/** The longest paths from an operation that starts at a time. */
function startAt<T>(op: i32, start: i32, c: usize): v128 {
  return plus<T>(v128.splat<T>(<T>start), v128.load(rowOf(op) + c));
}

/** The time of tails and estimates since the last call, in passes over all operations, rounded down. */
export function passesOfWork(): i32 {
  const pass = operations * max(1, lanes >> 3);
  const passes = steps / pass;
  steps -= passes * pass;
  return passes;
}
