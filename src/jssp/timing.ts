import { AlasError, CycleError, InputError } from '@alas-jssp/core/errors';
import { completionTime, earliestStart } from './calendar.js';
import type { Instance } from './instance.js';
import { createSchedule, machineSequences, type Schedule } from './schedule.js';
import { wordsOf } from './words.js';

/** The number of operations in the message of a cycle; the error itself carries all of them. */
const NAMED_IN_CYCLE = 8;

/** The operations right before and right after each one on its machine; −1 for none. */
export interface MachineNeighbours {
  readonly predecessor: Int32Array;
  readonly successor: Int32Array;
}

/** Heads and tails of all operations for given machine orders. */
export interface Timing {
  /** N entries: the operations in topological order. */
  readonly order: Int32Array;
  /** N entries: earliest start of each operation. */
  readonly head: Int32Array;
  /** N entries: longest path from the completion of each operation to the end. */
  readonly tail: Int32Array;
  /** The latest completion time. */
  readonly makespan: number;
}

/**
 * Times machine orders semi-actively: every operation starts as early as its job, its machine,
 * its release and the calendar allow (French 1982, Sequencing and Scheduling, chapter 10).
 * Operations with a frozen start keep it.
 *
 * @param sequences N operation ids, the order of each machine in the slots of
 *   `instance.machineOffset`
 * @throws InputError if a machine's slots do not hold its operations, each once
 * @throws CycleError if no schedule can follow the orders
 * @throws AlasError `frozen_unreachable` if an operation cannot be ready at its frozen start
 */
export function semiActive(instance: Instance, sequences: Int32Array): Schedule {
  const { predecessor, successor } = machineNeighbours(instance, sequences);
  const order = topologicalOrder(instance, predecessor, successor);
  return createSchedule(instance, earliestStarts(instance, predecessor, order));
}

/**
 * Heads and tails for machine orders. The head is the semi-active start; the tail is the longest path after the
 * operation, its own duration excluded, so that without a calendar `head + duration + tail` is the length of the
 * longest path through it.
 *
 * With a calendar or frozen starts the tails ignore both and are lower bounds.
 *
 * @throws as {@link semiActive}
 */
export function headsAndTails(instance: Instance, sequences: Int32Array): Timing {
  const { predecessor, successor } = machineNeighbours(instance, sequences);
  const order = topologicalOrder(instance, predecessor, successor);
  const head = earliestStarts(instance, predecessor, order);
  const { operations, duration, jobOf } = instance;
  const tail = new Int32Array(operations);
  for (let i = operations - 1; i >= 0; i--) {
    const op = order[i];
    const next = op + 1;
    const behind = successor[op];
    let longest = next < operations && jobOf[next] === jobOf[op] ? tail[next] + duration[next] : 0;
    if (behind >= 0) longest = Math.max(longest, tail[behind] + duration[behind]);
    tail[op] = longest;
  }
  return { order, head, tail, makespan: createSchedule(instance, head).makespan };
}

/**
 * A critical path of a complete schedule: from an operation that waits for no other (except for its release, a
 * downtime, or its frozen start) to one that ends at the makespan, each starting as soon as its predecessor allows. If
 * two predecessors bind, the one on the machine is chosen.
 *
 * @returns operation ids in time order; empty if nothing is scheduled
 */
export function criticalPath(
  schedule: Schedule,
  sequences = machineSequences(schedule),
): Int32Array {
  const { instance, start, end, makespan } = schedule;
  const { predecessor } = machineNeighbours(instance, sequences);
  const path: number[] = [];
  let op = makespan > 0 ? end.indexOf(makespan) : -1;
  while (op >= 0) {
    path.push(op);
    const before = [predecessor[op], jobPredecessor(instance, op)].filter((other) => other >= 0);
    const ready = Math.max(0, ...before.map((other) => end[other]));
    const binds = isDelayedByPredecessors(instance, op, start[op], ready);
    op = (binds ? before.find((other) => end[other] === ready) : undefined) ?? -1;
  }
  return Int32Array.from(path.reverse());
}

/**
 * Whether an operation whose predecessors are done at `ready` starts as soon as they allow, and would start earlier if
 * they were done earlier. Otherwise it waits for its release or a downtime.
 */
function isDelayedByPredecessors(
  instance: Instance,
  op: number,
  start: number,
  ready: number,
): boolean {
  if (ready === 0 || (instance.frozen !== null && instance.frozen[op] >= 0)) return false;
  return (
    earliestStart(instance, op, ready) === start && earliestStart(instance, op, ready - 1) < start
  );
}

/** Cuts a path into blocks: maximal runs of operations on one machine. */
export function criticalBlocks(instance: Instance, path: Int32Array): Int32Array[] {
  const blocks: Int32Array[] = [];
  let first = 0;
  for (let i = 1; i <= path.length; i++) {
    if (i === path.length || instance.machine[path[i]] !== instance.machine[path[first]]) {
      blocks.push(path.subarray(first, i));
      first = i;
    }
  }
  return blocks;
}

