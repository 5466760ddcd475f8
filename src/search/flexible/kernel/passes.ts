// Passes over the topological order that compute heads and tails: simple ones, and ones for setups, transport, lags,
// graphs of precedence and releases.
import { completionOf, hasDowntimes } from '../../kernel/calendar';
import { duration, machine, machinePredecessor, machineSuccessor, order } from './graph';
import {
  fixedEnd,
  hasTransport,
  isSimple,
  jobPredecessor,
  jobSuccessor,
  operations,
  pred,
  predLag,
  predOffset,
  release,
  setupBetween,
  succ,
  succLag,
  succOffset,
  transportBetween,
  waitsForJob,
} from './shop';

/** Computes ends from a position of the order on. */
export function passEnds(ends: StaticArray<i32>, from: i32): void {
  if (!isSimple) {
    passGeneralEnds(ends, from);
    return;
  }
  const into = changetype<usize>(ends);
  const before = changetype<usize>(jobPredecessor);
  const ahead = changetype<usize>(machinePredecessor);
  const durations = changetype<usize>(duration);
  const stop = changetype<usize>(order) + ((<usize>operations) << 2);
  for (let at = changetype<usize>(order) + ((<usize>from) << 2); at < stop; at += 4) {
    const op = offsetAt(at);
    const viaJob = load<i32>(into + offsetAt(before + op));
    const viaMachine = load<i32>(into + offsetAt(ahead + op));
    store<i32>(into + op, max(viaJob, viaMachine) + load<i32>(durations + op));
  }
}

/** Computes rests from a position of the order back to its beginning. */
export function passRests(rests: StaticArray<i32>, from: i32): void {
  if (!isSimple) {
    passGeneralRests(rests, from);
    return;
  }
  const into = changetype<usize>(rests);
  const after = changetype<usize>(jobSuccessor);
  const behind = changetype<usize>(machineSuccessor);
  const durations = changetype<usize>(duration);
  const first = changetype<usize>(order);
  for (let at = first + ((<usize>(from + 1)) << 2); at > first; ) {
    at -= 4;
    const op = offsetAt(at);
    const viaJob = load<i32>(into + offsetAt(after + op));
    const viaMachine = load<i32>(into + offsetAt(behind + op));
    store<i32>(into + op, max(viaJob, viaMachine) + load<i32>(durations + op));
  }
}

function offsetAt(address: usize): usize {
  return (<usize>load<u32>(address)) << 2;
}

function passGeneralEnds(ends: StaticArray<i32>, from: i32): void {
  for (let i = from; i < operations; i++) {
    const op = order[i];
    const k = machine[op];
    const before = machinePredecessor[op];
    if (fixedEnd[op] >= 0) {
      ends[op] = fixedEnd[op];
      continue;
    }
    const start = startAfter(k, arrivalAt(op, k, ends), ends[before], occupied(op, k, before));
    ends[op] = hasDowntimes() ? completionOf(duration[op], k, start) : start + duration[op];
  }
}

/** The setup time of an operation in its current place. */
function occupied(op: i32, k: i32, before: i32): i32 {
  return duration[op] === 0 ? 0 : setupBetween(k, before, op);
}

/** The start of an operation with a setup, when its job is at machine k at `arrival`, and the machine ready at `ready`. */
export function startAfter(k: i32, arrival: i32, ready: i32, setup: i32): i32 {
  return waitsForJob[k] ? max(arrival, ready) + setup : max(arrival, ready + setup);
}

/** The time at which the job of an operation may be at machine k. */
export function arrivalAt(op: i32, k: i32, ends: StaticArray<i32>): i32 {
  let arrival = release[op];
  for (let e = predOffset[op], stop = predOffset[op + 1]; e < stop; e++) {
    const before = pred[e];
    const way = hasTransport ? transportBetween(machine[before], k) : 0;
    arrival = max(arrival, ends[before] + predLag[e] + way);
  }
  return arrival;
}

/** The longest path from the end of an operation on machine k to the end of the schedule, by way of its job. */
export function behindFrom(op: i32, k: i32, rests: StaticArray<i32>): i32 {
  let behind = 0;
  for (let e = succOffset[op], stop = succOffset[op + 1]; e < stop; e++) {
    const after = succ[e];
    const at = machine[after];
    let way = succLag[e] + rests[after];
    if (hasTransport) way += transportBetween(k, at);
    if (waitsForJob[at]) way += occupied(after, at, machinePredecessor[after]);
    behind = max(behind, way);
  }
  return behind;
}

function passGeneralRests(rests: StaticArray<i32>, from: i32): void {
  for (let i = from; i >= 0; i--) {
    const op = order[i];
    const k = machine[op];
    const after = machineSuccessor[op];
    const viaJob = behindFrom(op, k, rests);
    const viaMachine = rests[after] + setupBetween(k, op, after);
    rests[op] = max(viaJob, viaMachine) + duration[op];
  }
}
