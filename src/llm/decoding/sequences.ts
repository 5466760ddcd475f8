import { completionTime } from '../../jssp/calendar.js';
import type { Instance } from '../../jssp/instance.js';
import { assignModes } from '../../jssp/instance.js';
import { operationAt } from '../../jssp/plan.js';
import {
  eachPredecessor,
  findMode,
  modeDuration,
  modeMachine,
  modesOf,
} from '../../jssp/shop-parts.js';
import { timeList } from '../../jssp/shop-timing/lists.js';
import { type DecodedEntry, nextVisit } from './entries.js';
import type { Numbering } from './numbering.js';
import { createListTimes } from './order-times.js';
import type { MachineOrder, TextPlace } from './rows.js';

/** An operation in the order of its machine. */
interface QueuedOperation {
  readonly op: number;
  readonly position: number;
  readonly place: TextPlace;
}

/** The orders of the machines, for the instance with the modes that they imply. */
interface MachineQueues {
  readonly instance: Instance;
  readonly queues: readonly (readonly QueuedOperation[])[];
}

/**
 * Times the orders of machines: every operation starts as early as its machine, its job, its release and the calendar
 * allow, with its setup, transport and waiting times; frozen starts are kept. If the orders are complete, operators,
 * tools and greatest waiting times count, too, operations that could start first having them first. If machine orders
 * and job orders form a cycle, the operation with the earliest position in its machine order goes first. Operations of
 * zero duration wait for no machine. Entries are ignored if the machine cannot do an operation of the job, or not as
 * often as it is listed.
 */
export function timeOrders(
  instance: Instance,
  orders: readonly MachineOrder[],
  numbering: Numbering,
): DecodedEntry[] {
  const { instance: assigned, queues } = queuesOf(instance, orders, numbering);
  const times = createListTimes(assigned);
  const timed: { readonly op: number; readonly start: number; readonly place: TextPlace }[] = [];
  inPossibleOrder(assigned, queues, ({ op, place }) => {
    timed.push({ op, start: times.append(op), place });
  });
  const exact = exactTimes(assigned, timed);
  return timed.map(({ op, start: earliest, place }) => {
    const job = assigned.jobOf[op];
    const start = exact?.[op] ?? earliest;
    const end = completionTime(assigned, op, start);
    const step = op - assigned.jobOffset[job];
    return { job, step, machine: assigned.machine[op], start, end, place, filled: [] };
  });
}

/** The times of a complete order with everything that only the whole order determines; null if there are none. */
function exactTimes(
  instance: Instance,
  timed: readonly { readonly op: number; readonly start: number }[],
): Int32Array | null {
  const { precedence, resources, operations } = instance;
  const isExact = resources === null && !precedence?.maxLag.some((lag) => lag >= 0);
  if (isExact || timed.length < operations) return null;
  // The order of visits is possible, and stays so among operations that start together.
  const order = timed.toSorted((a, b) => a.start - b.start).map(({ op }) => op);
  return timeList(instance, Int32Array.from(order));
}

function queuesOf(
  instance: Instance,
  orders: readonly MachineOrder[],
  first: Numbering,
): MachineQueues {
  const queues: QueuedOperation[][] = Array.from({ length: instance.machines }, () => []);
  const chosen = instance.modes?.chosen.slice();
  const visits = new Map<string, number>();
  const seen = new Uint8Array(instance.operations);
  for (const { machine: number, turns } of orders) {
    const machine = number - first.machine;
    const queue = queues[machine];
    if (queue === undefined) continue;
    for (const { job: label, step: named, place } of turns) {
      const job = label - first.job;
      if (operationAt(instance, job, 0) < 0) continue;
      const step =
        named === undefined ? nextVisit(instance, job, machine, visits) : named - first.step;
      const op = step === undefined ? -1 : operationAt(instance, job, step);
      const mode = op < 0 ? -1 : shortestMode(instance, op, machine);
      if (mode < 0 || seen[op] > 0) continue;
      seen[op] = 1;
      if (chosen !== undefined) chosen[op] = mode;
      queue.push({ op, position: queue.length, place });
    }
  }
  return { instance: chosen === undefined ? instance : assignModes(instance, chosen), queues };
}

