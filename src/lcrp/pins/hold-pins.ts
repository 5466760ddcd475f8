import { completionTime, earliestStart } from '../../jssp/calendar.js';
import { type Instance, replaceInstance } from '../../jssp/instance.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { closeWhilePinned } from '../../search/construct/pinned.js';
import { orderByTime } from '../../search/evolution/solution.js';
import { insertUnplanned } from '../phases/compensate.js';
import { headsOf } from '../phases/edit-shop.js';
import { plannedOrder } from '../phases/planned-order.js';
import { alignWithPlan } from '../phases/realign.js';
import { type Remainder, remainderOf, startsOfWhole } from '../phases/remainder.js';
import { releasedAt } from '../phases/reorder.js';
import { pinnedNumbers, type RepairLimits } from '../policy/policy.js';
import type { LostPin, RepairTask } from '../task.js';
import { type DroppedPins, dropPins } from './conflicts.js';
import { heldOperations, holdsStarts } from './held-operations.js';
import { decidePins, type PinShop } from './pin-shop.js';

/** A compensated schedule that keeps as many pins as possible. */
export interface HeldSchedule {
  readonly schedule: Schedule;
  /** The pins that it does not keep, ascending by operation. */
  readonly lostPins: readonly LostPin[];
}

/** The free part of a shop whose pins local compensation does not keep. */
interface PinSearch extends PinShop {
  readonly task: RepairTask;
  readonly remainder: Remainder;
  readonly compensated: Schedule;
}

/**
 * Keeps pins and the frozen horizon: if local compensation moves an operation that must keep its planned start,
 * operations in its way go after it or start earlier than planned, by as little as their order allows. If no schedule
 * keeps all pins, as few as possible are lost.
 *
 * Pins take precedence over deadlines, and the queues of untouchable machines over pins.
 *
 * @param compensated a feasible schedule of the task with the planned queues
 */
export function holdPins(
  task: RepairTask,
  limits: RepairLimits,
  compensated: Schedule,
  isOver: () => boolean,
): HeldSchedule {
  const isKept = (op: number) => compensated.start[op] === task.planned[op];
  const all = holdsStarts(limits) ? [...heldOperations(task, limits)] : [];
  if (all.every(isKept)) return { schedule: compensated, lostPins: [] };
  const search = openSearch(task, limits, compensated);
  const { remainder, planned, shop } = search;
  const numberOf = new Map(Array.from(remainder.operation, (op, i) => [op, i]));
  const pins = inLosingOrder(task, limits, all).map((op) => numberOf.get(op) as number);
  const head = headsOf(shop);
  const earliest = (op: number) => earliestStart(shop, op, Math.max(head[op], planned[op]));
  const alone = pins.filter((op) => earliest(op) > planned[op]).map((op) => [op]);
  const dropped = dropPins(
    pins,
    alone,
    (op) => isKept(remainder.operation[op]),
    (kept) => (isOver() ? 'undecided' : decidePins(search, kept, isOver).verdict),
  );
  const lost = new Set(dropped.lost);
  const kept = pins.filter((op) => !lost.has(op));
  const schedule = scheduleKeeping(search, kept, isOver) ?? compensated;
  const conflictOf = decisiveConflicts(dropped);
  const lostPins = pins
    .filter((op) => schedule.start[remainder.operation[op]] !== planned[op])
    .sort((a, b) => a - b)
    .map((op) => describeLoss(search, op, conflictOf.get(op), earliest(op)));
  return { schedule, lostPins };
}

function openSearch(task: RepairTask, limits: RepairLimits, compensated: Schedule): PinSearch {
  const remainder = remainderOf(task.instance);
  const shop = replaceInstance(remainder.instance, { due: null, weight: null, deadline: null });
  const planned = remainder.operation.map((op) => task.planned[op]);
  const known = hasPlanLater(shop, planned);
  const order = plannedOrder({ ...task, instance: shop, planned }).filter((op) => known[op] === 1);
  const keepsOrder = new Uint8Array(shop.machines);
  for (const k of limits.untouchableMachines) keepsOrder[k] = 1;
  return { task, remainder, compensated, shop, planned, order, keepsOrder };
}

/** N entries: 1 for planned operations, and their predecessors in the job. */
function hasPlanLater({ operations, jobOf }: Instance, planned: Int32Array): Uint8Array {
  const known = new Uint8Array(operations);
  for (let op = operations - 1; op >= 0; op--) {
    const precedes = op + 1 < operations && jobOf[op + 1] === jobOf[op] && known[op + 1] === 1;
    if (planned[op] >= 0 || precedes) known[op] = 1;
  }
  return known;
}

/** If the numbers are equal, operations of the horizon are lost before pins, and later ones before earlier ones. */
function inLosingOrder(
  { instance, planned }: RepairTask,
  limits: RepairLimits,
  held: readonly number[],
): number[] {
  const pinned = pinnedNumbers(instance, limits);
  const rank = (op: number) => (pinned.has(op) ? 1 : 0);
  return held.toSorted((a, b) => rank(a) - rank(b) || planned[b] - planned[a] || b - a);
}

