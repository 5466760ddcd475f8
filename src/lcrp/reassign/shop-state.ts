import { completionTime, earliestStart } from '../../jssp/calendar.js';
import { type Instance, isFree } from '../../jssp/instance.js';
import { machineSequences, type Schedule } from '../../jssp/schedule.js';
import { chosenMode, isPlain, modeDuration, modeMachine } from '../../jssp/shop-parts.js';
import { createShopTimer, type ShopTimer } from '../../jssp/shop-timing/timer.js';
import { edgesOf } from '../../search/flexible/edges.js';

/** The edges of precedence by operation: those of operation v are the entries `offset[v] … offset[v + 1] − 1`. */
interface PrecedenceEdges {
  readonly offset: Int32Array;
  readonly op: Int32Array;
  readonly lag: Int32Array;
}

/**
 * The modes and queues of the free operations of a shop while they change, and their times. Queues hold operations that
 * occupy a machine; frozen operations are not in them.
 */
export interface ShopState {
  readonly instance: Instance;
  /** The instance with the machines and durations at this moment, for the functions of calendars. */
  readonly facts: Instance;
  readonly mode: Int32Array;
  readonly machine: Int32Array;
  readonly duration: Int32Array;
  /** N entries each: the operation before and after each one in the queue of its machine; −1 for none. */
  readonly before: Int32Array;
  readonly after: Int32Array;
  /** m entries: the first operation of each queue; −1 for none. */
  readonly first: Int32Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** N entries: 1 for free operations. */
  readonly free: Uint8Array;
  /** The operations in the order in which they were timed last. */
  readonly order: Int32Array;
  readonly predecessors: PrecedenceEdges;
  readonly successors: PrecedenceEdges;
  /** m entries: the time when the frozen operations of each machine are done. */
  readonly machineFree: Int32Array;
  /** For shops with more than modes. */
  readonly timer: ShopTimer | null;
  /** N entries: the predecessors of each operation that are not in order yet, while operations are put in order. */
  readonly open: Int32Array;
  /** N entries: the times that decide the order of operations which their predecessors leave open. */
  readonly rank: Float64Array;
}

/** The state of a schedule, with which it begins. */
export function openState(schedule: Schedule): ShopState {
  const { instance, start, end } = schedule;
  const { operations, machines } = instance;
  const free = Uint8Array.from({ length: operations }, (_, op) => (isFree(instance, op) ? 1 : 0));
  const machine = instance.machine.slice();
  const duration = instance.duration.slice();
  const edges = edgesOf(instance);
  const state: ShopState = {
    instance,
    facts: { ...instance, machine, duration },
    mode: Int32Array.from({ length: operations }, (_, op) => chosenMode(instance, op)),
    machine,
    duration,
    before: new Int32Array(operations).fill(-1),
    after: new Int32Array(operations).fill(-1),
    first: new Int32Array(machines).fill(-1),
    start: start.slice(),
    end: end.slice(),
    free,
    order: new Int32Array(operations),
    predecessors: { offset: edges.predOffset, op: edges.pred, lag: edges.predLag },
    successors: { offset: edges.succOffset, op: edges.succ, lag: edges.succLag },
    machineFree: machinesFree(schedule),
    timer: isPlain(instance) ? null : createShopTimer(instance),
    open: new Int32Array(operations),
    rank: Float64Array.from(start),
  };
  fillQueues(state, schedule);
  return state;
}

/** Fills the queues with the free operations of a schedule that occupy a machine. */
function fillQueues(state: ShopState, schedule: Schedule): void {
  const { machines, machineOffset } = schedule.instance;
  const sequences = machineSequences(schedule);
  for (let k = 0; k < machines; k++) {
    let last = -1;
    for (let slot = machineOffset[k]; slot < machineOffset[k + 1]; slot++) {
      const op = sequences[slot];
      if (state.free[op] === 0 || state.duration[op] === 0) continue;
      state.before[op] = last;
      if (last < 0) state.first[k] = op;
      else state.after[last] = op;
      last = op;
    }
  }
}

/** Takes a free operation out of its queue. */
export function takeOut({ machine, before, after, first }: ShopState, op: number): void {
  const [left, right] = [before[op], after[op]];
  if (left >= 0) after[left] = right;
  else if (first[machine[op]] === op) first[machine[op]] = right;
  if (right >= 0) before[right] = left;
  before[op] = -1;
  after[op] = -1;
}

