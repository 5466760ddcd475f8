// Goals: the operations whose completions determine the cost if more than the makespan counts. These are the operations
// with a due date or a limit and, if the makespan counts, the last operation of each job. Each has one lane. Their
// costs are summed up four lanes at a time.
import { BROKEN } from '../costs';
import { last, operations } from './graph';
import { countsTardiness, watched, watchedDue, watchedWeight } from './objective';
import { end } from './times';

/** The limit of goals: beyond it, computing the tails to all of them takes too long. */
const MAX_GOALS: i32 = 128;
/** Later than every end. */
const NEVER: i32 = i32.MAX_VALUE;

/** Lanes in use, a multiple of eight; 0 if there are too many goals or none. */
export let lanes: i32 = 0;
/** The number of allocated lanes. */
let room: i32 = 0;
/** The lane of a goal; −1 for other operations. */
export let laneOf = new StaticArray<i32>(0);
/** The goal of each lane, its due date, weight and limit. */
let goal = new StaticArray<i32>(0);
let due = new StaticArray<i32>(0);
let weight = new StaticArray<i32>(0);
let limit = new StaticArray<i32>(0);
let hasLimits: bool = false;
/** The end of the goal of each lane, in 32 and in 16 bits. */
export let goalEnd = new StaticArray<i32>(0);
export let shortGoalEnd = new StaticArray<i16>(0);

/** The sums so far. */
let tardiness: i64 = 0;
let excess: i64 = 0;
let latest: i32 = 0;

/** Allocates goals. Returns the number of lanes. */
export function allocateGoals(n: i32, jobs: i32, watchedCount: i32): i32 {
  const most = (jobs + watchedCount + 7) & ~7;
  room = watchedCount > 0 && most <= 2 * MAX_GOALS ? most : 0;
  lanes = 0;
  laneOf = new StaticArray<i32>(room === 0 ? 0 : n + 1);
  goal = new StaticArray<i32>(room);
  due = new StaticArray<i32>(room);
  weight = new StaticArray<i32>(room);
  limit = new StaticArray<i32>(room);
  goalEnd = new StaticArray<i32>(room);
  shortGoalEnd = new StaticArray<i16>(room);
  return room;
}

/** Records the goals, in the numbering of the loaded order. */
export function readGoals(): void {
  lanes = 0;
  hasLimits = false;
  if (room === 0) return;
  for (let op = 0; op <= operations; op++) laneOf[op] = -1;
  let count = 0;
  for (let i = 0; i < watched.length; i++) {
    const known = laneOf[watched[i]];
    const lane = known < 0 ? openLane(count++, watched[i]) : known;
    if (watchedWeight[i] < 0) {
      hasLimits = true;
      limit[lane] = min(limit[lane], watchedDue[i]);
    } else {
      due[lane] = watchedDue[i];
      weight[lane] = watchedWeight[i];
    }
  }
  if (!countsTardiness()) {
    for (let j = 0; j < last.length; j++) {
      if (last[j] < operations && laneOf[last[j]] < 0) openLane(count++, last[j]);
    }
  }
  if (count > MAX_GOALS) return;
  while ((count & 7) !== 0) openLane(count++, operations);
  laneOf[operations] = -1;
  lanes = count;
}

function openLane(lane: i32, op: i32): i32 {
  goal[lane] = op;
  laneOf[op] = lane;
  due[lane] = NEVER;
  weight[lane] = 0;
  limit[lane] = NEVER;
  return lane;
}

/** Records the ends of goals. */
export function readGoalEnds(): void {
  for (let lane = 0; lane < lanes; lane++) {
    goalEnd[lane] = end[goal[lane]];
    shortGoalEnd[lane] = <i16>goalEnd[lane];
  }
}

/** Resets the sums. */
export function clearCost(): void {
  tardiness = 0;
  excess = 0;
  latest = 0;
}

/** Adds the costs of four goals with these ends. */
export function addCost(lane: i32, ends: v128): void {
  const zero = i32x4.splat(0);
  const c = (<usize>lane) << 2;
  if (hasLimits) {
    const over = i32x4.sub(ends, v128.load(changetype<usize>(limit) + c));
    excess += sumOf(i32x4.max_s(over, zero), i32x4.splat(1));
  }
  if (countsTardiness()) {
    const late = i32x4.sub(ends, v128.load(changetype<usize>(due) + c));
    tardiness += sumOf(i32x4.max_s(late, zero), v128.load(changetype<usize>(weight) + c));
    return;
  }
  const two = i32x4.max_s(ends, v128.shuffle<i32>(ends, ends, 2, 3, 0, 1));
  latest = max(latest, max(i32x4.extract_lane(two, 0), i32x4.extract_lane(two, 1)));
}

/** The sum of products of four lanes. */
function sumOf(a: v128, b: v128): i64 {
  const two = i64x2.add(i64x2.extmul_low_i32x4_s(a, b), i64x2.extmul_high_i32x4_s(a, b));
  return i64x2.extract_lane(two, 0) + i64x2.extract_lane(two, 1);
}

/** The cost so far; it only grows. */
export function costSoFar(): f64 {
  if (excess > 0) return BROKEN * <f64>excess;
  return countsTardiness() ? <f64>tardiness : <f64>latest;
}