/**
 * A schedule that keeps the pins that can be kept, as close to the plan as one of these orders allows: that of
 * compensation; the planned one with operations that do not fit before a pin after it; the one found by the search.
 */
function scheduleKeeping(
  search: PinSearch,
  pins: readonly number[],
  isOver: () => boolean,
): Schedule | null {
  const { planned, remainder, compensated } = search;
  const compensatedOrder = orderByTime(remainder.operation.map((op) => compensated.start[op]));
  const inPlannedOrder = alignedSchedule(search, pins, compensatedOrder);
  if (inPlannedOrder !== null) return inPlannedOrder;
  const { verdict, starts } = decidePins(search, pins, isOver);
  if (verdict !== 'possible') return null;
  const atPins = new Map(pins.map((op) => [op, planned[op]]));
  for (const fixed of [atPins, starts]) {
    const start = startsAround(search, fixed);
    const schedule = start && alignedSchedule(search, pins, orderByTime(start));
    if (schedule !== null) return schedule;
  }
  return null;
}

/**
 * The starts (N) of the planned order around operations whose starts are fixed; unplanned ones take the first gaps.
 * Null if a fixed operation would start before its job is ready.
 */
function startsAround(search: PinSearch, fixed: ReadonlyMap<number, number>): Int32Array | null {
  const { task, shop, planned, order, keepsOrder } = search;
  const { operations, jobs, machines, jobOf, machine, duration } = shop;
  const at = new Int32Array(operations).fill(-1);
  for (const [op, start] of fixed) at[op] = start;
  const closed = replaceInstance(shop, { calendar: closeWhilePinned(shop, at, [...fixed.keys()]) });
  const start = new Int32Array(operations).fill(-1);
  const end = new Int32Array(operations).fill(-1);
  const jobReady = new Int32Array(jobs);
  const machineFree = new Int32Array(machines);
  for (const op of order) {
    const k = machine[op];
    const free = duration[op] > 0 ? machineFree[k] : 0;
    const from = Math.max(jobReady[jobOf[op]], free, planned[op]);
    if (at[op] >= 0 && at[op] < jobReady[jobOf[op]]) return null;
    start[op] = at[op] >= 0 ? at[op] : earliestStart(closed, op, from);
    end[op] = completionTime(at[op] >= 0 ? shop : closed, op, start[op]);
    jobReady[jobOf[op]] = end[op];
    const waits = at[op] < 0 || keepsOrder[k] === 1;
    if (duration[op] > 0 && waits) machineFree[k] = Math.max(machineFree[k], end[op]);
  }
  insertUnplanned({ ...task, instance: shop, planned }, start, end);
  return start;
}

/** The schedule of an order, as close to the plan as possible; null if it does not keep the pins or the queues. */
function alignedSchedule(
  { task, remainder, shop, planned, order: plannedQueue, keepsOrder }: PinSearch,
  pins: readonly number[],
  order: Int32Array,
): Schedule | null {
  const pinned = new Map(pins.map((op) => [op, planned[op]]));
  const start = alignWithPlan(releasedAt(shop, pinned), {
    order,
    planned,
    objective: 'total-weighted-tardiness',
    floor: 0,
    pinned,
  });
  if (pins.some((op) => start[op] !== planned[op])) return null;
  const { machine, duration } = shop;
  const queuesOf = (ops: Int32Array) =>
    Array.from(ops)
      .filter((op) => keepsOrder[machine[op]] === 1 && planned[op] >= 0 && duration[op] > 0)
      .sort((a, b) => machine[a] - machine[b]);
  const before = queuesOf(plannedQueue);
  const after = queuesOf(order);
  if (before.some((op, i) => op !== after[i])) return null;
  return createSchedule(task.instance, startsOfWhole(task.instance, remainder, start));
}

/** The first conflict of each lost pin whose other pins are all kept. */
function decisiveConflicts({
  lost,
  conflicts,
}: DroppedPins): ReadonlyMap<number, readonly number[]> {
  const isLost = new Set(lost);
  const conflictOf = new Map<number, readonly number[]>();
  for (const conflict of conflicts) {
    const [op, another] = conflict.filter((one) => isLost.has(one));
    if (op !== undefined && another === undefined && !conflictOf.has(op)) {
      conflictOf.set(op, conflict);
    }
  }
  return conflictOf;
}

function describeLoss(
  { remainder, planned }: PinSearch,
  op: number,
  conflict: readonly number[] | undefined,
  earliest: number,
): LostPin {
  const operation = remainder.operation[op];
  if (earliest > planned[op]) return { operation, reason: 'earliest', earliest, with: [] };
  if (conflict === undefined) return { operation, reason: 'not-found', earliest: null, with: [] };
  const others = conflict
    .filter((other) => other !== op)
    .map((other) => remainder.operation[other]);
  return {
    operation,
    reason: others.length > 0 ? 'conflict' : 'queue',
    earliest: null,
    with: others.sort((a, b) => a - b),
  };
}
