import { completionTime } from '../../jssp/calendar.js';
import { type Instance, isFree, replaceInstance } from '../../jssp/instance.js';
import { objectiveValue, sumOfTardiness } from '../../jssp/objectives.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { refuseUnlessPlain } from '../../jssp/shop-parts.js';
import { orderByTime } from '../../search/evolution/solution.js';
import {
  createKernel,
  createKernelHome,
  type Kernel,
  type KernelHome,
  type Watched,
} from '../../search/kernel.js';
import { createProblem } from '../../search/problem.js';
import { heldOperations } from '../pins/held-operations.js';
import { pinnedNumbers, type RepairPolicy } from '../policy/policy.js';
import type { RepairTask } from '../task.js';
import { plannedTimes } from './compensate.js';
import { alignWithPlan } from './realign.js';
import { type Remainder, remainderOf, startsOfWhole } from './remainder.js';

/** Queues that are being reordered, beginning with those of the compensated schedule. */
export interface Reordering {
  /** The cost of the best queues so far: objective, changed places and starts earlier than planned. */
  readonly cost: number;
  /** Moves evaluated so far. */
  readonly evaluations: number;
  /**
   * Continues from the best queues, moving only these operations, until a number of moves has been evaluated or `isOver`
   * returns true. Returns whether that improved the cost.
   */
  improve(movable: Int32Array, evaluations: number, isOver: () => boolean): boolean;
  /** The schedule of the best queues, realigned with the plan. */
  schedule(): Schedule;
  /** Closes it: neither `improve` nor `schedule` may be called afterwards. */
  close(): void;
}

/** Variants of reordering. */
interface ReorderingVariant {
  /** The initial schedule, if it is not the compensated one. */
  readonly from?: Schedule | undefined;
  /** Further initial orders, as times (N each) that sort the operations; the cheapest order is used. */
  readonly also?: readonly ArrayLike<number>[] | undefined;
  /** Operations that keep the start they have in `from`, instead of those of the policy. */
  readonly pinned?: ReadonlySet<number> | undefined;
  /**
   * Whether the other objective breaks ties if the objective is at most that of `from`; every move is then tried
   * exactly.
   */
  readonly breaksTies?: boolean | undefined;
  /** The limit of critical paths to examine until one yields a move: 20 by default. */
  readonly paths?: number | undefined;
}

/** The limit of iterations between two checks of the budget. */
const MAX_STEPS = 16;
/** Operations timed between two checks: a tenth of a millisecond of work. */
const SLICE = 8_000;
/** Trials of swapping neighbours back to the planned order, for each operation that may move. */
const SWAPS_BACK = 4;
/** The limit of operations timed by all of these trials: half a second. Shops of up to 5,000 operations stay below. */
const MAX_TIMED_BACK = 100_000_000;
/** Moves tried exactly in an iteration, the best by estimates for all jobs, if more than the makespan counts. */
const TRIED = 3;
const FOREVER = 2 ** 30;
/** A path covers only one of the operations that end too late: the others may still yield moves. */
const MAX_PATHS = 20;

/**
 * Memory of closed kernels for reuse. Separate memory for each would trigger a garbage collection every few repairs,
 * which takes longer than a repair.
 */
const vacant: KernelHome[] = [];
/** Memory of larger shops is not kept. */
const MAX_KEPT = 100_000;

/**
 * Phase 2, reordering: tabu search (N6) over the free operations, of which only some may move, that minimises objective
 * + cost of changed places + cost of starting early. Its tenure is half of that of long searches: with 40,000 moves,
 * the shorter tenure won back more at every price tested. A move passes no immovable operation except those pinned in
 * time, so all others keep their place. Then neighbours in reverse of the planned order are swapped back if the cost
 * does not rise, and starts are realigned with the plan.
 *
 * @param compensated the schedule of phase 1, whose queues are the planned ones
 * @param unit the objective of `compensated`; costs of the policy are shares of it
 */
