import { deriveSeed } from '@alas-jssp/core/seed';
import type { Instance } from '../../jssp/instance.js';
import { asPlan, asSchedule, type Candidate } from '../../jssp/plan.js';
import type { Schedule } from '../../jssp/schedule.js';
import { readClaims } from '../../lcrp/plan/claims.js';
import { keptOrder } from '../../lcrp/plan/kept-order.js';
import { dispatch } from '../../search/construct/dispatch.js';
import { randomSchedule } from '../../search/construct/random-order.js';

/** The rule whose plan is compared with those of planners. */
export const CONTROL_RULE = 'mwkr';

/** Number of random schedules over which agreement by chance is averaged. */
const CHANCE_DRAWS = 10;

/**
 * Shares (0 to 1) of ordered pairs of operations that a schedule has in common with a plan, and with random schedules
 * and a rule's schedule in its place, restricted to the operations of the plan. Null if there is no such pair.
 */
interface KeptEdges {
  readonly kept: number | null;
  readonly by_chance: number | null;
  readonly by_rule: number | null;
}

/** The machine orders of a plan that a schedule keeps. */
export interface KeptOrders {
  /** Operations of the plan with a usable claim. */
  readonly claimed: number;
  /** All ordered pairs of operations of one machine. */
  readonly pairs: KeptEdges;
  /** Pairs of operations that follow each other directly on a machine. */
  readonly neighbours: KeptEdges;
}

/** Starts that are claimed for operations, NaN for none, and the instance in the modes of their schedule. */
interface ClaimedStarts {
  readonly instance: Instance;
  readonly start: Float64Array;
}

/** Compares the machine orders of a plan with those of the schedule that was made from it. O(N log N). */
export function keptOrders(
  instance: Instance,
  plan: Candidate,
  final: Schedule,
  seed: number,
): KeptOrders {
  const claims = readClaims(instance, asPlan(plan));
  const own = { instance: asSchedule(instance, plan).instance, start: claims.start };
  const others = Array.from({ length: CHANCE_DRAWS }, (_, draw) =>
    restricted(randomSchedule(instance, deriveSeed(seed, 'chance', draw)), claims.start),
  );
  const rule = restricted(dispatch(instance, { rule: CONTROL_RULE }), claims.start);
  const compare = (measure: typeof keptOrder): KeptEdges => {
    const shareOf = (claimed: ClaimedStarts) =>
      measure(claimed.instance, claimed.start, final.start, final.instance);
    return {
      kept: shareOf(own),
      by_chance: meanOf(others.map(shareOf)),
      by_rule: shareOf(rule),
    };
  };
  return {
    claimed: claims.usable,
    pairs: compare(keptOrder),
    neighbours: compare(keptNeighbours),
  };
}

/**
 * The share of neighbours in the claimed order of each machine that follow each other directly, in that order, in a
 * schedule. Operations with equal claims, and those of zero duration, are in no order.
 *
 * @param instance in the modes of the claims
 * @param claim N claimed starts, NaN for none
 * @param start N start times of a feasible schedule
 * @param after the instance in the modes of the schedule
 * @returns null if no two operations of a machine are claimed to follow each other
 */
export function keptNeighbours(
  instance: Instance,
  claim: Float64Array,
  start: Int32Array,
  after: Instance = instance,
): number | null {
  let claimed = 0;
  let kept = 0;
  const next = followers(after, start);
  for (let k = 0; k < instance.machines; k++) {
    const planned = workOn(instance, k)
      .filter((op) => !Number.isNaN(claim[op]))
      .sort((a, b) => claim[a] - claim[b]);
    for (let i = 1; i < planned.length; i++) {
      const [before, after] = [planned[i - 1], planned[i]];
      if (claim[before] === claim[after]) continue;
      claimed++;
      if (next[before] === after) kept++;
    }
  }
  return claimed === 0 ? null : kept / claimed;
}

/** N entries: the operation that follows each one on its machine; −1 for none. */
function followers(instance: Instance, start: Int32Array): Int32Array {
  const next = new Int32Array(instance.operations).fill(-1);
  for (let k = 0; k < instance.machines; k++) {
    const inOrder = workOn(instance, k).sort((a, b) => start[a] - start[b]);
    for (let i = 1; i < inOrder.length; i++) next[inOrder[i - 1]] = inOrder[i];
  }
  return next;
}

/** The operations of positive duration of a machine. */
function workOn({ machineOffset, machineOperations, duration }: Instance, machine: number) {
  return machineOperations
    .subarray(machineOffset[machine], machineOffset[machine + 1])
    .filter((op) => duration[op] > 0);
}

/** A schedule as claims, for those operations that a plan claims. */
function restricted({ instance, start }: Schedule, claim: Float64Array): ClaimedStarts {
  const claims = claim.map((claimed, op) => (Number.isNaN(claimed) ? Number.NaN : start[op]));
  return { instance, start: claims };
}

/** The mean of the values that are not null; null if there are none. */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length;
}
