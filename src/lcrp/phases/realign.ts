import { completionTime, earliestStart, latestStart } from '../../jssp/calendar.js';
import type { Instance } from '../../jssp/instance.js';
import { type Objective, objectiveValue, otherObjective } from '../../jssp/objectives.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { semiActive } from '../../jssp/timing.js';
import { sequencesOf } from '../../search/evolution/solution.js';

/** Machine orders, and the plan to align them with. */
export interface Alignment {
  /** N operations in a topological order, which implies the machine orders. */
  readonly order: Int32Array;
  /** N entries: the planned start of each operation, −1 for none. */
  readonly planned: Int32Array;
  readonly objective: Objective;
  /** A lower bound on the makespan. */
  readonly floor: number;
  /** Operations that must not end later than the orders allow. */
  readonly pinned?: { has(op: number): boolean } | undefined;
  /** The cost of an operation that starts earlier than planned, in units of the objective; default 0. */
  readonly movePrice?: number | undefined;
  /** Whether the other objective must also keep its value for the orders, if that costs nothing. */
  readonly breaksTies?: boolean | undefined;
}

const FOREVER = Number.POSITIVE_INFINITY;

/**
 * Realigns machine orders with the plan: the objective is that of their semi-active schedule, and within that every
 * start is as close to the planned one as its predecessors allow. If starting early has a price, a worse objective is
 * allowed where it lowers the total cost.
 *
 * @param shop an instance without frozen starts
 * @returns N starts, a feasible schedule
 */
export function alignWithPlan(shop: Instance, alignment: Alignment): Int32Array {
  const tight = semiActive(shop, sequencesOf(shop, alignment.order));
  const { movePrice = 0, breaksTies = false } = alignment;
  const nearest = () => realign(shop, alignment, latestStarts(shop, alignment, tight, 0));
  if (movePrice === 0) return nearest();
  const candidates = priced(shop, { ...alignment, movePrice, breaksTies: false }, tight);
  if (breaksTies) candidates.push(nearest());
  return cheapest(shop, { ...alignment, movePrice }, candidates);
}

/**
 * Candidate realignments for the lowest objective plus cost of early starts: that of the tight schedule; one whose end
 * is later by a delay that pays off (for the makespan only); and the one in which nothing starts early, if it keeps
 * limits. Without downtimes and limits, no other realignment costs less. The kernel computes the same candidates.
 */
function priced(
  shop: Instance,
  alignment: Alignment & { readonly movePrice: number },
  tight: Schedule,
): Int32Array[] {
  const { planned, objective, movePrice } = alignment;
  const latest = latestStarts(shop, alignment, tight, 0);
  const candidates = [realign(shop, alignment, latest)];
  const shortage = planned.map((time, op) => Math.max(0, time - latest[op])).filter((by) => by > 0);
  if (shortage.length === 0) return candidates;
  const later = objective === 'makespan' ? worthwhileDelay(shortage, movePrice) : 0;
  if (later > 0) {
    candidates.push(realign(shop, alignment, latestStarts(shop, alignment, tight, later)));
  }
  const calm = realign(shop, alignment, null);
  if (keepsLimits(shop, alignment, tight, calm)) candidates.push(calm);
  return candidates;
}

/** The cheapest starts. Ties go to the better value of the other objective if that breaks ties, then to the first. */
function cheapest(
  shop: Instance,
  { planned, objective, floor, movePrice, breaksTies }: Alignment & { readonly movePrice: number },
  candidates: readonly Int32Array[],
): Int32Array {
  let best = candidates[0];
  let least = Number.POSITIVE_INFINITY;
  let leastOther = Number.POSITIVE_INFINITY;
  for (const start of candidates) {
    const schedule = createSchedule(shop, start);
    const early = planned.filter((time, op) => start[op] < time).length;
    const value = objectiveValue(schedule, objective);
    const cost = (objective === 'makespan' ? Math.max(value, floor) : value) + movePrice * early;
    const other = breaksTies ? objectiveValue(schedule, otherObjective(objective)) : 0;
    if (cost > least || (cost === least && other >= leastOther)) continue;
    best = start;
    least = cost;
    leastOther = other;
  }
  return best;
}

