// The moves of N6 in one critical block, evaluated in one pass where the simple estimate of the makespan suffices. Data
// that the moves share are read once. On a critical path an operation starts when its predecessor in the block ends,
// and its tail is the rest of its successor, which saves further reads.
import {
  considerAfter,
  considerBefore,
  considerEstimatedAfter,
  considerEstimatedBefore,
  isInvolved,
  mostExpected,
} from './best-move';
import {
  duration,
  jobPredecessor,
  jobSuccessor,
  machinePredecessor,
  machineSuccessor,
  release,
} from './graph';
import { end, offsetAt, rest } from './times';

/** Considers moving every operation of a block but the last right after that one. */
export function considerAllAfter(path: StaticArray<i32>, first: i32, final: i32): void {
  const v = path[final];
  if (isInvolved) {
    for (let i = first; i < final; i++) considerAfter(path[i], v);
    return;
  }
  const rests = changetype<usize>(rest);
  const after = changetype<usize>(jobSuccessor);
  const durations = changetype<usize>(duration);
  const goal = (<usize>v) << 2;
  const restOfGoal = rest[v];
  const behind = rest[machineSuccessor[v]];
  // The first operation of the block may start later than its machine becomes free.
  const u = path[first];
  let head = end[v] - (end[u] - duration[u] - end[machinePredecessor[u]]);
  const places = changetype<usize>(path);
  const stop = places + ((<usize>final) << 2);
  for (let at = places + ((<usize>first) << 2); at < stop; at += 4) {
    const op = offsetAt(at);
    const next = offsetAt(after + op);
    const viaJob = load<i32>(rests + next);
    const least = head + max(viaJob, behind);
    head = end[v];
    if (least > mostExpected) continue;
    if (next === goal || restOfGoal <= viaJob - load<i32>(durations + next)) continue;
    considerEstimatedAfter(<i32>(op >> 2), v);
  }
}

/** Considers moving every operation of a block but the first right before that one. */
export function considerAllBefore(path: StaticArray<i32>, first: i32, final: i32): void {
  const u = path[first];
  if (isInvolved) {
    for (let i = first + 1; i <= final; i++) considerBefore(path[i], u);
    return;
  }
  const ends = changetype<usize>(end);
  const before = changetype<usize>(jobPredecessor);
  const durations = changetype<usize>(duration);
  const releases = changetype<usize>(release);
  const goal = (<usize>u) << 2;
  const endOfGoal = end[u];
  const ready = end[machinePredecessor[u]];
  const startOfGoal = endOfGoal - duration[u];
  // From the start of a block to the end of the schedule.
  let behind = rest[u];
  const places = changetype<usize>(path);
  const stop = places + ((<usize>final) << 2);
  for (let at = places + ((<usize>(first + 1)) << 2); at <= stop; at += 4) {
    const op = offsetAt(at);
    const last = offsetAt(before + op);
    const viaJob = load<i32>(ends + last);
    // The last operation of the block may have a shorter tail on its machine.
    if (at === stop)
      behind = load<i32>(ends + op) - startOfGoal + rest[machineSuccessor[<i32>(op >> 2)]];
    const least = max(max(viaJob, ready), load<i32>(releases + op)) + behind;
    if (least > mostExpected) continue;
    if (last === goal || endOfGoal <= viaJob - load<i32>(durations + last)) continue;
    considerEstimatedBefore(<i32>(op >> 2), u);
  }
}