/** Puts an operation that is in no queue behind another one (−1: in front) on the machine of a mode. */
export function putBehind(state: ShopState, op: number, mode: number, left: number): void {
  const { instance, before, after, first } = state;
  const k = modeMachine(instance, mode);
  state.mode[op] = mode;
  state.machine[op] = k;
  state.duration[op] = modeDuration(instance, mode);
  if (state.duration[op] === 0) return;
  const right = left < 0 ? first[k] : after[left];
  before[op] = left;
  after[op] = right;
  if (left < 0) first[k] = op;
  else after[left] = op;
  if (right >= 0) before[right] = op;
}

/**
 * Times the queues: each free operation starts as early as possible.
 *
 * @returns whether they have a schedule; if not, times are those of the last queues that had one or meaningless
 */
export function timeQueues(state: ShopState): boolean {
  return state.timer === null ? timePlain(state) : timeWithParts(state, state.timer);
}

/** Plain shops: Kahn's algorithm in one pass, O(N) apart from downtimes. */
function timePlain(state: ShopState): boolean {
  const { facts, order, open, free, predecessors, successors, before, after, machine } = state;
  const { start, end, duration, machineFree } = state;
  const { operations, release, calendar } = facts;
  const downs = calendar?.offset ?? null;
  let known = countOpen(state);
  for (let i = 0; i < known; i++) {
    const op = order[i];
    if (free[op] === 1) {
      let ready = 0;
      for (let edge = predecessors.offset[op]; edge < predecessors.offset[op + 1]; edge++) {
        ready = Math.max(ready, end[predecessors.op[edge]]);
      }
      if (duration[op] > 0) {
        const left = before[op];
        ready = Math.max(ready, left < 0 ? machineFree[machine[op]] : end[left]);
      }
      const k = machine[op];
      if (downs === null || downs[k] === downs[k + 1]) {
        start[op] = release === null ? ready : Math.max(ready, release[op]);
        end[op] = start[op] + duration[op];
      } else {
        start[op] = earliestStart(facts, op, ready);
        end[op] = completionTime(facts, op, start[op]);
      }
    }
    for (let edge = successors.offset[op]; edge < successors.offset[op + 1]; edge++) {
      if (--open[successors.op[edge]] === 0) order[known++] = successors.op[edge];
    }
    const right = after[op];
    if (right >= 0 && --open[right] === 0) order[known++] = right;
  }
  return known === operations;
}

/** Counts the open predecessors of each operation, and puts those without any first in order. */
function countOpen({ order, open, predecessors: { offset }, before }: ShopState): number {
  let known = 0;
  for (let op = 0; op < open.length; op++) {
    open[op] = offset[op + 1] - offset[op] + (before[op] >= 0 ? 1 : 0);
    if (open[op] === 0) order[known++] = op;
  }
  return known;
}

/** Shops with more parts: the operations that can be next are ordered by their former starts, started ones first. */
function timeWithParts(state: ShopState, timer: ShopTimer): boolean {
  const { order, open, free, successors, after, rank, mode, start, end } = state;
  const heap: number[] = [];
  const isBefore = (a: number, b: number) =>
    free[a] !== free[b] ? free[a] < free[b] : rank[a] !== rank[b] ? rank[a] < rank[b] : a < b;
  const push = (op: number) => {
    let i = heap.push(op) - 1;
    while (i > 0 && isBefore(op, heap[(i - 1) >> 1])) {
      heap[i] = heap[(i - 1) >> 1];
      i = (i - 1) >> 1;
    }
    heap[i] = op;
  };
  const pop = (): number => {
    const top = heap[0];
    const last = heap.pop() as number;
    if (heap.length === 0) return top;
    let i = 0;
    for (let child = 1; child < heap.length; child = 2 * i + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
      if (!isBefore(heap[child], last)) break;
      heap[i] = heap[child];
      i = child;
    }
    heap[i] = last;
    return top;
  };
  const roots = countOpen(state);
  for (const op of order.slice(0, roots)) push(op);
  let known = 0;
  while (heap.length > 0) {
    const op = pop();
    order[known++] = op;
    for (let edge = successors.offset[op]; edge < successors.offset[op + 1]; edge++) {
      if (--open[successors.op[edge]] === 0) push(successors.op[edge]);
    }
    if (after[op] >= 0 && --open[after[op]] === 0) push(after[op]);
  }
  if (known < order.length || timer.time(order, mode) !== 0) return false;
  start.set(timer.start);
  end.set(timer.end);
  return true;
}

function machinesFree({ instance, end }: Schedule): Int32Array {
  const { machines, machine, duration, operations } = instance;
  const free = new Int32Array(machines);
  for (let op = 0; op < operations; op++) {
    if (isFree(instance, op) || duration[op] === 0) continue;
    free[machine[op]] = Math.max(free[machine[op]], end[op]);
  }
  return free;
}
