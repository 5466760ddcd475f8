// Estimates of the makespan after a move, from the heads and tails before it (Balas and Vazacopoulos 1998,
// doi:10.1287/mnsc.44.2.262): heads of the moved stretch are computed forwards, tails backwards, and the longest path
// through the stretch is taken. Paths that avoid the stretch are not considered, and heads of job predecessors inside
// it may be outdated; for two neighbours the estimate is a lower bound on the makespan after the swap.
import {
  duration,
  jobPredecessor,
  jobSuccessor,
  machinePredecessor,
  machineSuccessor,
  operations,
  release,
} from './graph';
import { roomFor } from './room';
import { end, offsetAt, rest } from './times';

let scratch = new StaticArray<i32>(0);

export function allocateEstimate(n: i32): void {
  scratch = roomFor(n);
}

/** The estimate for moving u right after v. */
export function estimateAfter(u: i32, v: i32): i32 {
  return estimateAfterUpTo(u, v, i32.MAX_VALUE);
}

/** The estimate for moving v right before u. */
export function estimateBefore(v: i32, u: i32): i32 {
  return estimateBeforeUpTo(v, u, i32.MAX_VALUE);
}

/** The estimate for moving u right after v. If it exceeds `most`, the result may be any lower bound above `most`. */
export function estimateAfterUpTo(u: i32, v: i32, most: i32): i32 {
  const ends = changetype<usize>(end);
  const rests = changetype<usize>(rest);
  const before = changetype<usize>(jobPredecessor);
  const after = changetype<usize>(jobSuccessor);
  const ahead = changetype<usize>(machinePredecessor);
  const behindIt = changetype<usize>(machineSuccessor);
  const releases = changetype<usize>(release);
  const durations = changetype<usize>(duration);
  const mover = (<usize>u) << 2;
  const goal = (<usize>v) << 2;
  const heads = changetype<usize>(scratch);
  let at = heads;
  let ready = load<i32>(ends + offsetAt(ahead + mover));
  let op = mover;
  do {
    op = offsetAt(behindIt + op);
    const viaJob = load<i32>(ends + offsetAt(before + op));
    const head = max(max(viaJob, ready), load<i32>(releases + op));
    store<i32>(at, head);
    at += 4;
    ready = head + load<i32>(durations + op);
  } while (op !== goal);
  let behind = load<i32>(rests + offsetAt(behindIt + goal));
  behind = max(load<i32>(rests + offsetAt(after + mover)), behind) + load<i32>(durations + mover);
  ready = max(max(load<i32>(ends + offsetAt(before + mover)), ready), load<i32>(releases + mover));
  let longest = ready + behind;
  while (at !== heads && longest <= most) {
    at -= 4;
    behind = max(load<i32>(rests + offsetAt(after + op)), behind) + load<i32>(durations + op);
    longest = max(longest, load<i32>(at) + behind);
    op = offsetAt(ahead + op);
  }
  return longest;
}

/** The estimate for moving v right before u. If it exceeds `most`, the result may be any lower bound above `most`. */
export function estimateBeforeUpTo(v: i32, u: i32, most: i32): i32 {
  const ends = changetype<usize>(end);
  const rests = changetype<usize>(rest);
  const before = changetype<usize>(jobPredecessor);
  const after = changetype<usize>(jobSuccessor);
  const ahead = changetype<usize>(machinePredecessor);
  const behindIt = changetype<usize>(machineSuccessor);
  const releases = changetype<usize>(release);
  const durations = changetype<usize>(duration);
  const mover = (<usize>v) << 2;
  const goal = (<usize>u) << 2;
  const tails = changetype<usize>(scratch);
  let at = tails;
  let behind = load<i32>(rests + offsetAt(behindIt + mover));
  let op = mover;
  do {
    op = offsetAt(ahead + op);
    behind = max(load<i32>(rests + offsetAt(after + op)), behind) + load<i32>(durations + op);
    store<i32>(at, behind);
    at += 4;
  } while (op !== goal);
  const length = load<i32>(durations + mover);
  let ready = load<i32>(ends + offsetAt(ahead + goal));
  ready = max(max(load<i32>(ends + offsetAt(before + mover)), ready), load<i32>(releases + mover));
  behind = max(load<i32>(rests + offsetAt(after + mover)), behind) + length;
  let longest = ready + behind;
  ready += length;
  while (at !== tails && longest <= most) {
    at -= 4;
    const viaJob = load<i32>(ends + offsetAt(before + op));
    const head = max(max(viaJob, ready), load<i32>(releases + op));
    longest = max(longest, head + load<i32>(at));
    ready = head + load<i32>(durations + op);
    op = offsetAt(behindIt + op);
  }
  return longest;
}

/**
 * Whether moving u right after v may close a cycle, through a path from the job successor of u to v. Such a path exists
 * only if the tail of v is at most the tail of that successor.
 */
export function mayCloseCycleAfter(u: i32, v: i32): bool {
  const next = jobSuccessor[u];
  return next === v || rest[v] <= rest[next] - duration[next];
}

/**
 * Whether moving v right before u may close a cycle, through a path from u to the job predecessor of v. Such a path
 * exists only if that predecessor starts after u ends.
 */
export function mayCloseCycleBefore(v: i32, u: i32): bool {
  const before = jobPredecessor[v];
  return before === u || end[u] <= end[before] - duration[before];
}

/** The same as {@link mayCloseCycleAfter}, by heads: v starts before the job successor of u ends. */
export function mayCloseCycleAfterByHeads(u: i32, v: i32): bool {
  const next = jobSuccessor[u];
  return next !== operations && (next === v || end[next] <= end[v] - duration[v]);
}

/** A lower bound on the estimate: u must wait for the operations of its block up to v, which run without gaps. */
export function leastAfter(u: i32, v: i32): i32 {
  const head = end[machinePredecessor[u]] + end[v] - end[u];
  return head + duration[u] + max(rest[jobSuccessor[u]], rest[machineSuccessor[v]]);
}

/** A lower bound on the estimate: the operations of the block from u on follow v without gaps. */
export function leastBefore(v: i32, u: i32): i32 {
  const head = max(max(end[jobPredecessor[v]], end[machinePredecessor[u]]), release[v]);
  return head + (end[v] - end[u]) + duration[u] + rest[machineSuccessor[v]];
}
