// Estimates of the makespan after a move, from the heads and tails before it (Balas and Vazacopoulos
// 1998, doi:10.1287/mnsc.44.2.262): heads of the moved stretch are computed forwards, tails
// backwards, and the longest path through the stretch is taken. Exact paths that avoid the stretch
// are not seen, and heads of job predecessors inside it may be stale; for two neighbours the
// estimate is a lower bound on the makespan after the swap.
import {
  duration,
  end,
  jobPredecessor,
  jobSuccessor,
  machinePredecessor,
  machineSuccessor,
  release,
  rest,
} from './graph';

let scratch = new StaticArray<i32>(0);

export function allocateEstimate(n: i32): void {
  scratch = new StaticArray<i32>(n);
}

/** The estimate for moving u right after v. */
export function estimateAfter(u: i32, v: i32): i32 {
  let ready = end[machinePredecessor[u]];
  let count = 0;
  let op = u;
  do {
    op = machineSuccessor[op];
    const head = headAfter(op, ready);
    scratch[count++] = head;
    ready = head + duration[op];
  } while (op !== v);
  let behind = restBefore(u, rest[machineSuccessor[v]]);
  let longest = headAfter(u, ready) + behind;
  for (let i = count - 1; i >= 0; i--) {
    behind = restBefore(op, behind);
    longest = max(longest, scratch[i] + behind);
    op = machinePredecessor[op];
  }
  return longest;
}

/** The estimate for moving v right before u. */
export function estimateBefore(v: i32, u: i32): i32 {
  let behind = rest[machineSuccessor[v]];
  let count = 0;
  let op = v;
  do {
    op = machinePredecessor[op];
    behind = restBefore(op, behind);
    scratch[count++] = behind;
  } while (op !== u);
  let head = headAfter(v, end[machinePredecessor[u]]);
  let longest = head + restBefore(v, behind);
  let ready = head + duration[v];
  for (let i = count - 1; i >= 0; i--) {
    head = headAfter(op, ready);
    longest = max(longest, head + scratch[i]);
    ready = head + duration[op];
    op = machineSuccessor[op];
  }
  return longest;
}

/** The start of an operation whose machine is free at `ready`. */
function headAfter(op: i32, ready: i32): i32 {
  return max(max(end[jobPredecessor[op]], ready), release[op]);
}

/** Duration and tail of an operation with `behind` to come on its machine. */
function restBefore(op: i32, behind: i32): i32 {
  return max(rest[jobSuccessor[op]], behind) + duration[op];
}
