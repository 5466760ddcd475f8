import { completionTime, earliestStart, latestStart } from '../../jssp/calendar.js';
import type { Instance } from '../../jssp/instance.js';
import type { Objective } from '../../jssp/objectives.js';
import { semiActive } from '../../jssp/timing.js';
import { sequencesOf } from '../../search/evolution/solution.js';

/** Machine orders, and the plan to which they are to be aligned. */
export interface Alignment {
  /** N operations in a topological order, which implies the machine orders. */
  readonly order: Int32Array;
  /** N entries: the planned start of each operation, −1 for none. */
  readonly planned: Int32Array;
  readonly objective: Objective;
  /** A lower bound on the makespan. */
  readonly floor: number;
  /** Operations that are not to be done later than the orders allow. */
  readonly pinned?: { has(op: number): boolean } | undefined;
}

/**
 * Realigns machine orders with the plan: the objective is that of their semi-active schedule, and
 * within that every start is as close to the planned one as what precedes it allows.
 *
 * @param shop an instance without frozen starts
 * @returns N starts, a feasible schedule
 */
export function alignWithPlan(shop: Instance, alignment: Alignment): Int32Array {
  const { order, planned, objective, floor, pinned } = alignment;
  const { end, makespan } = semiActive(shop, sequencesOf(shop, order));
  const limit = objective === 'makespan' ? Math.max(makespan, floor) : null;
  const latestEnd = (op: number) => (pinned?.has(op) ? end[op] : latestEndOf(shop, op, end, limit));
  return realign(shop, order, planned, latestEnd);
}

/** The time by which an operation has to be done so that the objective stays that of the ends given. */
function latestEndOf(shop: Instance, op: number, end: Int32Array, limit: number | null): number {
  const { jobOf, jobOffset, due, deadline } = shop;
  let latest = limit ?? Number.POSITIVE_INFINITY;
  const job = jobOf[op];
  if (op + 1 < jobOffset[job + 1]) return latest;
  if (limit === null && due !== null && due[job] >= 0) latest = Math.max(due[job], end[op]);
  if (deadline === null || deadline[job] < 0) return latest;
  return Math.min(latest, Math.max(deadline[job], end[op]));
}

/**
 * Moves the starts of machine orders as close to the plan as they may be: each is the planned one,
 * but not before what precedes it allows, and not so late that something would be done after its
 * `latestEnd`. Free operations only. O(N), not counting downtimes.
 *
 * @param latestEnd the time by which an operation has to be done, whatever follows it; Infinity for
 *   any, and never earlier than it is done in the semi-active schedule of the order
 * @returns N starts, a feasible schedule
 */
function realign(
  instance: Instance,
  order: Int32Array,
  planned: Int32Array,
  latestEnd: (op: number) => number,
): Int32Array {
  const { operations, machines, machine, duration, jobOf } = instance;
  const latest = new Float64Array(operations);
  const nextOn = new Int32Array(machines).fill(-1);
  for (let i = operations - 1; i >= 0; i--) {
    const op = order[i];
    let by = latestEnd(op);
    if (op + 1 < operations && jobOf[op + 1] === jobOf[op]) by = Math.min(by, latest[op + 1]);
    if (duration[op] > 0) {
      const next = nextOn[machine[op]];
      if (next >= 0) by = Math.min(by, latest[next]);
      nextOn[machine[op]] = op;
    }
    latest[op] = by === Number.POSITIVE_INFINITY ? by : latestStart(instance, op, by);
  }
  const start = new Int32Array(operations);
  const jobFree = new Int32Array(instance.jobs);
  const machineFree = new Int32Array(machines);
  for (let i = 0; i < operations; i++) {
    const op = order[i];
    let ready = jobFree[jobOf[op]];
    if (duration[op] > 0) ready = Math.max(ready, machineFree[machine[op]]);
    const wanted = earliestStart(instance, op, Math.max(ready, planned[op]));
    start[op] = Math.min(wanted, latest[op]);
    const end = completionTime(instance, op, start[op]);
    jobFree[jobOf[op]] = end;
    if (duration[op] > 0) machineFree[machine[op]] = end;
  }
  return start;
}
