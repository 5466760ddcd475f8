import { createRandom } from '@alas-jssp/core/random';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { chosenModes, orderByStart, withModes } from '../../jssp/shop-timing/lists.js';
import { edgesOf } from '../../search/flexible/edges.js';
import { createFlexibleKernel, type FlexibleKernel } from '../../search/flexible/kernel.js';
import type { KernelShop } from './kernel-parts.js';
import { kernelShopOf } from './kernel-shop.js';

/** The schedule that the kernel found, and its iterations. */
export interface KernelResult {
  readonly schedule: Schedule;
  readonly iterations: number;
}

/** A topological order and modes. */
interface KernelSolution {
  readonly order: Int32Array;
  readonly mode: Int32Array;
}

/** Runs at most, each from the best schedule so far … */
const RUNS = 4;
/** … and of at least so many iterations, if the limit allows. */
const LEAST_STEPS = 20;
/** Operations timed between two chances to stop. */
const SLICE = 20_000;
/** The least tenure of a move in a shop of no operations, how many operations add one to it, and how much longer it may be. */
const TENURE = 4;
const TENURE_GROWTH = 40;
const TENURE_SPREAD = 8;

/** The limits of a search. */
export interface KernelLimits {
  readonly iterations: number;
  /** A makespan that is good enough. */
  readonly goal: number;
  readonly seed: number;
  readonly isOver: () => boolean;
}

/**
 * Tabu search over modes and queues by the kernel of flexible shops, for the makespan: short runs, each from the best
 * schedule so far, so that the result stays near the initial one.
 *
 * @param from a feasible schedule
 * @returns null if the kernel does not fit the shop
 */
export function searchByKernel(from: Schedule, limits: KernelLimits): KernelResult | null {
  const shop = kernelShopOf(from.instance, from.makespan);
  if (shop === null) return null;
  const kernel = openKernel(shop, limits.seed);
  const { exports, arrays } = kernel;
  const runs = Math.min(RUNS, Math.max(1, Math.floor(limits.iterations / LEAST_STEPS)));
  const goal = Math.max(0, limits.goal - shop.base);
  const first = solutionOf(shop, from);
  let best = first;
  let cost = from.makespan - shop.base;
  let iterations = 0;
  for (let run = 1; run <= runs && cost > goal && !limits.isOver(); run++) {
    kernel.load(best.order, best.mode);
    runFor(kernel, Math.ceil(limits.iterations / runs), goal, limits.isOver);
    iterations += exports.iterations();
    if (exports.bestCost() >= cost) continue;
    cost = exports.bestCost();
    best = { order: arrays.bestOrder.slice(), mode: arrays.bestMode.slice() };
  }
  const schedule = best === first ? from : scheduleOf(shop, kernel, best, from);
  return { schedule, iterations };
}

function runFor(
  { exports, instance }: FlexibleKernel,
  steps: number,
  goal: number,
  isOver: () => boolean,
): void {
  const slice = Math.ceil(SLICE / instance.operations);
  for (let left = steps; left > 0 && !isOver(); left -= slice) {
    if (!exports.search(Math.min(slice, left), steps, goal)) break;
  }
}

/** The whole schedule of a solution of the kernel. */
function scheduleOf(
  { operation, mode, base }: KernelShop,
  kernel: FlexibleKernel,
  best: KernelSolution,
  from: Schedule,
): Schedule {
  kernel.load(best.order, best.mode);
  const { end, modeDuration } = kernel.arrays;
  const chosen = chosenModes(from.instance).slice();
  const start = from.start.slice();
  operation.forEach((op, i) => {
    if (op < 0) return;
    chosen[op] = mode[best.mode[i]];
    start[op] = base + end[i] - modeDuration[best.mode[i]];
  });
  return createSchedule(withModes(from.instance, chosen), start);
}

function openKernel({ instance, operation }: KernelShop, seed: number): FlexibleKernel {
  const kernel = createFlexibleKernel(instance, edgesOf(instance));
  operation.forEach((op, i) => {
    if (op < 0) kernel.arrays.fixed[i] = 1;
  });
  kernel.exports.configure(TENURE + Math.round(instance.operations / TENURE_GROWTH), TENURE_SPREAD);
  kernel.exports.seedRandom(createRandom(seed).integer(1, 2 ** 31));
  return kernel;
}

/** Order and modes of a schedule; dummies come first. */
function solutionOf(
  { instance, operation, mode }: KernelShop,
  { instance: whole, start }: Schedule,
): KernelSolution {
  const numbers = new Int32Array(start.length).fill(-1);
  const chosen = new Int32Array(operation.length);
  const order: number[] = [];
  const modes = chosenModes(whole);
  const offset = instance.modes?.offset ?? new Int32Array();
  operation.forEach((op, i) => {
    if (op < 0) {
      order.push(i);
      chosen[i] = offset[i];
      return;
    }
    numbers[op] = i;
    const own = modes[op];
    for (let one = offset[i]; one < offset[i + 1]; one++) if (mode[one] === own) chosen[i] = one;
  });
  for (const op of orderByStart(whole, start)) if (numbers[op] >= 0) order.push(numbers[op]);
  return { order: Int32Array.from(order), mode: chosen };
}
