import { completionTime, earliestStart } from '../../jssp/calendar.js';
import type { Instance } from '../../jssp/instance.js';
import { operationAt } from '../../jssp/plan.js';
import { type DecodedEntry, nextVisit } from './entries.js';
import type { Numbering } from './numbering.js';
import type { MachineOrder, TextPlace } from './rows.js';

/** An operation in the order of its machine. */
interface QueuedOperation {
  readonly op: number;
  readonly position: number;
  readonly place: TextPlace;
}

/**
 * Times the orders of machines: every operation starts as early as its machine, its job, its release and the calendar
 * allow; frozen starts are kept. If machine orders and job orders form a cycle, the operation with the earliest
 * position in its machine order goes first. Operations of zero duration wait for no machine. Entries are ignored if the
 * job never visits the machine, or not as often as it is listed.
 */
export function timeOrders(
  instance: Instance,
  orders: readonly MachineOrder[],
  numbering: Numbering,
): DecodedEntry[] {
  const queues = queuesOf(instance, orders, numbering);
  const entries: DecodedEntry[] = [];
  const jobEnd = new Float64Array(instance.jobs);
  const machineEnd = new Float64Array(instance.machines);
  inPossibleOrder(instance, queues, ({ op, place }) => {
    const job = instance.jobOf[op];
    const machine = instance.machine[op];
    const isShort = instance.duration[op] === 0;
    const from = isShort ? jobEnd[job] : Math.max(jobEnd[job], machineEnd[machine]);
    const frozen = instance.frozen?.[op] ?? -1;
    const start = frozen >= 0 ? frozen : earliestStart(instance, op, from);
    const end = completionTime(instance, op, start);
    jobEnd[job] = Math.max(jobEnd[job], end);
    if (!isShort) machineEnd[machine] = Math.max(machineEnd[machine], end);
    entries.push({
      job,
      step: op - instance.jobOffset[job],
      machine,
      start,
      end,
      place,
      filled: [],
    });
  });
  return entries;
}

function queuesOf(
  instance: Instance,
  orders: readonly MachineOrder[],
  first: Numbering,
): QueuedOperation[][] {
  const queues: QueuedOperation[][] = Array.from({ length: instance.machines }, () => []);
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
      if (op < 0 || instance.machine[op] !== machine || seen[op] > 0) continue;
      seen[op] = 1;
      queue.push({ op, position: queue.length, place });
    }
  }
  return queues;
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
  let before: QueuedOperation | undefined;
  for (let op = 0; op < instance.operations; op++) {
    const turn = turnOf.get(op);
    if (turn === undefined) continue;
    if (before !== undefined && instance.jobOf[before.op] === instance.jobOf[op]) add(before, turn);
    before = turn;
  }
  return after;
}
