// The cost that the search minimises: the makespan, or the weighted tardiness of watched operations. Once the objective
// has reached its target, the other one of the two breaks ties. Hard limits take precedence over both: deadlines, and
// the starts of pinned operations, by which their job predecessors must be completed.
import { BROKEN, TIE_BREAK } from '../costs';
import { hasDowntimes } from './calendar';
import {
  align,
  alignedEnd,
  clearLimits,
  costOfDelay,
  countEarly,
  drawEarly,
  earlyPrice,
  floor,
  limitEnd,
  worthwhileDelay,
} from './earliness';
import { last, operations } from './graph';
import { randomBelow, randomFraction } from './random';
import { end, makespan } from './times';

/** Operations that have a due date, … */
export let watched = new StaticArray<i32>(0);
/** … the date, … */
export let watchedDue = new StaticArray<i32>(0);
/** … and the weight of a unit of tardiness; −1 for limits. */
export let watchedWeight = new StaticArray<i32>(0);

let minimisesTardiness: bool = false;
/** One in this many paths begins at an operation that starts early, unless a later end is cheaper than early starts. */
const HURRIED_ONE_IN = 8;

/** The delay of all ends that is cheaper than the early starts it avoids. */
let delay: i32 = 0;
/** Whether the schedule in which nothing starts early is the cheapest. */
let isCalm: bool = false;
/** The value of the objective up to which the other objective breaks ties; −1 for never. */
let leastValue: f64 = -1;

export function allocateObjective(count: i32): void {
  leastValue = -1;
  watched = new StaticArray<i32>(count);
  watchedDue = new StaticArray<i32>(count);
  watchedWeight = new StaticArray<i32>(count);
}

export function configureObjective(tardiness: bool): void {
  minimisesTardiness = tardiness;
}

/** Lets the other objective break ties if the objective is at most `least`. */
export function breakTies(least: f64): void {
  leastValue = least;
}

/** Whether moves must be tried exactly, since estimates cover the makespan only. */
export function needsTrials(): bool {
  return minimisesTardiness || watched.length > 0 || earlyPrice > 0;
}

/** Whether the objective is tardiness, and not the makespan. */
export function countsTardiness(): bool {
  return minimisesTardiness;
}

/** Whether the other objective breaks ties at this cost. */
export function isTied(cost: f64): bool {
  return cost < leastValue + 1;
}

/** The cost of the current machine orders. */
export function currentCost(): f64 {
  return costUpTo(f64.MAX_VALUE);
}

/** The cost of the current machine orders. If it exceeds `most`, the result may be any lower bound above `most`. */
export function costUpTo(most: f64): f64 {
  const value = valueOfEnds(end);
  if (value >= BROKEN) {
    // Otherwise later random choices would depend on earlier evaluations.
    delay = 0;
    isCalm = false;
    return value;
  }
  return earlyPrice === 0 || value > most ? value : costWithEarly(value);
}

/** The objective for these ends, or the cost of violated limits. */
function valueOfEnds(ends: StaticArray<i32>): f64 {
  let excess: f64 = 0;
  let tardiness: f64 = 0;
  for (let i = 0; i < watched.length; i++) {
    const late = <f64>(ends[watched[i]] - watchedDue[i]);
    if (late <= 0) continue;
    if (watchedWeight[i] < 0) excess += late;
    else tardiness += late * <f64>watchedWeight[i];
  }
  if (excess > 0) return BROKEN * excess;
  if (!minimisesTardiness) {
    const latest = <f64>latestEnd(ends);
    return latest > leastValue ? latest : latest + TIE_BREAK * tardiness;
  }
  return tardiness > leastValue ? tardiness : tardiness + TIE_BREAK * <f64>latestEnd(ends);
}

function latestEnd(ends: StaticArray<i32>): i32 {
  let latest = floor;
  for (let j = 0; j < last.length; j++) latest = max(latest, ends[last[j]]);
  return latest;
}

/**
 * The objective plus the cost of early starts, for the cheapest of these schedules with the current orders:
 * - ends are as late as the limits and the objective of the earliest schedule allow
 * - all ends are later by a delay that pays off (for the makespan only)
 * - nothing starts early
 */
function costWithEarly(value: f64): f64 {
  delay = 0;
  isCalm = false;
  limitEnds(0);
  const early = countEarly();
  const all = earlyPrice * <f64>early;
  // The objective is an integer, and avoiding early starts raises it by at least 1.
  if (early === 0 || all <= 1) return value + all;
  let least = value + all;
  if (!minimisesTardiness) {
    const later = worthwhileDelay(early);
    if (watched.length === 0 && !hasDowntimes()) {
      delay = later;
      return value + costOfDelay;
    }
    least = min(least, costOfEndingLater(later, least));
  }
  align(false);
  const calm = valueOfEnds(alignedEnd);
  isCalm = calm < least;
  return min(least, calm);
}

/** The cost if ends may be `later` time units later; at least `least` if that does not pay off. */
function costOfEndingLater(later: i32, least: f64): f64 {
  if (later === 0) return least;
  limitEnds(later);
  const fewer = countEarly();
  align(true);
  const cost = valueOfEnds(alignedEnd) + earlyPrice * <f64>fewer;
  if (cost < least) delay = later;
  return cost;
}

/** Limits ends so that hard limits are kept and the objective rises by at most `later`. */
function limitEnds(later: i32): void {
  clearLimits();
  if (!minimisesTardiness) {
    const by = latestEnd(end) + later;
    for (let j = 0; j < last.length; j++) limitEnd(last[j], by);
  }
  for (let i = 0; i < watched.length; i++)
    limitEnd(watched[i], max(watchedDue[i], end[watched[i]]));
}

/**
 * An operation that ends too late: one that violates a limit, or else a random one of those that end last or are tardy
 * (depending on the objective). Tardy operations are drawn with a probability proportional to their share of the cost.
 * The dummy if there is none.
 */
export function drawLate(current: f64): i32 {
  if (current >= BROKEN) return drawWatched(true);
  const latest = needsTrials() || floor > 0 ? makespan() : <i32>current;
  if (!minimisesTardiness) return <f64>latest > leastValue ? drawLast(latest) : drawWatched(false);
  return current >= leastValue + 1 ? drawWatched(false) : drawLast(latest);
}

/**
 * A random operation that must start early, or would have to if everything ended earlier; the dummy if there is none,
 * or if early starts cost nothing.
 */
export function drawHurried(): i32 {
  limitEnds(delay);
  if (countEarly() === 0 && delay === 0) return operations;
  if (delay === 0 && randomBelow(isCalm ? 2 : HURRIED_ONE_IN) !== 0) return operations;
  return drawEarly(delay === 0 ? 1 : 0);
}

function drawWatched(limits: bool): i32 {
  let chosen = operations;
  let sum: f64 = 0;
  for (let i = 0; i < watched.length; i++) {
    const weight = watchedWeight[i];
    if (weight < 0 !== limits) continue;
    const late = end[watched[i]] - watchedDue[i];
    const share = <f64>late * <f64>abs(weight);
    if (share <= 0) continue;
    sum += share;
    if (randomFraction() * sum < share) chosen = watched[i];
  }
  return chosen;
}

function drawLast(latest: i32): i32 {
  let choices = 0;
  let chosen = operations;
  for (let j = 0; j < last.length; j++) {
    if (end[last[j]] === latest && randomBelow(++choices) === 0) chosen = last[j];
  }
  return chosen;
}