/** The shortest mode of an operation on a machine, which is the taken one if the operation has started; −1 if none. */
function shortestMode(instance: Instance, op: number, machine: number): number {
  const { modes, frozen } = instance;
  if (modes !== null && frozen !== null && frozen[op] >= 0) {
    const taken = modes.chosen[op];
    return modes.machine[taken] === machine ? taken : -1;
  }
  let found = findMode(instance, op, machine);
  const [first, stop] = modesOf(instance, op);
  for (let mode = first; mode < stop && found >= 0; mode++) {
    if (modeMachine(instance, mode) !== machine) continue;
    if (modeDuration(instance, mode) < modeDuration(instance, found)) found = mode;
  }
  return found;
}

/** Visits all entries, each after its predecessors on its machine and in its job unless they form a cycle. */
function inPossibleOrder(
  instance: Instance,
  queues: readonly (readonly QueuedOperation[])[],
  visit: (turn: QueuedOperation) => void,
): void {
  const turns = queues.flat();
  const turnOf = new Map(turns.map((turn) => [turn.op, turn]));
  const after = successors(instance, queues, turnOf);
  const waits = new Map<QueuedOperation, number>(turns.map((turn) => [turn, 0]));
  for (const list of after.values())
    for (const turn of list) waits.set(turn, (waits.get(turn) ?? 0) + 1);
  const ready = turns.filter((turn) => waits.get(turn) === 0);
  const byPosition = turns.toSorted((a, b) => a.position - b.position || a.op - b.op);
  const done = new Set<QueuedOperation>();
  for (let next = 0; next <= byPosition.length; next++) {
    for (let turn = ready.pop(); turn !== undefined; turn = ready.pop()) {
      if (done.has(turn)) continue;
      done.add(turn);
      visit(turn);
      for (const later of after.get(turn) ?? []) {
        const left = (waits.get(later) ?? 0) - 1;
        waits.set(later, left);
        if (left === 0) ready.push(later);
      }
    }
    // Only cycles leave operations here: the one with the earliest position in its machine order goes first.
    const stuck = byPosition[next];
    if (stuck !== undefined && !done.has(stuck)) ready.push(stuck);
  }
}

function successors(
  instance: Instance,
  queues: readonly (readonly QueuedOperation[])[],
  turnOf: ReadonlyMap<number, QueuedOperation>,
): Map<QueuedOperation, QueuedOperation[]> {
  const after = new Map<QueuedOperation, QueuedOperation[]>();
  const add = (turn: QueuedOperation, later: QueuedOperation) => {
    const list = after.get(turn);
    if (list === undefined) after.set(turn, [later]);
    else list.push(later);
  };
  for (const all of queues) {
    const queue = all.filter(({ op }) => instance.duration[op] > 0);
    for (let i = 1; i < queue.length; i++) add(queue[i - 1], queue[i]);
  }
  if (instance.precedence === null) addChains(instance, turnOf, add);
  else {
    for (const turn of turnOf.values()) {
      eachPredecessor(instance, turn.op, (predecessor) => {
        const before = turnOf.get(predecessor);
        if (before !== undefined) add(before, turn);
      });
    }
  }
  return after;
}

/** Each operation of a job waits for the listed one before it. */
function addChains(
  instance: Instance,
  turnOf: ReadonlyMap<number, QueuedOperation>,
  add: (turn: QueuedOperation, later: QueuedOperation) => void,
): void {
  let before: QueuedOperation | undefined;
  for (let op = 0; op < instance.operations; op++) {
    const turn = turnOf.get(op);
    if (turn === undefined) continue;
    if (before !== undefined && instance.jobOf[before.op] === instance.jobOf[op]) add(before, turn);
    before = turn;
  }
}
