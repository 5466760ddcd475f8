// A critical path, the cause of the current makespan.
import { randomBelow } from '../../kernel/random';
import { duration, end, latestOf, machine, machinePredecessor } from './graph';
import {
  last,
  operations,
  pred,
  predLag,
  predOffset,
  setupBetween,
  transportBetween,
  waitsForJob,
} from './shop';

/** The operations of a critical path, the last one first. */
export let path = new StaticArray<i32>(0);
export let pathLength: i32 = 0;

export function allocatePath(n: i32): void {
  path = new StaticArray<i32>(n);
}

/** Follows binding predecessors back from a random operation that ends last; ties are broken at random. */
export function findPath(): void {
  pathLength = 0;
  for (let op = drawLast(); op < operations; op = bindingPredecessor(op)) path[pathLength++] = op;
}

function drawLast(): i32 {
  const latest = latestOf(end);
  let choices = 0;
  let chosen = operations;
  for (let j = 0; j < last.length; j++) {
    if (end[last[j]] === latest && randomBelow(++choices) === 0) chosen = last[j];
  }
  return chosen;
}

/** A predecessor that determines the start of an operation; the dummy if there is none. */
function bindingPredecessor(op: i32): i32 {
  const k = machine[op];
  const start = end[op] - duration[op];
  if (start === 0) return operations;
  const before = machinePredecessor[op];
  const setup = duration[op] === 0 ? 0 : setupBetween(k, before, op);
  const arrival = waitsForJob[k] ? start - setup : start;
  let choices = 0;
  let chosen = operations;
  if (before < operations && end[before] + setup === start) {
    choices = 1;
    chosen = before;
  }
  for (let e = predOffset[op], stop = predOffset[op + 1]; e < stop; e++) {
    const u = pred[e];
    if (end[u] + predLag[e] + transportBetween(machine[u], k) !== arrival) continue;
    if (randomBelow(++choices) === 0) chosen = u;
  }
  return chosen;
}