/**
 * Machine predecessors and successors by operation. Operations of zero duration occupy no machine, so they have
 * neither, whatever their position in the sequences.
 *
 * @throws InputError if a machine's slots do not hold its operations, each once
 */
export function machineNeighbours(instance: Instance, sequences: Int32Array): MachineNeighbours {
  const { operations, machines, machine, machineOffset, duration } = instance;
  if (sequences.length !== operations) {
    throw badSequences(`${sequences.length} entries for ${operations} operations`);
  }
  const predecessor = new Int32Array(operations).fill(-1);
  const successor = new Int32Array(operations).fill(-1);
  const seen = new Uint8Array(operations);
  for (let k = 0; k < machines; k++) {
    let last = -1;
    for (let slot = machineOffset[k]; slot < machineOffset[k + 1]; slot++) {
      const op = sequences[slot];
      if (machine[op] !== k) throw badSequences(`operation ${op} is not of machine ${k}`, op);
      if (seen[op] === 1) throw badSequences(`operation ${op} comes twice on machine ${k}`, op);
      seen[op] = 1;
      if (duration[op] === 0) continue;
      if (last >= 0) {
        predecessor[op] = last;
        successor[last] = op;
      }
      last = op;
    }
  }
  return { predecessor, successor };
}

/** Kahn's algorithm over job and machine orders; throws a CycleError that names a cycle. */
function topologicalOrder(
  instance: Instance,
  predecessor: Int32Array,
  successor: Int32Array,
): Int32Array {
  const { operations, jobOf } = instance;
  const waitsFor = new Uint8Array(operations);
  const order = new Int32Array(operations);
  let ready = 0;
  for (let op = 0; op < operations; op++) {
    waitsFor[op] = (jobPredecessor(instance, op) >= 0 ? 1 : 0) + (predecessor[op] >= 0 ? 1 : 0);
    if (waitsFor[op] === 0) order[ready++] = op;
  }
  for (let done = 0; done < ready; done++) {
    const op = order[done];
    const next = op + 1;
    if (next < operations && jobOf[next] === jobOf[op] && --waitsFor[next] === 0) {
      order[ready++] = next;
    }
    const behind = successor[op];
    if (behind >= 0 && --waitsFor[behind] === 0) order[ready++] = behind;
  }
  if (ready < operations) throw cycleError(instance, predecessor, waitsFor);
  return order;
}

function earliestStarts(
  instance: Instance,
  predecessor: Int32Array,
  order: Int32Array,
): Int32Array {
  const { operations, frozen } = instance;
  const start = new Int32Array(operations);
  const end = new Int32Array(operations);
  for (let i = 0; i < operations; i++) {
    const op = order[i];
    const before = jobPredecessor(instance, op);
    let from = before >= 0 ? end[before] : 0;
    if (predecessor[op] >= 0 && end[predecessor[op]] > from) from = end[predecessor[op]];
    if (frozen !== null && frozen[op] >= 0) {
      if (frozen[op] < from) throw frozenUnreachable(instance, op, from);
      start[op] = frozen[op];
    } else {
      start[op] = earliestStart(instance, op, from);
    }
    end[op] = completionTime(instance, op, start[op]);
  }
  return start;
}

function jobPredecessor(instance: Instance, op: number): number {
  return op > 0 && instance.jobOf[op - 1] === instance.jobOf[op] ? op - 1 : -1;
}

/** Walks backwards among operations that never became ready until one repeats. */
function cycleError(instance: Instance, predecessor: Int32Array, waitsFor: Uint8Array): CycleError {
  const position = new Map<number, number>();
  const walk: number[] = [];
  let op = waitsFor.findIndex((count) => count > 0);
  while (!position.has(op)) {
    position.set(op, walk.length);
    walk.push(op);
    const before = jobPredecessor(instance, op);
    op = before >= 0 && waitsFor[before] > 0 ? before : predecessor[op];
  }
  const words = wordsOf(instance);
  const cycle = walk.slice(position.get(op)).reverse();
  const names = cycle
    .slice(0, NAMED_IN_CYCLE)
    .map((one) => `${words.operation(one)} (${words.machine(instance.machine[one])})`);
  if (cycle.length > NAMED_IN_CYCLE) names.push(`… ${cycle.length - NAMED_IN_CYCLE} more`);
  return new CycleError(
    `the machine orders form a cycle with the job orders: ${names.join(' before ')} before ${names[0]}`,
    cycle,
  );
}

function frozenUnreachable(instance: Instance, op: number, from: number): AlasError {
  const start = instance.frozen?.[op];
  const { operation, time } = wordsOf(instance);
  return new AlasError(
    'frozen_unreachable',
    `${operation(op)} started at ${start === undefined ? start : time(start)}, but in these machine orders it is not ready before ${time(from)}`,
    op,
  );
}

function badSequences(problem: string, value?: number): InputError {
  return new InputError(
    'bad_sequences',
    `machine sequences: ${problem}`,
    'list the operations of each machine once, in the slots of machineOffset',
    {},
    value,
  );
}
