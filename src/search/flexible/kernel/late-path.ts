// The path of operations that delay one another up to one that ends late; with downtimes, too.
import { randomBelow } from '../../kernel/random';
import { duration, end, machine, machinePredecessor } from './graph';
import {
  fixed,
  operations,
  pred,
  predLag,
  predOffset,
  release,
  setupBetween,
  transportBetween,
  waitsForJob,
} from './shop';

/** The operations of the path, the last one first. */
export let latePath = new StaticArray<i32>(0);
export let lateLength: i32 = 0;

export function allocateLatePath(n: i32): void {
  latePath = new StaticArray<i32>(n);
}

/** Follows predecessors that determine starts back from an operation; ties are broken at random. */
export function findLatePath(late: i32): void {
  lateLength = 0;
  for (let op = late; op < operations; op = delayingPredecessor(op)) {
    if (lateLength === latePath.length) return;
    latePath[lateLength++] = op;
  }
}

/** The predecessor after which an operation starts; the dummy if it starts at its release, or at the beginning. */
function delayingPredecessor(op: i32): i32 {
  if (fixed[op]) return operations;
  const k = machine[op];
  const before = machinePredecessor[op];
  const setup = duration[op] === 0 ? 0 : setupBetween(k, before, op);
  const waits = waitsForJob[k] ? setup : 0;
  let latest = release[op] + waits;
  let chosen = operations;
  let choices = 1;
  if (before < operations && end[before] + setup >= latest) {
    latest = end[before] + setup;
    chosen = before;
  }
  for (let e = predOffset[op], stop = predOffset[op + 1]; e < stop; e++) {
    const u = pred[e];
    const ready = end[u] + predLag[e] + transportBetween(machine[u], k) + waits;
    if (ready < latest || (ready === latest && randomBelow(++choices) !== 0)) continue;
    if (ready > latest) choices = 1;
    latest = ready;
    chosen = u;
  }
  return latest === 0 ? operations : chosen;
}