export function openReordering(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  unit: number,
  seed: number,
  {
    from = compensated,
    also = [],
    pinned,
    breaksTies = false,
    paths = MAX_PATHS,
  }: ReorderingVariant = {},
): Reordering {
  refuseUnlessPlain(task.instance, 'reordering by queues');
  const remainder = remainderOf(task.instance);
  const pins =
    pinned === undefined
      ? pinsOf(remainder, heldOperations(task, policy.limits), compensated.start)
      : pinsOf(remainder, pinned, from.start);
  const shop = releasedAt(remainder.instance, pins);
  const passable = passableOf(task, compensated, policy);
  const withPassable = (movable: Int32Array) =>
    passable.length === 0 ? movable : Int32Array.from([...movable, ...passable]).sort();
  const { objective } = policy;
  const { watched } = createProblem(shop, breaksTies ? 'total-weighted-tardiness' : objective);
  const home = vacant.pop() ?? createKernelHome();
  const kernel = createKernel(shop, withPins(watched, pins, shop), home);
  const times = plannedTimes(task);
  const orderOf = (times: ArrayLike<number>) =>
    orderByTime(Array.from(remainder.operation, (op) => times[op]));
  const planned = remainder.operation.map((op) => times[op]);
  const places = plannedPlaces(shop, orderOf(compensated.start), planned);
  let order: Int32Array = new Int32Array();
  const tenure = Math.round((10 + shop.jobs / shop.machines) / 2);
  const { exports, arrays, number } = kernel;
  exports.configure(6, tenure, Math.round(0.4 * tenure), objective !== 'makespan');
  exports.configureTrials(TRIED);
  exports.configureRepair(true, policy.cost.rankChange * unit, paths);
  const movePrice = policy.cost.movedEarlier * unit;
  const floor = movePrice > 0 || breaksTies ? remainder.frozenEnd : 0;
  exports.configureEarliness(movePrice, floor);
  exports.seedRandom(seed);
  const steps = Math.max(1, Math.min(MAX_STEPS, Math.floor(SLICE / shop.operations)));
  // Where estimates do not suffice, this many moves tried exactly take as long.
  exports.limitTrials(steps);
  const load = () => {
    kernel.load(order);
    arrays.plannedRank.fill(-1);
    for (let op = 0; op < shop.operations; op++) {
      arrays.plannedRank[number[op]] = places[op];
      arrays.plannedStart[number[op]] = planned[op];
    }
  };
  const settled = settledTardiness(shop, compensated, objective);
  let cost = Number.POSITIVE_INFINITY;
  let cheapest = order;
  for (order of [from.start, ...also].map(orderOf)) {
    load();
    exports.start();
    const found = settled + exports.bestCost();
    if (found < cost) [cost, cheapest] = [found, order];
  }
  order = cheapest;
  if (breaksTies) exports.breakTies(objectiveValue(from, objective) - settled);
  let evaluations = also.length;
  return {
    get cost() {
      return cost;
    },
    get evaluations() {
      return evaluations;
    },
    improve: (movable, most, isOver) => {
      load();
      markMovable(kernel, remainder, pinned === undefined ? withPassable(movable) : movable);
      exports.start();
      while (exports.evaluations() < most && !isOver()) {
        if (!exports.search(steps, FOREVER, Number.NEGATIVE_INFINITY)) break;
      }
      exports.beginSwaps();
      const swaps = Math.min(
        SWAPS_BACK * movable.length,
        Math.ceil(MAX_TIMED_BACK / shop.operations),
      );
      for (let left = swaps; left > 0 && !isOver(); left -= steps) {
        if (!exports.swapBack(Math.min(left, steps))) break;
      }
      evaluations += exports.evaluations();
      const found = settled + exports.bestCost();
      const isBetter = found < cost;
      if (isBetter) {
        cost = found;
        order = kernel.bestOrder();
      }
      return isBetter;
    },
    schedule: () => {
      const aligned = alignWithPlan(shop, {
        order,
        planned,
        objective,
        floor: remainder.frozenEnd,
        pinned: pins,
        movePrice,
        breaksTies,
      });
      return createSchedule(task.instance, startsOfWhole(task.instance, remainder, aligned));
    },
    close: () => {
      if (shop.operations <= MAX_KEPT) vacant.push(home);
    },
  };
}

/** The tardiness of jobs without remaining operations, which the search does not see; 0 for the makespan. */
function settledTardiness(
  { jobOffset }: Instance,
  { instance, end }: Schedule,
  objective: RepairPolicy['objective'],
): number {
  if (objective === 'makespan') return 0;
  return sumOfTardiness(instance, (job) => {
    const isOver = jobOffset[job] === jobOffset[job + 1];
    const last = instance.jobOffset[job + 1] - 1;
    return isOver && last >= instance.jobOffset[job] ? end[last] : 0;
  });
}

/** N entries: the place of each operation among those planned on its machine; −1 if not planned. */
function plannedPlaces(shop: Instance, order: Int32Array, planned: Int32Array): Int32Array {
  const { operations, machines, machine, duration } = shop;
  const places = new Int32Array(operations).fill(-1);
  const count = new Int32Array(machines);
  for (const op of order) {
    if (planned[op] >= 0 && duration[op] > 0) places[op] = count[machine[op]]++;
  }
  return places;
}

function markMovable(
  { arrays, number }: Kernel,
  { operation }: Remainder,
  movable: Int32Array,
): void {
  arrays.movable.fill(0);
  // Both lists are ascending.
  let next = 0;
  for (let i = 0; i < operation.length && next < movable.length; i++) {
    if (operation[i] !== movable[next]) continue;
    arrays.movable[number[i]] = 1;
    next++;
  }
}

/** The operations of the remainder that keep their compensated start. */
function pinsOf(
  { operation }: Remainder,
  pinned: ReadonlySet<number>,
  start: ArrayLike<number>,
): ReadonlyMap<number, number> {
  const pins = new Map<number, number>();
  operation.forEach((op, i) => {
    if (pinned.has(op)) pins.set(i, start[op]);
  });
  return pins;
}

/** Pinned operations that others may pass, since their start is kept anyway. */
function passableOf(
  { instance, planned }: RepairTask,
  compensated: Schedule,
  { limits }: RepairPolicy,
): number[] {
  const notBefore = limits.notBefore ?? 0;
  return [...pinnedNumbers(instance, limits)].filter(
    (op) =>
      isFree(instance, op) &&
      planned[op] >= notBefore &&
      compensated.start[op] === planned[op] &&
      !limits.untouchableMachines.includes(instance.machine[op]),
  );
}

/**
 * The shop in which pinned operations are not released before these starts; a pin that their release forbids is lost.
 */
export function releasedAt(shop: Instance, pins: ReadonlyMap<number, number>): Instance {
  if (pins.size === 0) return shop;
  const release = shop.release?.slice() ?? new Int32Array(shop.operations);
  for (const [op, start] of pins) release[op] = Math.max(release[op], start);
  return replaceInstance(shop, { release });
}

/** Limits of the search, and in addition: no pinned operation ends later than after compensation. */
function withPins(
  { op, due, weight }: Watched,
  pins: ReadonlyMap<number, number>,
  shop: Instance,
): Watched {
  const pinned = [...pins];
  return {
    op: [...op, ...pinned.map(([one]) => one)],
    due: [...due, ...pinned.map(([one, start]) => completionTime(shop, one, start))],
    weight: [...weight, ...pinned.map(() => -1)],
  };
}
