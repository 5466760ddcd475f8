// Exchanges of two operations between two machines: each takes the place of the other.
//
// Where every machine of a group is nearly full, an operation that goes to another machine makes that one the bottleneck,
// and only an exchange shortens the paths of both. Exchanges are estimated from current heads and tails. An exchange closes
// no cycle if both operations have room for a moment between the ends of what comes before and of what follows them.
import {
  duration,
  end,
  fixedLength,
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
} from './graph';
import { arrivalAt, behindFrom, startAfter } from './passes';
import { firstThatEndsAfter } from './places';
import {
  fixed,
  hasSetups,
  isSimple,
  jobPredecessor,
  jobSuccessor,
  machines,
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
import { forbidMode, isTabuMode } from './tabu-list';

/** The fastest mode of each operation on each machine; -1 for none. Empty in very large shops, which exchange nothing. */
let modeOn = new StaticArray<i32>(0);
const MOST_ENTRIES: i64 = 1 << 22;

/** The operations of the best exchange, their new modes, and the longest path through them. */
let first: i32 = -1;
let second: i32 = -1;
let firstMode: i32 = 0;
let secondMode: i32 = 0;
let least: i32 = 0;

export function allocateSwaps(n: i32, m: i32): void {
  modeOn = new StaticArray<i32>(<i64>n * <i64>m > MOST_ENTRIES ? 0 : n * m);
}

/** Notes which operation can be on which machine. */
export function layOutSwaps(): void {
  if (modeOn.length === 0) return;
  modeOn.fill(-1);
  for (let op = 0; op < operations; op++) {
    for (let i = modeOffset[op]; i < modeOffset[op + 1]; i++) {
      const at = op * machines + modeMachine[i];
      if (modeOn[at] < 0 || modeDuration[i] < modeDuration[modeOn[at]]) modeOn[at] = i;
    }
  }
}

/** Forgets all exchanges; from now on those count whose paths are shorter than a limit. */
export function clearSwaps(limit: i32): void {
  first = -1;
  least = limit;
}

/** Whether an exchange has been found. */
export function hasSwap(): bool {
  return first >= 0;
}

/** Considers all exchanges of an operation that are not forbidden. */
export function considerSwaps(v: i32, now: i32): void {
  if (fixed[v] || duration[v] === 0 || modeOn.length === 0) return;
  const done = endBefore(v);
  const due = endBehind(v);
  const own = machine[v];
  for (let i = modeOffset[v]; i < modeOffset[v + 1]; i++) {
    const k = modeMachine[i];
    if (k === own || isTabuMode(v, i, now)) continue;
    const arrival = isSimple ? done : arrivalAt(v, k, end);
    const behind = behindOn(v, k);
    const time = modeDuration[i];
    if (arrival + time + behind >= least) continue;
    const base = sequenceOffset[k];
    const length = sequenceLength[k];
    const from = firstThatEndsAfter(end, done, base, i32.MAX_VALUE, fixedLength[k], length) - 1;
    for (let at = max(from, fixedLength[k]); at < length; at++) {
      const w = sequence[base + at];
      const x = machinePredecessor[w];
      if (end[x] >= due) break;
      const y = machineSuccessor[w];
      if (y < operations && end[y] <= done) continue;
      if (max(arrival, end[x]) + time + max(behind, rest[y]) >= least) continue;
      const other = modeOn[w * machines + own];
      if (other < 0) continue;
      const via = pathBetween(v, k, x, y, arrival, time, behind);
      if (via < least) considerSwap(v, w, i, other, via, now);
    }
  }
}

/** Considers to exchange v with w, in these modes, when the path through v gets this length. */
function considerSwap(v: i32, w: i32, chosen: i32, i: i32, via: i32, now: i32): void {
  const k = machine[v];
  const time = modeDuration[i];
  const x = machinePredecessor[v];
  const y = machineSuccessor[v];
  if (end[x] + time + rest[y] >= least || isTabuMode(w, i, now) || areNeighbours(v, w)) return;
  const ready = endBefore(w);
  const done = max(end[x], ready);
  if (done >= endBehind(w) || (y < operations && done >= end[y])) return;
  const arrival = isSimple ? ready : arrivalAt(w, k, end);
  const longest = pathBetween(w, k, x, y, arrival, time, behindOn(w, k));
  if (longest >= least) return;
  least = max(via, longest);
  first = v;
  second = w;
  firstMode = chosen;
  secondMode = i;
}

/** The longest path through an operation between two others on machine k. */
function pathBetween(v: i32, k: i32, x: i32, y: i32, arrival: i32, time: i32, behind: i32): i32 {
  if (!hasSetups) return max(arrival, end[x]) + time + max(behind, rest[y]);
  const start = startAfter(k, arrival, end[x], setupBetween(k, x, v));
  return start + time + max(behind, rest[y] + setupBetween(k, v, y));
}

/** The longest path behind an operation on machine k by way of its job. */
function behindOn(v: i32, k: i32): i32 {
  return isSimple ? rest[jobSuccessor[v]] : behindFrom(v, k, rest);
}

/** The latest end among the predecessors in the job. */
function endBefore(v: i32): i32 {
  if (isSimple) return end[jobPredecessor[v]];
  let latest = 0;
  for (let e = predOffset[v]; e < predOffset[v + 1]; e++) latest = max(latest, end[pred[e]]);
  return latest;
}

/** The earliest end among the successors in the job. */
function endBehind(v: i32): i32 {
  let earliest = i32.MAX_VALUE;
  for (let e = succOffset[v]; e < succOffset[v + 1]; e++) earliest = min(earliest, end[succ[e]]);
  return earliest;
}

/** Whether one operation directly follows the other in its job. */
function areNeighbours(v: i32, w: i32): bool {
  for (let e = predOffset[v]; e < predOffset[v + 1]; e++) if (pred[e] === w) return true;
  for (let e = succOffset[v]; e < succOffset[v + 1]; e++) if (succ[e] === w) return true;
  return false;
}

/** Makes the best exchange and forbids to undo it. */
export function makeBestSwap(now: i32, tenure: i32): void {
  const at = place[second];
  const done = max(end[machinePredecessor[first]], endBefore(second));
  // While both are on one machine for a moment, the order of the two must not close a cycle, either.
  const beside = place[first] + <i32>(done >= end[first]);
  forbidMode(first, mode[first], now, tenure);
  forbidMode(second, mode[second], now, tenure);
  reinsert(second, secondMode, beside);
  reinsert(first, firstMode, at);
  timeAgain();
}
