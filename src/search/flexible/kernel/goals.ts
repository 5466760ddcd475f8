// Goals: the jobs whose completions count for more than the makespan, because of due dates or deadlines; and the cost of
// ends under the objective. Deadlines take precedence over the objective.
import { BROKEN, TIE_BREAK } from '../../costs';
import { randomBelow, randomFraction } from '../../kernel/random';
import { latestOf } from './graph';
import { last } from './shop';

/** Later than every end: the due date or the deadline of a job that has none. */
export const NEVER: i32 = i32.MAX_VALUE;

/** The last operations of goal g: `goalOp[goalOffset[g]]` to `goalOp[goalOffset[g + 1] − 1]`. */
export let goalOffset = new StaticArray<i32>(0);
export let goalOp = new StaticArray<i32>(0);
/** The due date and the weight of a unit of tardiness, and the deadline. */
export let goalDue = new StaticArray<i32>(0);
export let goalWeight = new StaticArray<i32>(0);
export let goalDeadline = new StaticArray<i32>(0);
export let goals: i32 = 0;

/** Whether the objective is tardiness, and not the makespan. */
export let countsTardiness: bool = false;
/** The tardiness up to which the makespan breaks ties; −1 for never. */
let leastTardiness: f64 = -1;

export function allocateGoals(count: i32, operations: i32): void {
  goals = count;
  goalOffset = new StaticArray<i32>(count + 1);
  goalOp = new StaticArray<i32>(operations);
  goalDue = new StaticArray<i32>(count);
  goalWeight = new StaticArray<i32>(count);
  goalDeadline = new StaticArray<i32>(count);
  countsTardiness = false;
  leastTardiness = -1;
}

/** Sets the objective, and the tardiness up to which the makespan breaks ties. */
export function configureGoals(tardiness: bool, least: f64): void {
  countsTardiness = tardiness;
  leastTardiness = least;
}

/** When a goal is done. */
export function doneAt(goal: i32, ends: StaticArray<i32>): i32 {
  let done = 0;
  for (let i = goalOffset[goal], stop = goalOffset[goal + 1]; i < stop; i++) {
    done = max(done, ends[goalOp[i]]);
  }
  return done;
}

/** The cost of these ends. */
export function costOf(ends: StaticArray<i32>): f64 {
  let excess: f64 = 0;
  let tardiness: f64 = 0;
  for (let goal = 0; goal < goals; goal++) {
    const done = doneAt(goal, ends);
    if (done > goalDeadline[goal]) excess += <f64>(done - goalDeadline[goal]);
    if (done > goalDue[goal]) tardiness += <f64>(done - goalDue[goal]) * <f64>goalWeight[goal];
  }
  if (excess > 0) return BROKEN * excess;
  if (!countsTardiness) return <f64>latestOf(ends);
  return tardiness > leastTardiness ? tardiness : tardiness + TIE_BREAK * <f64>latestOf(ends);
}

/** Whether the makespan counts at a cost: as the objective, or as it breaks ties. */
export function countsMakespan(cost: f64): bool {
  return cost < BROKEN && (!countsTardiness || cost < leastTardiness + 1);
}

/**
 * A random goal among those that cause a cost, in proportion to their shares; −1 if it is the makespan that counts.
 */
export function drawGoal(cost: f64, ends: StaticArray<i32>): i32 {
  if (countsMakespan(cost)) return -1;
  const isBroken = cost >= BROKEN;
  let chosen = -1;
  let sum: f64 = 0;
  for (let goal = 0; goal < goals; goal++) {
    const late = doneAt(goal, ends) - (isBroken ? goalDeadline[goal] : goalDue[goal]);
    if (late <= 0) continue;
    const share = <f64>late * (isBroken ? 1 : <f64>goalWeight[goal]);
    sum += share;
    if (randomFraction() * sum < share) chosen = goal;
  }
  return chosen;
}

/** A random one of the operations that end last: of a goal, or of the shop if it is −1. */
export function drawLastOf(goal: i32, ends: StaticArray<i32>): i32 {
  const ops = goal < 0 ? last : goalOp;
  const from = goal < 0 ? 0 : goalOffset[goal];
  const stop = goal < 0 ? last.length : goalOffset[goal + 1];
  let latest = -1;
  let chosen = -1;
  let choices = 0;
  for (let i = from; i < stop; i++) {
    const end = ends[ops[i]];
    if (end < latest) continue;
    if (end > latest) choices = 0;
    latest = end;
    if (randomBelow(++choices) === 0) chosen = ops[i];
  }
  return chosen;
}