/** The delay of all ends that minimises the cost of the delay plus that of early starts; 0 if no delay pays off. */
function worthwhileDelay(shortage: Int32Array, movePrice: number): number {
  let least = movePrice * shortage.length;
  let delay = 0;
  shortage.sort().forEach((by, i) => {
    const cost = by + movePrice * (shortage.length - i - 1);
    if (cost >= least) return;
    least = cost;
    delay = by;
  });
  return delay;
}

/** Whether no operation that is pinned, or has a deadline, ends later than necessary. */
function keepsLimits(
  shop: Instance,
  { pinned }: Alignment,
  { end }: Schedule,
  start: Int32Array,
): boolean {
  return start.every((time, op) => {
    const isPinned = pinned?.has(op) ?? false;
    const limit = isPinned ? end[op] : deadlineOf(shop, op, end);
    return completionTime(shop, op, time) <= limit;
  });
}

/** N entries: the latest starts with which the objective is that of the tight schedule, or later by the given delay. */
function latestStarts(
  instance: Instance,
  { order, objective, floor, pinned, movePrice = 0, breaksTies = false }: Alignment,
  { end, makespan }: Schedule,
  later: number,
): Float64Array {
  const { operations, machines, machine, duration, jobOf, jobOffset, due, weight } = instance;
  const isMakespan = objective === 'makespan';
  const most = isMakespan || breaksTies ? Math.max(makespan, floor) + later : FOREVER;
  const latestEnd = (op: number): number => {
    if (pinned?.has(op)) return end[op];
    const job = jobOf[op];
    if (op + 1 < jobOffset[job + 1]) return most;
    const matters = !isMakespan || breaksTies;
    const isDue = due !== null && due[job] >= 0 && (movePrice === 0 || weight?.[job] !== 0);
    const byDue = matters && isDue ? Math.max(due[job], end[op]) : FOREVER;
    return Math.min(most, byDue, deadlineOf(instance, op, end));
  };
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
    latest[op] = by === FOREVER ? by : latestStart(instance, op, by);
  }
  return latest;
}

/** The time by which the last operation of a job must be done: the deadline, if it can be met. */
function deadlineOf({ jobOf, jobOffset, deadline }: Instance, op: number, end: Int32Array): number {
  const job = jobOf[op];
  if (deadline === null || deadline[job] < 0 || op + 1 < jobOffset[job + 1]) {
    return FOREVER;
  }
  return Math.max(deadline[job], end[op]);
}

/**
 * Moves the starts of machine orders as close to the plan as possible: each start is the planned one, limited by the
 * completion of its predecessors and by its latest start. Free operations only. O(N), not counting downtimes.
 *
 * @param latest N entries, never earlier than in the semi-active schedule of the order; null for any time
 * @returns N starts, a feasible schedule
 */
function realign(
  instance: Instance,
  { order, planned }: Alignment,
  latest: Float64Array | null,
): Int32Array {
  const { operations, machines, machine, duration, jobOf } = instance;
  const start = new Int32Array(operations);
  const jobFree = new Int32Array(instance.jobs);
  const machineFree = new Int32Array(machines);
  for (let i = 0; i < operations; i++) {
    const op = order[i];
    let ready = jobFree[jobOf[op]];
    if (duration[op] > 0) ready = Math.max(ready, machineFree[machine[op]]);
    const wanted = earliestStart(instance, op, Math.max(ready, planned[op]));
    start[op] = latest === null ? wanted : Math.min(wanted, latest[op]);
    const end = completionTime(instance, op, start[op]);
    jobFree[jobOf[op]] = end;
    if (duration[op] > 0) machineFree[machine[op]] = end;
  }
  return start;
}
