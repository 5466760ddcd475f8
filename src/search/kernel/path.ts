// The critical path of an iteration: the cause of the current cost.
import { bindingSuccessor, earlyPrice } from './earliness';
import { jobPredecessor, machinePredecessor, operations, position, release } from './graph';
import { drawHurried, drawLate } from './objective';
import { random } from './random';
import { end } from './times';
import { drawExit, exitsOnMachine, isWindowed, windowFrom } from './window';

/** A critical path, from `pathStart` to the end of the array. */
export let path = new StaticArray<i32>(0);
export let pathStart: i32 = 0;
/**
 * Whether moving the first operation of the first block has no effect, because nothing precedes it except operations of
 * the same block outside the window, …
 */
export let staysAtStart: bool = true;
/** … and the same for the last operation of the last block. */
export let staysAtEnd: bool = true;

export function allocatePath(n: i32): void {
  path = new StaticArray<i32>(n);
}

/** Finds the cause of the current cost: a critical path, or the path after an early start. */
export function findPath(current: f64): void {
  const hurried = earlyPrice === 0 ? operations : drawHurried();
  if (hurried < operations) findPathBehind(hurried);
  else if (isWindowed) findPathInWindow(<i32>current);
  else findCriticalPath(drawLate(current));
}

/** Follows binding successors from an operation that must start early; ties are broken at random. */
function findPathBehind(hurried: i32): void {
  let length = 0;
  for (let op = hurried; op < operations; op = bindingSuccessor(op)) path[length++] = op;
  pathStart = operations - length;
  const from = changetype<usize>(path);
  memory.copy(from + ((<usize>pathStart) << 2), from, length << 2);
  staysAtStart = false;
  staysAtEnd = true;
}

/** Follows binding predecessors back from an operation that ends too late; ties are broken at random. */
function findCriticalPath(late: i32): void {
  let op = late;
  pathStart = operations;
  staysAtEnd = true;
  while (op < operations) {
    path[--pathStart] = op;
    const a = jobPredecessor[op];
    const b = machinePredecessor[op];
    const viaJob = end[a];
    const viaMachine = end[b];
    const ready = max(viaJob, viaMachine);
    if (ready === 0 || ready < release[op]) {
      staysAtStart = release[op] === 0;
      break;
    }
    if (viaJob === viaMachine) op = (random() & 1) === 0 ? a : b;
    else op = viaJob > viaMachine ? a : b;
  }
}

/**
 * Finds the part of a critical path inside the window, backwards from its last operation; ties are broken at random.
 */
function findPathInWindow(current: i32): void {
  let op = drawExit(current);
  pathStart = operations;
  staysAtStart = false;
  staysAtEnd = exitsOnMachine;
  while (op < operations && position[op] >= windowFrom) {
    path[--pathStart] = op;
    const a = jobPredecessor[op];
    const b = machinePredecessor[op];
    const viaJob = end[a];
    const viaMachine = end[b];
    const ready = max(viaJob, viaMachine);
    if (ready === 0 || ready < release[op]) {
      staysAtStart = release[op] === 0;
      break;
    }
    if (viaJob === viaMachine) staysAtStart = (random() & 1) === 0;
    else staysAtStart = viaMachine > viaJob;
    op = staysAtStart ? b : a;
  }
}
