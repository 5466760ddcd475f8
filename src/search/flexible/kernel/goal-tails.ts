// Tails for goals: how late the goal under consideration would be if an operation started later, and how much later an
// operation may start before any goal becomes costlier.
import {
  doneAt,
  goalDeadline,
  goalDue,
  goalOffset,
  goalOp,
  goals,
  goalWeight,
  NEVER,
} from './goals';
import { duration, latestOf, machine, machinePredecessor, machineSuccessor, order } from './graph';
import {
  hasTransport,
  last,
  operations,
  setupBetween,
  succ,
  succLag,
  succOffset,
  transportBetween,
  waitsForJob,
} from './shop';

/** Of an operation that a goal does not wait for. */
export const APART: i32 = -(1 << 30);
/** The weight of a unit of time beyond a deadline, above those of due dates. */
const HEAVY: i32 = 1 << 20;

/** The longest path from the start of an operation to the end of the goal. */
export let toGoal = new StaticArray<i32>(0);
/**
 * The longest path from the start of an operation to the time when a goal gets costlier, less that time: an operation
 * that starts at t delays a goal by t plus this, if that is positive; …
 */
export let strain = new StaticArray<i32>(0);
/** … and the cost of each unit of it. */
export let strainWeight = new StaticArray<i32>(0);

export function allocateGoalTails(n: i32): void {
  toGoal = new StaticArray<i32>(n + 1);
  strain = new StaticArray<i32>(n + 1);
  strainWeight = new StaticArray<i32>(n + 1);
}

/** Computes the tails to a goal, or to the end of the schedule if it is −1, for the current ends. */
export function passTails(goal: i32, ends: StaticArray<i32>): void {
  for (let op = 0; op <= operations; op++) {
    toGoal[op] = APART;
    strain[op] = APART;
    strainWeight[op] = 0;
  }
  if (goal < 0) {
    const latest = latestOf(ends);
    for (let i = 0; i < last.length; i++) {
      toGoal[last[i]] = 0;
      strain[last[i]] = -latest;
      strainWeight[last[i]] = 1;
    }
  } else {
    for (let i = goalOffset[goal]; i < goalOffset[goal + 1]; i++) toGoal[goalOp[i]] = 0;
  }
  for (let other = 0; other < goals; other++) strainGoal(other, ends);
  for (let i = operations - 1; i >= 0; i--) passOperation(order[i]);
}

function strainGoal(goal: i32, ends: StaticArray<i32>): void {
  const done = doneAt(goal, ends);
  const isDated = goalDue[goal] < NEVER && done <= goalDeadline[goal];
  const allowed = max(done, isDated ? goalDue[goal] : goalDeadline[goal]);
  if (allowed === NEVER) return;
  for (let i = goalOffset[goal]; i < goalOffset[goal + 1]; i++) {
    const op = goalOp[i];
    if (-allowed < strain[op]) continue;
    strain[op] = -allowed;
    strainWeight[op] = isDated ? goalWeight[goal] : HEAVY;
  }
}

/** Takes the tails behind an operation over to it; those of a last operation itself are in its entries before. */
function passOperation(op: i32): void {
  const k = machine[op];
  const after = machineSuccessor[op];
  let way = setupBetween(k, op, after);
  let longest = max(toGoal[op], toGoal[after] + way);
  let most = strain[op];
  let weight = strainWeight[op];
  if (strain[after] + way > most) {
    most = strain[after] + way;
    weight = strainWeight[after];
  }
  for (let e = succOffset[op], stop = succOffset[op + 1]; e < stop; e++) {
    const next = succ[e];
    way = wayTo(next, e, k);
    longest = max(longest, toGoal[next] + way);
    if (strain[next] + way <= most) continue;
    most = strain[next] + way;
    weight = strainWeight[next];
  }
  toGoal[op] = longest + duration[op];
  strain[op] = most + duration[op];
  strainWeight[op] = weight;
}

/** The least time from the end of an operation on machine k to the start of its successor by edge e. */
export function wayTo(next: i32, e: i32, k: i32): i32 {
  const at = machine[next];
  let way = succLag[e];
  if (hasTransport) way += transportBetween(k, at);
  if (waitsForJob[at] && duration[next] > 0)
    way += setupBetween(at, machinePredecessor[next], next);
  return way;
}
