import { jobHeadsAndTails } from '../../jssp/bounds.js';
import type { Instance } from '../../jssp/instance.js';
import { createOneMachine } from './one-machine.js';
import { createSettledOrders, type SettledOrders } from './settled-orders.js';

/**
 * Knowledge about all schedules within a trial makespan: an operation starts no earlier than its head and ends no later
 * than the makespan minus its tail, and some orders are settled. If a window is too narrow for its operation, no such
 * schedule exists, and the method that detects this returns false. Heads and tails are then invalid until `reset` or
 * `restore`.
 */
export interface Propagation {
  /** N entries each, read-only. */
  readonly head: Int32Array;
  readonly tail: Int32Array;
  readonly orders: SettledOrders;
  /** m entries: the number of contradictions on each machine since the creation. */
  readonly contradictions: Int32Array;
  /** Restarts with a trial makespan, and propagates. */
  reset(makespan: number): boolean;
  /** Assumes that one operation precedes another of its machine, and propagates. */
  precede(op: number, other: number): boolean;
  /** Copies the state to a buffer of {@link savedLength} entries. */
  save(buffer: Int32Array): void;
  /** Restores a saved state, for the same makespan. */
  restore(buffer: Int32Array): void;
}

/** The number of entries of a buffer for the state of an instance. */
export function savedLength(instance: Instance): number {
  return 2 * instance.operations + 1;
}

/**
 * Creates a propagation over the jobs and machines of an instance. Calendars are ignored, because a schedule with
 * downtimes becomes a schedule without them if operations are shortened to their durations. Deadlines are ignored
 * unless they are given.
 *
 * @param isOver polled before each visit of a machine: true ends the propagation early; all conclusions drawn so far
 *   are valid
 * @param deadline n entries, the deadline of each job, −1 for none; null to ignore deadlines
 */
export function createPropagation(
  instance: Instance,
  isOver: () => boolean,
  deadline: Int32Array | null = null,
): Propagation {
  const { machines, operations, duration, machine, jobOf, jobOffset, frozen } = instance;
  const along = jobHeadsAndTails(instance);
  const head = new Int32Array(operations);
  const tail = new Int32Array(operations);
  const orders = createSettledOrders(instance);
  const { offset, members, before } = orders;
  const byHead = before.map((_, k) => Int32Array.from({ length: orders.width(k) }, (_, i) => i));
  const byTail = byHead.map((order) => order.slice());
  const single = createOneMachine(byHead.reduce((most, { length }) => Math.max(most, length), 0));
  const contradictions = new Int32Array(machines);
  // Machines with changes, and machines with changes since their last edge-finding: the fast rule runs on all machines
  // first.
  const changed = createNumberQueue(machines);
  const unsearched = createNumberQueue(machines);
  let limit = 0;

  /** Propagates along the job; the machines of later operations count as changed, that of `op` does not. */
  const liftHead = (op: number, time: number): boolean => {
    head[op] = time;
    let ready = time + duration[op];
    if (ready + tail[op] > limit) return false;
    for (let x = op + 1; x < operations && jobOf[x] === jobOf[op] && head[x] < ready; x++) {
      head[x] = ready;
      ready += duration[x];
      if (ready + tail[x] > limit) return false;
      if (duration[x] > 0) changed.push(machine[x]);
    }
    return true;
  };

  const liftTail = (op: number, time: number): boolean => {
    tail[op] = time;
    let behind = time + duration[op];
    if (head[op] + behind > limit) return false;
    for (let x = op - 1; x >= 0 && jobOf[x] === jobOf[op] && tail[x] < behind; x--) {
      tail[x] = behind;
      behind += duration[x];
      if (head[x] + behind > limit) return false;
      if (duration[x] > 0) changed.push(machine[x]);
    }
    return true;
  };

  const visit = (k: number, edges: boolean): boolean => {
    const start = offset[k];
    const count = orders.width(k);
    for (let i = 0; i < count; i++) {
      const op = members[start + i];
      single.head[i] = head[op];
      single.duration[i] = duration[op];
      single.tail[i] = tail[op];
    }
    if (!single.tighten(count, limit, edges, before[k], byHead[k], byTail[k])) return false;
    for (let i = 0; i < count; i++) {
      const op = members[start + i];
      if (single.head[i] > head[op] && !liftHead(op, single.head[i])) return false;
      if (single.tail[i] > tail[op] && !liftTail(op, single.tail[i])) return false;
    }
    return true;
  };

  const conclude = (consistent: boolean): boolean => {
    let holds = consistent;
    while (holds && changed.size() + unsearched.size() > 0 && !isOver()) {
      const edges = changed.size() === 0;
      const k = edges ? unsearched.shift() : changed.shift();
      holds = visit(k, edges);
      if (!edges) unsearched.push(k);
      if (!holds) contradictions[k]++;
    }
    changed.clear();
    unsearched.clear();
    return holds;
  };

  /** A frozen operation starts at its head, whatever the makespan, so its tail is the rest of the makespan. */
  const pinnedTail = (op: number): number =>
    frozen !== null && frozen[op] >= 0 ? limit - frozen[op] - duration[op] : 0;

  /** The tail of a job with a deadline is at least the rest of the makespan after it. */
  const deadlineTail = (op: number): number => {
    const job = jobOf[op];
    const isLast = op + 1 === jobOffset[job + 1];
    return deadline !== null && isLast && deadline[job] >= 0 ? limit - deadline[job] : 0;
  };

  return {
    head,
    tail,
    orders,
    contradictions,
    reset: (makespan) => {
      limit = makespan;
      head.set(along.head);
      tail.set(along.tail);
      orders.undo(0);
      let holds = true;
      for (let op = 0; op < operations && holds; op++) {
        const least = Math.max(tail[op], pinnedTail(op), deadlineTail(op));
        holds = liftHead(op, head[op]) && liftTail(op, least);
      }
      for (let k = 0; k < machines; k++) changed.push(k);
      return conclude(holds);
    },
    precede: (op, other) => {
      orders.settle(op, other);
      changed.push(machine[op]);
      return conclude(true);
    },
    save: (buffer) => {
      buffer.set(head);
      buffer.set(tail, operations);
      buffer[2 * operations] = orders.count();
    },
    restore: (buffer) => {
      head.set(buffer.subarray(0, operations));
      tail.set(buffer.subarray(operations, 2 * operations));
      orders.undo(buffer[2 * operations]);
    },
  };
}

/** A FIFO queue of the numbers 0 … count − 1, each at most once at a time. */
export interface NumberQueue {
  size(): number;
  /** Appends a number, unless it is in the queue already. */
  push(number: number): void;
  /** Removes and returns the first number of a queue that is not empty. */
  shift(): number;
  clear(): void;
}

/** Creates an empty queue: a ring buffer. */
export function createNumberQueue(count: number): NumberQueue {
  const ring = new Int32Array(count);
  const waits = new Uint8Array(count);
  let first = 0;
  let size = 0;

  const shift = (): number => {
    const number = ring[first];
    waits[number] = 0;
    first = first + 1 === count ? 0 : first + 1;
    size--;
    return number;
  };

  return {
    size: () => size,
    push: (number) => {
      if (waits[number] === 1) return;
      waits[number] = 1;
      ring[(first + size++) % count] = number;
    },
    shift,
    clear: () => {
      while (size > 0) shift();
    },
  };
}
