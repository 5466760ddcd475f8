import { type Instance, replaceInstance } from '../../jssp/instance.js';
import { decideFeasibility } from '../../search/bounds/feasibility.js';
import { infeasibleReason } from '../../search/bounds/infeasibility.js';
import { pairsOf } from '../../search/bounds/strong-lower-bound.js';
import { createProblem } from '../../search/problem.js';

/** The free operations of a shop, their planned starts, and which of these must be kept. */
export interface PinShop {
  /** Nothing is frozen; due dates and deadlines are ignored. */
  readonly shop: Instance;
  /** N entries: the planned start, −1 for none. */
  readonly planned: Int32Array;
  /** Operations with a planned start, in a topological order of the jobs. */
  readonly order: Int32Array;
  /** m entries: 1 for machines whose queues keep their order. */
  readonly keepsOrder: Uint8Array;
}

/** Whether a schedule keeps some pins. */
export interface PinDecision {
  readonly verdict: 'possible' | 'refuted' | 'undecided';
  /** If possible: the starts of all operations that must precede a pin, in one such schedule. */
  readonly starts: ReadonlyMap<number, number>;
}

/** The limits of branching nodes for one decision, and of pairs of operations in all nodes together. */
const NODES = 2000;
const PAIRS = 1_000_000;

/**
 * Decides whether any schedule keeps these operations at their planned starts. Only operations that must precede a pin
 * count: along its job, and on machines that keep their order. All others can come later.
 */
export function decidePins(
  whole: PinShop,
  pins: readonly number[],
  isOver: () => boolean,
): PinDecision {
  const none = new Map<number, number>();
  if (pins.length === 0) return { verdict: 'possible', starts: none };
  const { members, instance, orders } = partBefore(whole, pins);
  if (infeasibleReason(instance) !== null) return { verdict: 'refuted', starts: none };
  const nodes = Math.min(NODES, Math.ceil(PAIRS / Math.max(1, pairsOf(instance))));
  const problem = createProblem(instance, 'makespan');
  const { verdict, schedule } = decideFeasibility(problem, nodes, isOver, orders);
  if (schedule === null) {
    return { verdict: verdict === 'refuted' ? 'refuted' : 'undecided', starts: none };
  }
  const starts = new Map<number, number>();
  members.forEach((op, i) => {
    starts.set(op, schedule.start[i]);
  });
  return { verdict: 'possible', starts };
}

/** The operations that must not come after some pins, as an instance in which the pins are frozen. */
function partBefore({ shop, planned, order, keepsOrder }: PinShop, pins: readonly number[]) {
  const { jobs, jobOffset, jobOf, machine, duration, machines } = shop;
  const stop = jobOffset.slice(0, jobs);
  const last = new Int32Array(machines).fill(-1);
  const queues = queuesOf(order, shop, keepsOrder);
  const place = new Map<number, number>();
  for (const queue of queues) for (const [i, op] of queue.entries()) place.set(op, i);
  const waiting = [...pins];
  for (let op = waiting.pop(); op !== undefined; op = waiting.pop()) {
    const job = jobOf[op];
    for (; stop[job] <= op; stop[job]++) {
      const k = machine[stop[job]];
      const until = place.get(stop[job]) ?? -1;
      for (; last[k] < until; last[k]++) waiting.push(queues[k][last[k] + 1]);
    }
  }
  const members: number[] = [];
  const offset = new Int32Array(jobs + 1);
  for (let job = 0; job < jobs; job++) {
    for (let op = jobOffset[job]; op < stop[job]; op++) members.push(op);
    offset[job + 1] = members.length;
  }
  const numberOf = new Map(members.map((op, i) => [op, i]));
  const frozen = new Int32Array(members.length).fill(-1);
  for (const op of pins) frozen[numberOf.get(op) as number] = planned[op];
  const pick = (values: Int32Array) => Int32Array.from(members, (op) => values[op]);
  const instance = replaceInstance(shop, {
    jobOffset: offset,
    machine: pick(machine),
    duration: pick(duration),
    release: shop.release === null ? null : pick(shop.release),
    frozen,
    names: null,
  });
  const orders: [number, number][] = [];
  for (const queue of queues) {
    const inside = queue.flatMap((op) => numberOf.get(op) ?? []);
    for (let i = 1; i < inside.length; i++) orders.push([inside[i - 1], inside[i]]);
  }
  return { members, instance, orders };
}

/** The planned queues of the machines that keep their order; empty ones for the others. */
function queuesOf(
  order: Int32Array,
  { machines, machine, duration }: Instance,
  keepsOrder: Uint8Array,
): number[][] {
  const queues: number[][] = Array.from({ length: machines }, () => []);
  for (const op of order) {
    if (keepsOrder[machine[op]] === 1 && duration[op] > 0) queues[machine[op]].push(op);
  }
  return queues;
}
