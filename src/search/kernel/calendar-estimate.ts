// Estimates of the makespan after a move with downtimes: as in `estimate.ts`, but with completions of the moved stretch
// by calendar, and latest starts instead of tails. Whether the schedule can still end by the horizon is known as
// exactly as without downtimes. The search keeps the horizon right below the best makespan, so a forbidden move is
// accepted as an improvement only if it would be without downtimes, too. If the schedule ends later, the delay depends
// on the downtimes that it meets; it is interpolated between the horizon and the far horizon.
import { completionOf } from './calendar';
import {
  duration,
  jobPredecessor,
  jobSuccessor,
  machine,
  machinePredecessor,
  machineSuccessor,
  operations,
  release,
} from './graph';
import { roomFor } from './room';
import {
  end,
  farHorizon,
  farRest,
  farRestByCalendar,
  horizon,
  rest,
  restByCalendar,
} from './times';

let scratch = new StaticArray<i32>(0);
let farScratch = new StaticArray<i32>(0);

export function allocateCalendarEstimate(n: i32): void {
  scratch = roomFor(n);
  farScratch = roomFor(n);
}

/** The estimate, with downtimes, for moving u right after v. */
export function estimateAfterByCalendar(u: i32, v: i32): i32 {
  let ready = end[machinePredecessor[u]];
  let count = 0;
  let op = u;
  do {
    op = machineSuccessor[op];
    ready = endAfter(op, ready);
    scratch[count++] = ready;
  } while (op !== v);
  let behind = max(rest[jobSuccessor[u]], rest[machineSuccessor[v]]);
  let farBehind = max(farRest[jobSuccessor[u]], farRest[machineSuccessor[v]]);
  let longest = endOfAll(endAfter(u, ready), behind, farBehind);
  let next = u;
  for (let i = count - 1; i >= 0; i--) {
    behind = max(rest[jobSuccessor[op]], restByCalendar(next, behind));
    farBehind = max(farRest[jobSuccessor[op]], farRestByCalendar(next, farBehind));
    longest = max(longest, endOfAll(scratch[i], behind, farBehind));
    next = op;
    op = machinePredecessor[op];
  }
  return longest;
}

/** The estimate, with downtimes, for moving v right before u. */
export function estimateBeforeByCalendar(v: i32, u: i32): i32 {
  let behind = rest[machineSuccessor[v]];
  let farBehind = farRest[machineSuccessor[v]];
  let count = 0;
  let op = v;
  do {
    op = machinePredecessor[op];
    scratch[count] = max(rest[jobSuccessor[op]], behind);
    farScratch[count] = max(farRest[jobSuccessor[op]], farBehind);
    behind = restByCalendar(op, scratch[count]);
    farBehind = farRestByCalendar(op, farScratch[count]);
    count++;
  } while (op !== u);
  behind = max(rest[jobSuccessor[v]], behind);
  farBehind = max(farRest[jobSuccessor[v]], farBehind);
  let ready = endAfter(v, end[machinePredecessor[u]]);
  let longest = endOfAll(ready, behind, farBehind);
  for (let i = count - 1; i >= 0; i--) {
    ready = endAfter(op, ready);
    longest = max(longest, endOfAll(ready, scratch[i], farScratch[i]));
    op = machineSuccessor[op];
  }
  return longest;
}

/** The completion of an operation whose machine is free at `ready`. */
function endAfter(op: i32, ready: i32): i32 {
  const start = max(max(end[jobPredecessor[op]], ready), release[op]);
  return completionOf(duration[op], machine[op], start);
}

/** The end of the schedule for an operation that is ready at `ready`, by the rests after it to both horizons. */
function endOfAll(ready: i32, behind: i32, farBehind: i32): i32 {
  const late = ready + behind - horizon;
  if (late <= 0) return horizon + late;
  const early = farHorizon - ready - farBehind;
  if (early <= 0) return farHorizon - early;
  const all = <i64>late + <i64>early;
  return horizon + <i32>((<i64>(farHorizon - horizon) * <i64>late + all - 1) / all);
}

/**
 * Whether a path may lead from the job successor of u to v, so that moving u right after v would close a cycle: only if
 * the rest of v is at most that of the successor.
 */
export function mayCloseCycleAfterByCalendar(u: i32, v: i32): bool {
  const next = jobSuccessor[u];
  if (next === operations) return false;
  return next === v || rest[v] <= max(rest[jobSuccessor[next]], rest[machineSuccessor[next]]);
}

/**
 * Whether a path may lead from u to the job predecessor of v, so that moving v right before u would close a cycle: only
 * if not all predecessors of that job predecessor are done before u.
 */
export function mayCloseCycleBeforeByCalendar(v: i32, u: i32): bool {
  const before = jobPredecessor[v];
  if (before === operations) return false;
  return (
    before === u || end[u] <= max(end[jobPredecessor[before]], end[machinePredecessor[before]])
  );
}
