// Estimates of the makespan after a move, from the heads and tails before it (Balas and Vazacopoulos
// 1998, doi:10.1287/mnsc.44.2.262): heads of the moved stretch are computed forwards, tails
// backwards, and the longest path through the stretch is taken. Exact paths that avoid the stretch
// are not seen, and heads of job predecessors inside it may be stale; for two neighbours the
// estimate is a lower bound on the makespan after the swap.
//
// By calendar, the heads of the stretch respect downtimes; tails leave them out.
import { completionOf } from './calendar';
import {
  duration,
  end,
  jobPredecessor,
  jobSuccessor,
  machine,
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
  return after(u, v, false);
}

/** The estimate for moving v right before u. */
export function estimateBefore(v: i32, u: i32): i32 {
  return before(v, u, false);
}

/** The estimate, with downtimes, for moving u right after v. */
export function estimateAfterByCalendar(u: i32, v: i32): i32 {
  return after(u, v, true);
}

/** The estimate, with downtimes, for moving v right before u. */
export function estimateBeforeByCalendar(v: i32, u: i32): i32 {
  return before(v, u, true);
}

function after(u: i32, v: i32, byCalendar: bool): i32 {
  let ready = end[machinePredecessor[u]];
  let count = 0;
  let op = u;
  do {
    op = machineSuccessor[op];
    const head = headAfter(op, ready, byCalendar);
    scratch[count++] = head;
    ready = head + duration[op];
  } while (op !== v);
  let behind = restBefore(u, rest[machineSuccessor[v]]);
  let longest = headAfter(u, ready, byCalendar) + behind;
  for (let i = count - 1; i >= 0; i--) {
    behind = restBefore(op, behind);
    longest = max(longest, scratch[i] + behind);
    op = machinePredecessor[op];
  }
  return longest;
}

function before(v: i32, u: i32, byCalendar: bool): i32 {
  let behind = rest[machineSuccessor[v]];
  let count = 0;
  let op = v;
  do {
    op = machinePredecessor[op];
    behind = restBefore(op, behind);
    scratch[count++] = behind;
  } while (op !== u);
  let head = headAfter(v, end[machinePredecessor[u]], byCalendar);
  let longest = head + restBefore(v, behind);
  let ready = head + duration[v];
  for (let i = count - 1; i >= 0; i--) {
    head = headAfter(op, ready, byCalendar);
    longest = max(longest, head + scratch[i]);
    ready = head + duration[op];
    op = machineSuccessor[op];
  }
  return longest;
}

/** The completion, less the duration, of an operation whose machine is free at `ready`. */
function headAfter(op: i32, ready: i32, byCalendar: bool): i32 {
  const start = max(max(end[jobPredecessor[op]], ready), release[op]);
  return byCalendar ? completionOf(duration[op], machine[op], start) - duration[op] : start;
}

/** Duration and tail of an operation with `behind` to come on its machine. */
function restBefore(op: i32, behind: i32): i32 {
  return max(rest[jobSuccessor[op]], behind) + duration[op];
}
