// Moves where more than the makespan counts: due dates, deadlines, or downtimes of machines. The moves of the operations
// on a path to a late goal are ranked by estimates of what they gain for that goal and lose for others (after Mati,
// Dauzère-Pérès and Lahlou 2011, doi:10.1016/j.ejor.2011.01.007), and those that promise most are tried: the costs that
// decide are exact.
import { completionOf, hasDowntimes } from '../../kernel/calendar';
import { randomBelow } from '../../kernel/random';
import { APART, passTails, strain, strainWeight, toGoal, wayTo } from './goal-tails';
import {
  costOf,
  countsMakespan,
  countsTardiness,
  doneAt,
  drawGoal,
  drawLastOf,
  goals,
  goalWeight,
} from './goals';
import {
  duration,
  end,
  fixedLength,
  forgetRepairs,
  latestOf,
  machine,
  machinePredecessor,
  machineSuccessor,
  mode,
  place,
  reinsert,
  rest,
  sequence,
  sequenceLength,
  sequenceOffset,
  timeAgain,
  timeEndsAgain,
} from './graph';
import { costOfMove, endOfGoal, lanes, passBehind, passLanes } from './lane-tails';
import { findLatePath, lateLength, latePath } from './late-path';
import { arrivalAt, startAfter } from './passes';
import { firstThatEndsAfter, firstWithRestUpTo } from './places';
import {
  fixed,
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

/** How many moves of an iteration are tried, at most. */
let tries: i32 = 4;
const MOST_TRIES: i32 = 64;

/** The moves to try, the most promising first: operation, mode and place, … */
let mover = new StaticArray<i32>(0);
let target = new StaticArray<i32>(0);
let spot = new StaticArray<i32>(0);
/** … their estimated costs, … */
let score = new StaticArray<f64>(0);
/** … and whether they are forbidden unless they are better than the best solution. */
let isForbidden = new StaticArray<bool>(0);
let count: i32 = 0;
/** A random one of the forbidden moves. */
let lastResort: i32 = -1;
let resortMode: i32 = 0;
let resortSpot: i32 = 0;
let refused: i32 = 0;

/** The goal under consideration: its end, and the cost of a unit of time. */
let done: i32 = 0;
let price: f64 = 1;
/** Its lane. */
let lane: i32 = 0;
/** Whether only moves are ranked that do not delay it. */
let isStrict: bool = false;
/** Whether it is the makespan that counts. */
let makespanCounts: bool = false;
let best: f64 = 0;
let cost: f64 = 0;
let now: i32 = 0;

/** Ends before a move that is tried. */
let saved = new StaticArray<i32>(0);

export function allocateTrials(n: i32): void {
  mover = new StaticArray<i32>(MOST_TRIES);
  target = new StaticArray<i32>(MOST_TRIES);
  spot = new StaticArray<i32>(MOST_TRIES);
  score = new StaticArray<f64>(MOST_TRIES);
  isForbidden = new StaticArray<bool>(MOST_TRIES);
  saved = new StaticArray<i32>(n + 1);
}

/** Sets how many moves of an iteration are tried, 64 at most. */
export function configureTries(most: i32): void {
  tries = min(most, MOST_TRIES);
}

/** Makes the best move that is found, and returns whether there is one. */
export function moveByTrial(current: f64, bestSoFar: f64, iteration: i32, tenure: i32): bool {
  cost = current;
  best = bestSoFar;
  now = iteration;
  count = 0;
  refused = 0;
  lastResort = -1;
  const goal = drawGoal(cost, end);
  const late = drawLastOf(goal, end);
  done = goal < 0 ? latestOf(end) : doneAt(goal, end);
  price = goal < 0 || countsMakespan(cost) ? 1 : max<f64>(1, <f64>goalWeight[goal]);
  makespanCounts = goal < 0;
  lane = goal < 0 ? goals : goal;
  if (usesLanes()) passLanes();
  else passTails(goal, end);
  findLatePath(late);
  isStrict = usesLanes();
  for (let i = 0; i < lateLength; i++) rankMoves(latePath[i]);
  if (isStrict && count === 0) {
    isStrict = false;
    for (let i = 0; i < lateLength; i++) rankMoves(latePath[i]);
  }
  return makeBest(tenure);
}

/** Ranks the moves of an operation. */
function rankMoves(v: i32): void {
  if (fixed[v] || duration[v] === 0) return;
  let arrived = 0;
  for (let e = predOffset[v]; e < predOffset[v + 1]; e++) arrived = max(arrived, end[pred[e]]);
  let behind = 0;
  let nextEnd = i32.MAX_VALUE;
  for (let e = succOffset[v]; e < succOffset[v + 1]; e++) {
    behind = max(behind, rest[succ[e]]);
    nextEnd = min(nextEnd, end[succ[e]]);
  }
  // Without v, its neighbours on the machine follow one another.
  const x = machinePredecessor[v];
  const y = machineSuccessor[v];
  const past = end[x] + setupBetween(machine[v], x, y);
  for (let i = modeOffset[v]; i < modeOffset[v + 1]; i++) {
    if (usesLanes()) passBehind(v, modeMachine[i]);
    rankMode(v, i, arrived, behind, nextEnd, past);
  }
}

/** Ranks the places of an operation in a mode: those that close no cycle for certain. */
function rankMode(v: i32, chosen: i32, arrived: i32, behind: i32, nextEnd: i32, past: i32): void {
  const k = modeMachine[chosen];
  const p = modeDuration[chosen];
  const base = sequenceOffset[k];
  const isOwn = k === machine[v];
  const isSame = chosen === mode[v];
  const own = isOwn ? place[v] : i32.MAX_VALUE;
  const length = sequenceLength[k] - <i32>isOwn;
  const arrival = arrivalAt(v, k, end);
  // The operations before place a cannot follow v; those from place b on cannot precede it.
  const a = firstThatEndsAfter(end, arrived, base, own, fixedLength[k], length);
  const b = firstWithRestUpTo(rest, behind, base, own, fixedLength[k], length);
  const isTabu = !isSame && isTabuMode(v, chosen, now);
  for (let at = min(a, b); at <= length; at++) {
    const x = at > 0 ? sequence[base + at - 1 + <i32>(at - 1 >= own)] : operations;
    // Nor can those follow it that start before its successors end.
    if (at > b && at > a && end[x] >= nextEnd && mayFollow(v, x, nextEnd)) return;
    if (at === own && isSame) continue;
    const y = at < length ? sequence[base + at + <i32>(at >= own)] : operations;
    const ready = end[x] - (isOwn && at > own ? duration[v] : 0);
    const start = startAfter(k, arrival, ready, setupBetween(k, x, v));
    const finish = hasDowntimes() ? completionOf(p, k, start) : start + p;
    const reached = finish + setupBetween(k, v, y) - (isOwn && at < own ? duration[v] : 0);
    if (isStrict && endOfGoal(lane, finish, y, reached, machineSuccessor[v], past) > done) continue;
    const value = usesLanes()
      ? costOfMove(v, finish, y, reached, machineSuccessor[v], past)
      : estimate(v, k, finish, y, reached, past);
    rank(v, chosen, at, value, isTabu || (isSame && isTabuPlace(v, at, now)));
  }
}

/** Whether tails to every goal decide about estimates; they do not cover the makespan that breaks ties. */
function usesLanes(): bool {
  return lanes > 0 && !(makespanCounts && countsTardiness);
}

/** The estimated cost of a move from what it gains for the goal and loses at most for another one. */
function estimate(v: i32, k: i32, finish: i32, y: i32, reached: i32, past: i32): f64 {
  let through = max(past + toGoal[machineSuccessor[v]], reached + toGoal[y]);
  let loss = lossOf(reached, y);
  for (let e = succOffset[v]; e < succOffset[v + 1]; e++) {
    const arrives = finish + wayTo(succ[e], e, k);
    through = max(through, arrives + toGoal[succ[e]]);
    loss = max(loss, lossOf(arrives, succ[e]));
  }
  if (succOffset[v] === succOffset[v + 1] && toGoal[v] > APART / 2) through = max(through, finish);
  return cost + loss - price * <f64>(done - through);
}

/** Whether an operation may have to come after v: it is a successor of v, or starts after one has ended. */
function mayFollow(v: i32, op: i32, nextEnd: i32): bool {
  if (end[op] - duration[op] >= nextEnd) return true;
  for (let e = succOffset[v]; e < succOffset[v + 1]; e++) if (succ[e] === op) return true;
  return false;
}

/** What it costs that an operation starts at a time. */
function lossOf(start: i32, op: i32): f64 {
  const late = start + strain[op];
  return late > 0 ? <f64>late * <f64>strainWeight[op] : 0;
}

/** Takes a move among those that are tried if it promises enough. */
function rank(v: i32, chosen: i32, at: i32, value: f64, isTabu: bool): void {
  if (isTabu && value >= best) {
    if (randomBelow(++refused) === 0) {
      lastResort = v;
      resortMode = chosen;
      resortSpot = at;
    }
    return;
  }
  if (count === tries && value >= score[count - 1]) return;
  let i = count < tries ? count++ : count - 1;
  for (; i > 0 && score[i - 1] > value; i--) {
    mover[i] = mover[i - 1];
    target[i] = target[i - 1];
    spot[i] = spot[i - 1];
    score[i] = score[i - 1];
    isForbidden[i] = isForbidden[i - 1];
  }
  mover[i] = v;
  target[i] = chosen;
  spot[i] = at;
  score[i] = value;
  isForbidden[i] = isTabu;
}

/** Tries the ranked moves, and makes the best one; if all are forbidden, one at random. */
function makeBest(tenure: i32): bool {
  let chosen = -1;
  let least: f64 = f64.MAX_VALUE;
  let ties = 0;
  memory.copy(changetype<usize>(saved), changetype<usize>(end), (operations + 1) << 2);
  for (let i = 0; i < count; i++) {
    const value = tryOut(mover[i], target[i], spot[i]);
    if (value > least || (isForbidden[i] && value >= best)) continue;
    if (value < least) ties = 0;
    least = value;
    if (randomBelow(++ties) === 0) chosen = i;
  }
  if (chosen < 0 && lastResort < 0) return false;
  const v = chosen < 0 ? lastResort : mover[chosen];
  const to = chosen < 0 ? resortMode : target[chosen];
  const at = chosen < 0 ? resortSpot : spot[chosen];
  if (to === mode[v]) forbidPlace(v, at, now + tenure);
  else forbidMode(v, mode[v], now, tenure);
  reinsert(v, to, at);
  timeAgain();
  return true;
}

/** The cost of a move, which is undone at once. */
function tryOut(v: i32, chosen: i32, at: i32): f64 {
  const before = mode[v];
  const own = place[v];
  reinsert(v, chosen, at);
  timeEndsAgain();
  const value = costOf(end);
  reinsert(v, before, own);
  forgetRepairs();
  memory.copy(changetype<usize>(end), changetype<usize>(saved), (operations + 1) << 2);
  return value;
}
